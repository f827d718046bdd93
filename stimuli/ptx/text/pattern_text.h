#pragma once
// Patterns of instruction forms for people.

#include <string>
#include <string_view>

namespace wharf::ptx {

/// The pattern with the words of each set in place of the set's name: "rn|rz|rm|rp? ftz? f32" of "RND? ftz? f32".
std::string expand_sets(std::string_view pattern);

}  // namespace wharf::ptx
