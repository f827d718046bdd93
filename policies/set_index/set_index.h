#pragma once
// Maps a line to a set of a cache. Not virtual, because every lookup calls it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "policies/home_map/home_map.h"
#include "policies/polynomial_hash.h"

namespace wharf {

enum class SetIndexKind : std::uint8_t {
  linear,    // line number modulo the sets
  xor_fold,  // five higher bits XORed into the low ones: ciao section 2.1, CIAO-O4, LoSCache
  ipoly,     // polynomial hash of the line number: CM-38
  fold8,     // exclusive or of the line number's bytes: morpheus section 4.2
};

class SetIndex {
 public:
  /// `sets` >= 1: a power of two for all kinds except linear, at most 4096 for ipoly. Throws InputError otherwise.
  SetIndex(SetIndexKind kind, std::uint32_t sets);

  /// The set of a line, in [0, sets). `line_number` is the number within the cache, without slice or home bits. Lines that differ only in
  /// the bits of a linear index never share a set, whatever the kind.
  std::uint32_t operator()(std::uint64_t line_number) const {
    return plain_ ? static_cast<std::uint32_t>(line_number) & mask_ : otherwise(line_number);
  }
  /// True if the set is the low bits of the number, and the number of sets a power of two: the common case.
  bool plain() const { return plain_; }

  /// The same function applied to line numbers within homes (CM-21), for a cache that is a home. `homes` must outlive it.
  SetIndex inside(const HomeMap& homes) const {
    SetIndex inside = *this;
    inside.homes_ = &homes;
    inside.plain_ = false;
    return inside;
  }

  std::uint32_t sets() const { return sets_; }

 private:
  enum class Form : std::uint8_t { mask, modulo, xor_fold, ipoly, fold8 };

  [[gnu::noinline]] std::uint32_t otherwise(std::uint64_t line_number) const {
    return homes_ == nullptr ? index(line_number) : index(homes_->locate(LineAddress{line_number}).line);
  }
  std::uint32_t index(std::uint64_t line_number) const {
    switch (form_) {
      case Form::mask:
        break;
      case Form::modulo:
        return static_cast<std::uint32_t>(line_number % sets_);
      case Form::xor_fold:
        return (static_cast<std::uint32_t>(line_number) ^ folded(line_number >> fold_from_)) & mask_;
      case Form::ipoly:
        return (static_cast<std::uint32_t>(line_number) & mask_) ^ hash_(line_number >> bits_);
      case Form::fold8:
        return static_cast<std::uint32_t>(line_number ^ line_number >> 8 ^ line_number >> 16) & mask_;
    }
    return static_cast<std::uint32_t>(line_number) & mask_;
  }

  // Packs bits 0, 1, 2, 4 and 6: A[13], A[14], A[15], A[17] and A[19] of the source's 32 and 64 sets.
  std::uint32_t folded(std::uint64_t above) const {
    const auto a = static_cast<std::uint32_t>(above);
    return ((a & 7) | (a >> 1 & 8) | (a >> 2 & 16)) & fold_mask_;
  }

  std::uint32_t mask_ = 0;
  bool plain_ = false;
  Form form_ = Form::mask;
  std::uint8_t bits_ = 0;
  std::uint8_t fold_from_ = 0;
  std::uint32_t fold_mask_ = 0;
  std::uint32_t sets_;
  PolynomialHash hash_;
  const HomeMap* homes_ = nullptr;
};

/// Throws InputError for an unknown name, and as the constructor does.
SetIndex make_set_index(std::string_view name, std::uint32_t sets);

std::vector<config::PolicyName> set_index_catalogue_names();

}  // namespace wharf
