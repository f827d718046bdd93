#pragma once
// A table that prints on a terminal and in the report, from one description.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wharf::cli {

struct Table {
  std::string title, note;                     // the note stands under the table
  std::vector<std::string> columns;            // the first one holds names, the others hold figures
  std::vector<std::vector<std::string>> rows;  // as many cells as columns
  std::size_t mean_rows = 0;                   // how many rows at the end are set apart
};

/// Columns aligned, names left and figures right.
std::string as_text(const Table& table);

/// A <section>; everything in it is escaped.
std::string as_html(const Table& table);

/// `text` with the five characters that mean something in HTML replaced.
std::string escape_html(const std::string& text);

/// A cell of a CSV file: quoted where it must be.
std::string csv_cell(const std::string& text);

/// 1234567 -> "1,234,567".
std::string with_commas(std::uint64_t value);

}  // namespace wharf::cli
