// Matches modifiers against the patterns of the instruction table.
#include "stimuli/ptx/text/form.h"

#include "stimuli/ptx/text/pattern_text.h"

#include <array>

namespace wharf::ptx {

namespace {

struct Set {
  std::string_view name, words;
};
constexpr std::array kSets = {
    Set{"INT", "u16|s16|u32|s32|u64|s64"},
    Set{"INT32", "u32|s32"},
    Set{"INT64", "u64|s64"},
    Set{"NARROW", "u16|s16|u32|s32"},
    Set{"BITS", "b16|b32|b64"},
    Set{"RND", "rn|rz|rm|rp"},
    Set{"RNDI", "rni|rzi|rmi|rpi"},
    Set{"WORD", "b32|u32|s32|f32"},
    Set{"LONG", "b64|u64|s64|f64"},
    Set{"MEMORY", "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64|f16|f16x2"},
    Set{"REGISTER", "b16|u16|s16|f16|b32|u32|s32|f32|f16x2|b64|u64|s64|f64"},
    Set{"VALUE", "b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64"},
    Set{"CVTINT", "u8|s8|u16|s16|u32|s32|u64|s64"},
    Set{"COMPARE", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan"},
    Set{"COMBINE", "and|or|xor"},
    Set{"SPACE", "global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func"},
    Set{"DATASPACE", "global|shared|shared::cta|shared::cluster"},
    Set{"SHAREDSPACE", "shared|shared::cta"},
    Set{"WMMASHAPE", "m16n16k16|m32n8k16|m8n32k16"},
    Set{"MATRIXSPACE", "global|shared|shared::cta"},
    Set{"ORDER", "weak|relaxed|acquire|release|acq_rel|sc"},
    Set{"SCOPE", "cta|gpu|sys|cluster"},
    Set{"LOADCACHE", "ca|cg|cs|lu|cv"},
    Set{"STORECACHE", "wb|cg|cs|wt"},
    Set{"EVICT", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    Set{"EVICTL2", "L2::evict_normal|L2::evict_first|L2::evict_last"},
    Set{"PREFETCHSIZE", "L2::64B|L2::128B|L2::256B"},
};

struct Item {
  std::string_view words;
  bool optional = false;
};

/// The first item of the pattern, which is cut off it.
Item pop_item(std::string_view& pattern) {
  Item item;
  item.words = pattern.substr(0, pattern.find(' '));
  pattern.remove_prefix(std::min(pattern.size(), item.words.size() + 1));
  if (!item.words.empty() && item.words.back() == '?') {
    item.optional = true;
    item.words.remove_suffix(1);
  }
  return item;
}

std::string_view pop_word(std::string_view& words) {
  const std::string_view word = words.substr(0, words.find('|'));
  words.remove_prefix(std::min(words.size(), word.size() + 1));
  return word;
}

/// Calls visit(word) for each word of an item, sets written out.
template <class Visit>
void for_each_word(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const std::string_view word = pop_word(words);
    const auto set = std::find_if(kSets.begin(), kSets.end(), [word](const Set& one) { return one.name == word; });
    if (set == kSets.end())
      visit(word);
    else
      for_each_word(set->words, visit);
  }
}

bool contains(std::string_view words, std::string_view searched) {
  bool found = false;
  for_each_word(words, [&](std::string_view word) { found |= word == searched; });
  return found;
}

}  // namespace

std::string expand_sets(std::string_view pattern) {
  std::string text;
  while (!pattern.empty()) {
    const Item item = pop_item(pattern);
    std::string words;
    for_each_word(item.words, [&](std::string_view word) { words += (words.empty() ? "" : "|") + std::string(word); });
    text += (text.empty() ? "" : " ") + words + (item.optional ? "?" : "");
  }
  return text;
}

bool allows_words(std::string_view pattern, const std::vector<std::string_view>& words) {
  std::size_t next = 0;
  while (!pattern.empty() && next < words.size())
    if (contains(pop_item(pattern).words, words[next])) ++next;
  return next == words.size();
}

std::vector<std::string_view> words_of(std::string_view pattern) {
  std::vector<std::string_view> words;
  while (!pattern.empty()) for_each_word(pop_item(pattern).words, [&](std::string_view word) { words.push_back(word); });
  return words;
}

bool match_form(std::string_view opcode, std::string_view pattern, const std::vector<std::string_view>& modifiers, Form& form) {
  form = {};
  form.opcode = opcode;
  std::size_t next = 0;
  while (!pattern.empty()) {
    const Item item = pop_item(pattern);
    if (next == modifiers.size() || !contains(item.words, modifiers[next])) {
      if (item.optional) continue;
      return false;
    }
    if (const auto type = type_named(modifiers[next]))
      form.types.push_back(*type);
    else
      form.words.push_back(modifiers[next]);
    ++next;
  }
  return next == modifiers.size();
}

std::vector<std::vector<std::string_view>> expand_pattern(std::string_view pattern) {
  std::vector<std::vector<std::string_view>> forms = {{}};
  while (!pattern.empty()) {
    const Item item = pop_item(pattern);
    std::vector<std::vector<std::string_view>> longer;
    if (item.optional) longer = forms;
    for_each_word(item.words, [&](std::string_view word) {
      for (const auto& form : forms) {
        longer.push_back(form);
        longer.back().push_back(word);
      }
    });
    forms = std::move(longer);
  }
  return forms;
}

}  // namespace wharf::ptx
