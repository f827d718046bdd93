#include "platforms/cli/terminal/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace wharf::cli {
namespace {

constexpr std::size_t kNoteWidth = 100;

/// Counts characters, not bytes, so that names in other scripts keep the columns aligned.
std::size_t printed_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, printed_width(text)), ' ');
  return left ? text + space : space + text;
}

std::string text_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : "  ") + padded(cells[i], widths[i], i == 0);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

/// Wraps words into lines of at most `width` characters.
std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string out, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line + "\n";
}

std::string html_row(const std::vector<std::string>& cells, const char* figure_tag, const char* attributes) {
  std::string line = fmt::format("<tr{}>", attributes);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == 0) {
      line += fmt::format("<th scope=\"row\">{}</th>", escape_html(cells[i]));
    } else {
      line += fmt::format("<{0}>{1}</{0}>", figure_tag, escape_html(cells[i]));
    }
  }
  return line + "</tr>\n";
}

}  // namespace

std::string as_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(printed_width(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], printed_width(row[i]));
  }
  std::size_t total = 0;
  for (const std::size_t width : widths) total += width + 2;

  std::string text = table.title.empty() ? "" : table.title + "\n\n";
  text += text_row(table.columns, widths);
  text += std::string(total - 2, '-') + "\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.mean_rows > 0 && i == table.rows.size() - table.mean_rows) text += std::string(total - 2, '-') + "\n";
    text += text_row(table.rows[i], widths);
  }
  return text + (table.note.empty() ? "" : "\n" + wrapped(table.note, kNoteWidth));
}

std::string as_html(const Table& table) {
  std::string html =
      fmt::format("<section>\n<h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n", escape_html(table.title));
  html += "<tr>";
  for (const std::string& column : table.columns) html += fmt::format("<th scope=\"col\">{}</th>", escape_html(column));
  html += "</tr>\n</thead>\n<tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    html += html_row(table.rows[i], "td", i + table.mean_rows >= table.rows.size() ? " class=\"mean\"" : "");
  }
  html += "</tbody>\n</table></div>\n";
  if (!table.note.empty()) html += fmt::format("<p>{}</p>\n", escape_html(table.note));
  return html + "</section>\n";
}

std::string escape_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string with_commas(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace wharf::cli
