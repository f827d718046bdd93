#pragma once
// Patterns of instruction forms for people.

#include <string>
#include <string_view>
#include <vector>

namespace wharf::ptx {

/// The pattern with the words of each set in place of the set's name: "rn|rz|rm|rp? ftz? f32" of "RND? ftz? f32".
std::string expand_sets(std::string_view pattern);

/// True where some form of the pattern has these words in this order, possibly with others between them.
bool allows_words(std::string_view pattern, const std::vector<std::string_view>& words);

/// All words of the pattern, in order, those of sets included.
std::vector<std::string_view> words_of(std::string_view pattern);

}  // namespace wharf::ptx
