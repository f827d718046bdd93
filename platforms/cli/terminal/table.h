#pragma once
// A table that prints on a terminal and in the report.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wharf::cli {

struct Table {
  std::string title, note;                     // the note follows the table
  std::vector<std::string> columns;            // the first column holds names, the others figures
  std::vector<std::vector<std::string>> rows;  // each row has one cell per column
  std::size_t mean_rows = 0;                   // number of rows at the end that are set apart
};

/// As text with aligned columns: names left, figures right.
std::string as_text(const Table& table);

/// As a <section>, with all text escaped.
std::string as_html(const Table& table);

/// `text` with the five special characters of HTML replaced.
std::string escape_html(const std::string& text);

/// A cell of a CSV file, quoted where necessary.
std::string csv_cell(const std::string& text);

/// 1234567 -> "1,234,567".
std::string with_commas(std::uint64_t value);

}  // namespace wharf::cli
