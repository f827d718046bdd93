#pragma once
// A mistake in PTX text: where it is, what is wrong, and the remedy.

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/error.h"

namespace wharf::ptx {

/// A position in PTX text; both count from 1.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The text of one module with the name that errors give it. It must outlive all views of it.
struct SourceText {
  std::string file;
  std::string text;
  /// Line `number`, counted from 1, without its end; at most 160 characters, printable ASCII.
  std::string line(std::uint32_t number) const;
};

/// Throws InputError: `file:line:column: text; remedy`, followed by the source line.
[[noreturn]] void fail_at(const SourceText& source, Place place, const std::string& text, const std::string& remedy);

/// `text` in single quotes, safe for a terminal: bytes outside printable ASCII become '?', and text over 60 bytes is cut.
std::string quoted(std::string_view text);

}  // namespace wharf::ptx
