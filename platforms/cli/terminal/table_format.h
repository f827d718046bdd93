#pragma once
// --format: tables for people, and for programs.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "platforms/cli/context.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

enum class TableFormat : std::uint8_t { text, csv, json, markdown };

/// All tables of a command as one text:
///   text      as as_text() draws them, each followed by an empty line;
///   csv       a heading and a row a line; of several tables each after a line with its title, and an empty line between them;
///   markdown  a heading with the title, a pipe table, and the note;
///   json      a list of {"title", "note", "columns", "rows"}; a cell is a number where it is one, and null where it is "-" or empty.
std::string as_format(const std::vector<Table>& tables, TableFormat format);

/// A command's tables in the format that the user asks for.
class TableOutput {
 public:
  /// Declares --format; to be called before parsing.
  static void declare(CommandLine& arguments);

  /// Throws InputError for an unknown format.
  TableOutput(const CommandLine& arguments, const Context& context);

  TableFormat format() const { return format_; }
  void print(const std::vector<Table>& tables) const;
  /// The stream for all other output of the command: stdout then has only tables, for a program to read.
  std::ostream& remarks() const;

 private:
  const Context& context_;
  TableFormat format_;
};

}  // namespace wharf::cli
