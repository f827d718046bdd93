#pragma once
// The form of an instruction: its opcode with the modifiers and types that select one row of the instruction table.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "stimuli/ptx/text/types.h"

namespace wharf::ptx {

struct Form {
  std::string_view opcode;
  std::vector<std::string_view> words;  // all modifiers but the types, in order
  std::vector<Type> types;              // in order

  bool has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }
  /// Type `index`; none where the form has fewer.
  Type type(std::size_t index = 0) const { return index < types.size() ? types[index] : Type::none; }
};

/// Matches the modifiers of an instruction against a pattern, such as "RND? ftz? sat? f32".
///
/// A pattern is a list of items with blanks between them. An item is a list of words separated by `|`, one of which must follow; with `?`
/// behind it, it may be absent. Names in capitals stand for lists: INT (u16 to s64), BITS (b16, b32, b64), RND (rn rz rm rp), and others
/// (form.cpp). Returns false where the modifiers do not match; `form` then has no meaning.
bool match_form(std::string_view opcode, std::string_view pattern, const std::vector<std::string_view>& modifiers, Form& form);

/// All sequences of modifiers that a pattern matches: the test matrix of a row.
std::vector<std::vector<std::string_view>> expand_pattern(std::string_view pattern);

}  // namespace wharf::ptx
