#pragma once
// Help for messages to the user: suggests the name that was probably meant, makes foreign text safe to print, and names kernels.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wharf {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `name` (the first of equals), or nothing if none is close enough to be a likely slip: at most one edit per
/// three letters, and at least one. Case is ignored, and `-` equals `_`.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?", or an empty text if no candidate is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// 'text' in quotes for a message: control characters as \xNN, cut after 60 bytes.
std::string quote(std::string_view text);

/// "a, b, c", or the first `most` words and the number of the others.
std::string join(const std::vector<std::string>& words, std::size_t most = 16);

/// Offset of the first byte that is not part of well-formed UTF-8 or is a control character other than tab, line feed
/// and carriage return; npos if there is none.
std::size_t first_unprintable(std::string_view text);

/// A kernel's name as programmers write it: `gemm<float>` of `_Z4gemmIfEvPKT_S2_PS0_i`. A name that is not mangled stays as it is.
std::string readable_name(const std::string& kernel);

}  // namespace wharf
