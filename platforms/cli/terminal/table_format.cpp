#include "platforms/cli/terminal/table_format.h"

#include <fmt/ostream.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::cli {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kFormats = {"text", "csv", "json", "markdown"};

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) row += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
  return row + "\n";
}

std::string as_csv(const Table& table, bool titled) {
  std::string text = titled && !table.title.empty() ? csv_row({table.title}) : "";
  text += csv_row(table.columns);
  for (const auto& row : table.rows) text += csv_row(row);
  return text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) row += c == '|' || c == '\\' ? std::string("\\") + c : c == '\n' ? std::string(" ") : std::string(1, c);
    row += " |";
  }
  return row + "\n";
}

std::string as_markdown(const Table& table) {
  std::string text = table.title.empty() ? "" : "### " + table.title + "\n\n";
  text += markdown_row(table.columns) + "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) text += markdown_row(row);
  return text + (table.note.empty() ? "" : "\n" + table.note + "\n");
}

/// The first column holds names, even where these look like numbers.
Json json_cell(const std::string& text, bool name) {
  if (name) return text;
  if (text.empty() || text == "-") return nullptr;
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::general);
  if (error != std::errc() || stop != end || text.find_first_of("nN") != std::string::npos) return text;
  return Json::parse(text, nullptr, /*allow_exceptions=*/false).is_number() ? Json::parse(text) : Json(number);
}

Json as_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json& cells = rows.emplace_back(Json::array());
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(json_cell(row[i], i == 0));
  }
  return {{"title", table.title}, {"note", table.note}, {"columns", table.columns}, {"rows", rows}};
}

TableFormat parse_format(const std::string& name) {
  for (std::size_t i = 0; i < kFormats.size(); ++i)
    if (kFormats[i] == name) return static_cast<TableFormat>(i);
  throw InputError(fmt::format("--format: {} is not a format{}There are {}", quote(name), suggestion(name, kFormats), join(kFormats)));
}

}  // namespace

std::string as_format(const std::vector<Table>& tables, TableFormat format) {
  if (format == TableFormat::json) {
    Json list = Json::array();
    for (const Table& table : tables) list.push_back(as_json(table));
    return list.dump(2) + "\n";
  }
  std::string text;
  for (const Table& table : tables) {
    if (format == TableFormat::text) {
      text += as_text(table) + "\n";
      continue;
    }
    if (!text.empty()) text += "\n";
    text += format == TableFormat::csv ? as_csv(table, tables.size() > 1) : as_markdown(table);
  }
  return text;
}

void TableOutput::declare(CommandLine& arguments) {
  arguments.value("format", "text|csv|json|markdown", "format of the tables (default text); all other output then goes to stderr");
}

TableOutput::TableOutput(const CommandLine& arguments, const Context& context)
    : context_(context), format_(parse_format(arguments.text("format", "text"))) {}

void TableOutput::print(const std::vector<Table>& tables) const { fmt::print(context_.out, "{}", as_format(tables, format_)); }

std::ostream& TableOutput::remarks() const { return format_ == TableFormat::text ? context_.out : context_.err; }

}  // namespace wharf::cli
