#include "stimuli/cuda/compiler/wide_copies.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace wharf::cuda {
namespace {

constexpr std::uint64_t kWidest = 16, kMostBytes = 512;
constexpr std::uint64_t kMostByClang = 128;  // clang makes a loop of larger ones

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Splits the arguments of a call, which begin behind its opening parenthesis. `rest` is then what follows the closing one.
std::vector<std::string_view> arguments_of(std::string_view text, std::string_view& rest) {
  std::vector<std::string_view> arguments;
  std::size_t first = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    const bool ends = depth == 0 && (c == ',' || c == ')');
    if (ends) {
      arguments.push_back(text.substr(first, i - first));
      first = std::min(i + 2, text.size());  // behind ", "
    }
    if (ends && c == ')') {
      rest = text.substr(i + 1);
      return arguments;
    }
    if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
  }
  return {};
}

/// A pointer among the arguments of a call, such as `i8 addrspace(3)* nonnull align 16 dereferenceable(16) %5` or `ptr align 16 %5`.
struct Pointer {
  std::string_view space;    // such as " addrspace(3)"
  std::string_view operand;  // such as "%5"
  std::uint64_t alignment = 1;
  bool is_opaque = false;

  static std::optional<Pointer> read(std::string_view text) {
    Pointer pointer;
    pointer.is_opaque = text.rfind("ptr", 0) == 0;
    if (!pointer.is_opaque && text.rfind("i8", 0) != 0) return std::nullopt;
    text.remove_prefix(pointer.is_opaque ? 3 : 2);
    if (text.rfind(" addrspace(", 0) == 0) {
      const std::size_t end = text.find(')') + 1;
      pointer.space = text.substr(0, end);
      text.remove_prefix(end);
    }
    if (!pointer.is_opaque) {
      if (text.empty() || text[0] != '*') return std::nullopt;
      text.remove_prefix(1);
    }
    static constexpr std::string_view kAttributes[] = {"noundef", "nonnull", "noalias", "nocapture", "readonly", "writeonly", "readnone"};
    while (text.size() > 1 && text[0] == ' ') {
      text.remove_prefix(1);
      const std::string_view word = text.substr(0, text.find(' '));
      if (word == "align") {
        text.remove_prefix(word.size() + 1);
        const std::string_view value = text.substr(0, text.find(' '));
        pointer.alignment = number_in(value).value_or(1);
        text.remove_prefix(value.size());
      } else if (word.rfind("dereferenceable", 0) == 0 ||
                 std::find(std::begin(kAttributes), std::end(kAttributes), word) != std::end(kAttributes)) {
        text.remove_prefix(word.size());
      } else {
        pointer.operand = text;
        return pointer;
      }
    }
    return std::nullopt;
  }
};

/// Writes the accesses that replace one call.
class Accesses {
 public:
  Accesses(std::string& out, std::string_view indent, std::string_view location, unsigned& names)
      : out_(out), indent_(indent), location_(location), names_(names) {}

  std::string address(const Pointer& pointer, std::uint64_t offset) {
    std::string bytes(pointer.operand);
    if (offset != 0)
      bytes = named(pointer.is_opaque ? fmt::format("getelementptr i8, ptr{0} {1}, i64 {2}", pointer.space, bytes, offset)
                                      : fmt::format("getelementptr i8, i8{0}* {1}, i64 {2}", pointer.space, bytes, offset));
    return bytes;
  }
  std::string place(const Pointer& pointer, std::uint64_t offset, std::string_view type) {
    const std::string bytes = address(pointer, offset);
    if (pointer.is_opaque) return fmt::format("ptr{} {}", pointer.space, bytes);
    const std::string wide = named(fmt::format("bitcast i8{0}* {1} to {2}{0}*", pointer.space, bytes, type));
    return fmt::format("{}{}* {}", type, pointer.space, wide);
  }
  std::string load(const Pointer& from, std::uint64_t offset, std::string_view type, std::uint64_t width) {
    const std::string from_place = place(from, offset, type);
    return named(fmt::format("load {}, {}, align {}", type, from_place, width));
  }
  void store(const Pointer& to, std::uint64_t offset, std::string_view type, std::uint64_t width, std::string_view value) {
    const std::string to_place = place(to, offset, type);
    out_ += fmt::format("{}store {} {}, {}, align {}{}\n", indent_, type, value, to_place, width, location_);
  }

