// docs/results.md as it is read back: sections, commits, counts.

#include "platforms/cli/claims/claim_sections.h"

#include <catch2/catch.hpp>

#include "platforms/cli/claims/claim_summary.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

std::string headline_row(const std::string& id, const std::string& sign, const std::string& size) {
  return "| " + id + " (1) | a \\| b: IPC | +5 % | +4.0 % | all are named | " + sign + " | " + size + " | -1 points |\n";
}

ClaimSection section(const std::string& source, const std::string& commit) {
  ClaimSectionBody body;
  body.measured_by = {"Measured by wharf reproduce with Wharf 0.1.0, commit " + commit + ": 4 claims."};
  body.claims = {{"A", ClaimTable::headline, headline_row("A", "agrees", "agrees"), "- A: ipc.\n"},
                 {"B", ClaimTable::headline, headline_row("B", "agrees", "DISAGREES"), "- B: ipc.\n"},
                 {"C", ClaimTable::mechanism, headline_row("C", "DISAGREES", "-"), "- C: ipc.\n"},
                 {"D", ClaimTable::not_computed, "| D | area | 7 mm2 | headline | cost_model | an area |\n", ""}};
  return {"\n## " + source + "\n", section_text(body)};
}

TEST_CASE("a row's cells are read back, with the bars that they hold") {
  const auto cells = cells_of(headline_row("A", "agrees", "-"));
  REQUIRE(cells.size() == 8);
  CHECK(cells[1] == "a \\| b: IPC");
  CHECK(cells[kSignCell] == kAgrees);
  CHECK(cells[kSizeCell] == "-");
}

TEST_CASE("claims are counted from the rows, by source and tier") {
  const auto counts = counts_of({section("one", "abc")});
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].source == "one");
  CHECK(counts[0].headline.claims == 3);
  CHECK(counts[0].headline.computed == 2);
  CHECK(counts[0].headline.agree_in_sign == 2);
  CHECK(counts[0].headline.sized == 2);
  CHECK(counts[0].headline.agree_in_size == 1);
  CHECK(counts[0].mechanism.computed == 1);
  CHECK(counts[0].mechanism.agree_in_sign == 0);
  CHECK(counts[0].mechanism.sized == 0);
}

TEST_CASE("the summary ends with the sums of all sources") {
  const std::vector<ClaimSection> sections = {section("one", "abc"), section("two", "abc")};
  const std::string text = summary_markdown(sections);
  CHECK_THAT(text, Contains("| one | abc | 2 of 3 (67 %) | 2 of 2 (100 %) | 1 of 2 (50 %) | 1 of 1 (100 %) | 0 of 1 (0 %) | - |"));
  CHECK_THAT(text, Contains("| all |  | 4 of 6 (67 %) | 4 of 4 (100 %) | 2 of 4 (50 %) |"));
  CHECK(summary_json(sections, WithinRange{10, 8, 9})["characteristics"] == Json({{"within", 8}, {"named", 10}}));
  CHECK_FALSE(summary_json(sections, std::nullopt).contains("characteristics"));
}

TEST_CASE("the summary names a source by its own name, not as the document escapes it") {
  const std::vector<ClaimSection> sections = {section("ch9\\_new", "abc")};  // as the document has it
  CHECK(summary_json(sections, std::nullopt)["sources"][0]["source"] == "ch9_new");
  CHECK_THAT(summary_markdown(sections), Contains("| ch9_new | abc |"));
}

TEST_CASE("sections of different commits, and of a program with changes, are marked") {
  CHECK(programs_of(section("one", "abc").text) == std::vector<std::string>{"abc"});
  CHECK(programs_note({section("one", "abc"), section("two", "abc")}).empty());
  CHECK_THAT(programs_note({section("one", "abc"), section("two", "def")}),
             Contains("The sections are of different commits:** one of abc, two of def."));
  CHECK_THAT(programs_note({section("one", "abc+changes")}), Contains("The program had changes that no commit has"));
}

TEST_CASE("a section with tables of another form is known") {
  ClaimSection one = section("one", "abc");
  CHECK(has_present_form(one));
  const std::string column = " size |";
  one.text.erase(one.text.find(column), column.size());
  CHECK_FALSE(has_present_form(one));
}

}  // namespace
}  // namespace wharf::cli
