#include "stimuli/cuda/modules/kernel_signature.h"

#include <cctype>
#include <charconv>

namespace wharf::cuda {
namespace {

constexpr std::uint64_t kMostParameterBytes = 32764;  // of sm_70 and later

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.'; }

/// The next word (a directive, name or number) or single character; comments and blanks are passed over. Empty at the end.
std::string_view next_token(std::string_view& text) {
  for (;;) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    const std::string_view head = text.substr(0, 2);
    if (head != "//" && head != "/*") break;
    const std::size_t end = text.find(head == "//" ? "\n" : "*/");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + head.size() - (head == "//" ? 1 : 0));
  }
  std::size_t size = 0;
  while (size < text.size() && is_name(text[size])) ++size;
  const std::string_view token = text.substr(0, size == 0 ? std::min<std::size_t>(1, text.size()) : size);
  text.remove_prefix(token.size());
  return token;
}

bool number(std::string_view token, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size();
}

/// Bytes of `.u32`, `.f64`, `.b8`; 0 for what is no type.
std::uint64_t bytes_of_type(std::string_view token) {
  if (token.size() < 3 || token[0] != '.' || (token[1] != 'u' && token[1] != 's' && token[1] != 'f' && token[1] != 'b')) return 0;
  std::uint64_t bits = 0;
  if (!number(token.substr(2), bits) || (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128)) return 0;
  return bits / 8;
}

/// Moves behind the name of the next `.entry`; returns the name, empty where there is none.
std::string_view next_entry(std::string_view& text) {
  constexpr std::string_view kEntry = ".entry";
  for (;;) {
    const std::size_t found = text.find(kEntry);
    if (found == std::string_view::npos) return {};
    text.remove_prefix(found + kEntry.size());
    if (!text.empty() && !is_name(text.front())) return next_token(text);
  }
}

struct Parameter {
  std::uint64_t bytes = 0, alignment = 0;
};

/// Reads `.param [.align A] .type name [\[N\]]`, and attributes such as `.ptr .global .align 4` of a pointer, which say nothing of the
/// parameter itself. `token` is the one behind it.
bool read_parameter(std::string_view& text, std::string_view& token, Parameter& parameter) {
  bool pointer = false;
  for (; !token.empty() && token != "," && token != ")"; token = next_token(text)) {
    if (token == ".ptr") {
      pointer = true;
    } else if (token == ".align") {
      std::uint64_t alignment = 0;
      if (!number(next_token(text), alignment)) return false;
      if (!pointer) parameter.alignment = alignment;
    } else if (token == "[") {
      std::uint64_t count = 0;
      if (!number(next_token(text), count) || count > kMostParameterBytes || next_token(text) != "]") return false;
      parameter.bytes *= count;
    } else if (parameter.bytes == 0) {
      parameter.bytes = bytes_of_type(token);
    }
  }
  if (parameter.alignment == 0) parameter.alignment = parameter.bytes;
  const bool power_of_two = parameter.alignment != 0 && (parameter.alignment & (parameter.alignment - 1)) == 0;
  return parameter.bytes != 0 && power_of_two && parameter.alignment <= kMostParameterBytes;
}

}  // namespace

std::vector<std::string> kernels_of(std::string_view ptx) {
  std::vector<std::string> kernels;
  for (std::string_view name = next_entry(ptx); !name.empty(); name = next_entry(ptx)) kernels.emplace_back(name);
  return kernels;
}

bool read_signature(std::string_view ptx, std::string_view kernel, KernelDescription& description) {
  for (std::string_view name = next_entry(ptx); name != kernel; name = next_entry(ptx))
    if (name.empty()) return false;
  description.parameters.clear();
  description.parameter_bytes = 0;
  std::string_view token = next_token(ptx);
  if (token != "(") return true;  // no parameters
  token = next_token(ptx);
  while (token != ")") {
    Parameter parameter;
    if (!read_parameter(ptx, token, parameter) || token.empty()) return false;
    const std::uint64_t offset = (description.parameter_bytes + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    if (offset + parameter.bytes > kMostParameterBytes) return false;
    description.parameters.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(parameter.bytes)});
    description.parameter_bytes = static_cast<std::uint32_t>(offset + parameter.bytes);
    if (token == ",") token = next_token(ptx);
  }
  return true;
}

}  // namespace wharf::cuda
