#include "policies/catalogue.h"

#include <algorithm>
#include <string>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "policies/set_index/set_index.h"

namespace wharf {
namespace {

struct Entry {
  const char* name;
  const char* help;
  SetIndexKind kind;
};

constexpr Entry kCatalogue[] = {
    {"linear", "line number modulo the number of sets", SetIndexKind::linear},
    {"xor", "five higher line number bits XORed into the low ones, power-of-two sets (CIAO-O4, LoSCache)", SetIndexKind::xor_fold},
    {"ipoly", "polynomial hash of the line number, power-of-two sets (CM-38)", SetIndexKind::ipoly},
    {"fold8", "line number ^ itself >> 8 ^ itself >> 16, power-of-two sets (morpheus section 4.2)", SetIndexKind::fold8},
};

const char* name_of(SetIndexKind kind) {
  for (const Entry& entry : kCatalogue)
    if (entry.kind == kind) return entry.name;
  return "";
}

void check(SetIndexKind kind, std::uint32_t sets) {
  if (sets == 0) throw InputError("a cache has 0 sets; give it at least one");
  if (kind != SetIndexKind::linear && !is_power_of_two(sets))
    throw InputError("set index " + std::string(name_of(kind)) + " needs a number of sets that is a power of two, not " +
                     std::to_string(sets) + "; choose such a number, or the set index linear");
}

unsigned hash_bits(SetIndexKind kind, std::uint32_t sets) {
  check(kind, sets);
  return kind == SetIndexKind::ipoly ? floor_log2(sets) : 0;
}

}  // namespace

SetIndex::SetIndex(SetIndexKind kind, std::uint32_t sets) : sets_(std::max(sets, 1u)), hash_(hash_bits(kind, sets)) {
  if (!is_power_of_two(sets)) {
    form_ = Form::modulo;
    return;
  }
  mask_ = sets - 1;
  bits_ = static_cast<std::uint8_t>(floor_log2(sets));
  if (kind == SetIndexKind::ipoly) form_ = Form::ipoly;
  if (kind == SetIndexKind::fold8) form_ = Form::fold8;
  if (kind == SetIndexKind::xor_fold) {
    form_ = Form::xor_fold;
    // The source defines 32 and 64 sets, both with A[13] = line number bit 6 as the lowest folded bit; for 16 sets, CIAO-O4 drops the upper
    // folded bits. More sets keep the offsets of the 64-set form above their index, because folding index bits would hash nothing.
    fold_from_ = std::max<std::uint8_t>(bits_, 6);
    fold_mask_ = std::min(mask_, 31u);
  }
  plain_ = form_ == Form::mask;
}

SetIndex make_set_index(std::string_view name, std::uint32_t sets) {
  return SetIndex(find_policy(kCatalogue, "set index", name).kind, sets);
}

std::vector<config::PolicyName> set_index_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
