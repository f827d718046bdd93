#include "stimuli/cuda/compiler/intermediate/memory_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

namespace wharf::cuda {
namespace {

bool begins(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

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

std::optional<MemoryPointer> pointer_in(std::string_view text) {
  MemoryPointer pointer;
  pointer.is_opaque = begins(text, "ptr");
  if (!pointer.is_opaque && !begins(text, "i8")) return std::nullopt;
  text.remove_prefix(pointer.is_opaque ? 3 : 2);
  if (begins(text, " addrspace(")) {
    pointer.space = text.substr(0, text.find(')') + 1);
    text.remove_prefix(pointer.space.size());
  }
  if (!pointer.is_opaque) {
    if (!begins(text, "*")) return std::nullopt;
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
    } else if (begins(word, "dereferenceable") ||
               std::find(std::begin(kAttributes), std::end(kAttributes), word) != std::end(kAttributes)) {
      text.remove_prefix(word.size());
    } else {
      pointer.operand = text;
      return pointer;
    }
  }
  return std::nullopt;
}

/// The operand of a note such as `!dbg !32` behind a call.
std::string_view note_in(std::string_view rest, std::string_view name) {
  const std::size_t at = rest.find(name);
  if (at == std::string_view::npos) return {};
  rest.remove_prefix(at + name.size());
  return rest.substr(0, rest.find_first_of(", "));
}

/// The largest alignment of a place at this offset from one with `alignment`.
std::uint64_t alignment_at(std::uint64_t alignment, std::uint64_t offset) {
  return offset == 0 ? alignment : std::min(alignment, offset & (~offset + 1));
}

}  // namespace

std::optional<MemoryCall> MemoryCall::read(std::string_view line) {
  const std::size_t call = std::min(line.find("call void @llvm.memcpy."), line.find("call void @llvm.memset."));
  if (call == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.find('(', call);
  if (open == std::string_view::npos) return std::nullopt;
  std::string_view rest;
  const std::vector<std::string_view> arguments = arguments_of(line.substr(open + 1), rest);
  if (arguments.size() != 4 || arguments[3] != "i1 false" || !begins(arguments[2], "i64 ")) return std::nullopt;
  const bool fills = begins(line.substr(call), "call void @llvm.memset.");
  const auto bytes = number_in(arguments[2].substr(4));
  const auto to = pointer_in(arguments[0]), from = fills ? to : pointer_in(arguments[1]);
  if (!bytes || !to || !from) return std::nullopt;
  MemoryCall read{*to, *from, *bytes, {}, line.substr(0, line.find_first_not_of(' ')), {}, note_in(rest, "!tbaa.struct ")};
  if (fills) {
    read.byte = arguments[1] == "i8 -1" ? 255 : begins(arguments[1], "i8 ") ? number_in(arguments[1].substr(3)) : std::nullopt;
    if (!read.byte) return std::nullopt;
  }
  const std::string_view debug = note_in(rest, "!dbg ");
  if (const std::size_t at = rest.find(", !dbg "); !debug.empty()) read.location = rest.substr(at, 7 + debug.size());
  return read;
}

std::string ReplacingAccesses::named(const std::string& instruction) {
  std::string name = fmt::format("%{}.{}", names_.prefix, ++names_.count);
  out_ += fmt::format("{}{} = {}{}\n", call_.indent, name, instruction, call_.location);
  return name;
}

/// A typed operand for an access.
std::string ReplacingAccesses::place(const MemoryPointer& pointer, std::uint64_t offset, std::string_view type) {
  const std::string_view space = pointer.space;
  std::string bytes(pointer.operand);
  if (pointer.is_opaque) {
    if (offset != 0) bytes = named(fmt::format("getelementptr inbounds i8, ptr{} {}, i64 {}", space, bytes, offset));
    return fmt::format("ptr{} {}", space, bytes);
  }
  if (offset != 0) bytes = named(fmt::format("getelementptr inbounds i8, i8{}* {}, i64 {}", space, bytes, offset));
  return fmt::format("{}{}* {}", type, space, named(fmt::format("bitcast i8{0}* {1} to {2}{0}*", space, bytes, type)));
}

std::string ReplacingAccesses::load(std::uint64_t offset, std::string_view type) {
  const std::string from = place(call_.from, offset, type);
  return named(fmt::format("load {}, {}, align {}", type, from, alignment_at(call_.from.alignment, offset)));
}

void ReplacingAccesses::store(std::uint64_t offset, std::string_view type, std::string_view value) {
  const std::string to = place(call_.to, offset, type);
  out_ += fmt::format("{}store {} {}, {}, align {}{}\n", call_.indent, type, value, to, alignment_at(call_.to.alignment, offset),
                      call_.location);
}

}  // namespace wharf::cuda