 private:
  std::string named(const std::string& instruction) {
    std::string name = fmt::format("%wide_copy.{}", ++names_);
    out_ += fmt::format("{}{} = {}{}\n", indent_, name, instruction, location_);
    return name;
  }

  std::string& out_;
  std::string_view indent_, location_;
  unsigned& names_;
};

std::string_view type_of(std::uint64_t width) {
  return width == 16 ? "<4 x i32>" : width == 8 ? "i64" : width == 4 ? "i32" : width == 2 ? "i16" : "i8";
}

/// The value whose bytes are all `byte`.
std::string filled(std::uint64_t width, std::uint64_t byte) {
  const std::uint64_t value = byte * (width == 16 ? 0x0101'0101 : ~std::uint64_t{0} / 255 >> (64 - 8 * width));
  return width == 16 ? fmt::format("<i32 {0}, i32 {0}, i32 {0}, i32 {0}>", value) : fmt::format("{}", value);
}

/// Replaces the call in the line. Returns false if it stays.
bool replace(std::string_view line, std::string& out, unsigned& names) {
  const std::size_t call = std::min(line.find("call void @llvm.memcpy."), line.find("call void @llvm.memset."));
  if (call == std::string_view::npos || line.find_first_not_of(' ') == std::string_view::npos) return false;
  const bool fills = line.compare(call, 23, "call void @llvm.memset.") == 0;
  const std::size_t open = line.find('(', call);
  if (open == std::string_view::npos) return false;
  std::string_view rest;
  const std::vector<std::string_view> arguments = arguments_of(line.substr(open + 1), rest);
  if (arguments.size() != 4 || arguments[3] != "i1 false" || arguments[2].rfind("i64 ", 0) != 0) return false;
  const std::optional<std::uint64_t> bytes = number_in(arguments[2].substr(4));
  const std::optional<Pointer> to = Pointer::read(arguments[0]), from = fills ? to : Pointer::read(arguments[1]);
  std::optional<std::uint64_t> byte = 0;
  if (fills) byte = arguments[1].rfind("i8 ", 0) != 0 ? std::nullopt : number_in(arguments[1].substr(3));
  if (fills && arguments[1] == "i8 -1") byte = 255;
  if (!bytes || !to || !from || !byte || *bytes > kMostBytes) return false;
  const std::uint64_t widest = std::min({kWidest, to->alignment, from->alignment});
  if (*bytes <= kMostByClang && (widest < kWidest || *bytes < kWidest)) return false;

  const std::size_t location = rest.find(", !dbg ");
  const std::string_view kept =
      location == std::string_view::npos ? std::string_view() : rest.substr(location, rest.find_first_of(", ", location + 7) - location);
  Accesses accesses(out, line.substr(0, line.find_first_not_of(' ')), kept, names);
  std::uint64_t width = widest;
  for (std::uint64_t offset = 0; offset < *bytes; offset += width) {
    while (width > *bytes - offset) width /= 2;
    const std::string_view type = type_of(width);
    accesses.store(*to, offset, type, width, fills ? filled(width, *byte) : accesses.load(*from, offset, type, width));
  }
  return true;
}

}  // namespace

std::string with_wide_copies(const std::string& module) {
  std::string out;
  out.reserve(module.size() + module.size() / 16);
  unsigned names = 0;
  std::istringstream lines(module);
  for (std::string line; std::getline(lines, line);)
    if (!replace(line, out, names)) out += line + '\n';
  return out;
}

}  // namespace wharf::cuda
