#include "model/base/text.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace wharf {
namespace {

// A longer name is not a misspelt key, and the table of distances grows with the square of the length.
constexpr std::size_t kLongestName = 80;
constexpr std::size_t kLongestExcerpt = 60;

std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool too_high = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_high ? 0 : length;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > kLongestName) return std::nullopt;
  const std::string meant = folded(name);
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  const std::string* found = nullptr;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), name.size()), shorter = std::min(candidate.size(), name.size());
    if (longer - shorter >= best) continue;
    const std::size_t distance = edit_distance(meant, folded(candidate));
    if (distance >= best) continue;
    best = distance;
    found = &candidate;
  }
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto found = nearest(name, candidates);
  return found ? "; did you mean '" + *found + "'?" : std::string();
}

std::string quote(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "'";
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = sequence_length(text.substr(i));
    if (i + std::max<std::size_t>(length, 1) > kLongestExcerpt) break;
    if (length == 0 || is_control(text[i])) {
      const auto byte = static_cast<unsigned char>(text[i++]);
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 0xF]};
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out + (i < text.size() ? "...'" : "'");
}

std::string join(const std::vector<std::string>& words, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < words.size() && i < most; ++i) out += (i ? ", " : "") + words[i];
  if (words.size() > most) out += " and " + std::to_string(words.size() - most) + " more";
  return out;
}

std::size_t first_unprintable(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = sequence_length(text.substr(i));
    const char c = text[i];
    if (length == 0 || (is_control(c) && c != '\t' && c != '\n' && c != '\r')) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string readable_name(const std::string& kernel) {
  if (kernel.compare(0, 2, "_Z") != 0) return kernel;  // `f` is not the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return kernel;
  std::string name = demangled.get();
  // `void gemm<float>(float const*, int)`: the last bracket that opens on the outermost level begins the parameters, the last blank before
  // the name ends its type.
  int depth = 0;
  std::size_t begin = 0, end = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(' && depth == 0 && name.compare(i, 21, "(anonymous namespace)") != 0) end = i;
    if (name[i] == ' ' && depth == 0 && end == name.size()) begin = i + 1;
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
  }
  return name.substr(begin, end - begin);
}

}  // namespace wharf
