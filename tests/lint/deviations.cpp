#include "tests/lint/findings/deviations.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/lint/built_program.h"
#include "tests/lint/findings/docs.h"

using namespace wharf::lint;

namespace {

const SourceFile& page() {
  static const Tree kPage = select(read_project(), {"docs/deviations.md"}, {""});
  REQUIRE(kPage.size() == 1);
  return kPage[0];
}

}  // namespace

TEST_CASE("every departure names what it departs from and its status") {
  CHECK(deviation_findings(page(), read_rules(read_project()), names_of_program()) == Findings{});
}

TEST_CASE("a departure from nothing, without a status or with a column too few is found with its line") {
  const RuleBook book = read_rules({{"docs/rules/common.md", "- **CM-1 Edges.** Text.\n"}});
  const auto found = [&](const std::string& row) {
    return deviation_findings({"d.md", "| rule | as given | here | status |\n|---|---|---|---|\n" + row + "\n"}, book, {"l1.latency"});
  };
  CHECK(found("| CM-1 | a | b | kept: c |") == Findings{});
  CHECK(found("| common section 2 | a | b | open |") == Findings{});
  CHECK(found("| l1.latency | a | b | done: c |") == Findings{});
  CHECK(found("| l1.magic | a | b | kept |") == Findings{"d.md:3: no rule, section or metric: l1.magic"});
  CHECK(found("| nowhere appendix B | a | b | kept |") == Findings{"d.md:3: no rule, section or metric: nowhere appendix B"});
  CHECK(found("| CM-1 | a | b | later |") == Findings{"d.md:3: no status: later"});
  CHECK(found("| CM-1 | a | b | changed by CM-1 |") == Findings{"d.md:3: no status: changed by CM-1"});
  CHECK(found("| CM-1 | a | kept |") == Findings{"d.md:3: 3 columns in place of 4"});
}

TEST_CASE("a wrong key, value, configuration or file in a departure is found with its line") {
  const auto broken = [](const std::string& from, const std::string& to) {
    SourceFile copy = page();
    const std::size_t at = copy.text.find(from);
    REQUIRE(at != std::string::npos);
    copy.text.replace(at, from.size(), to);
    const auto lines = static_cast<std::size_t>(std::count(copy.text.begin(), copy.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    return std::pair{copy, lines + 1};
  };
  const auto expect = [](const std::size_t line, const std::string& what) {
    return Findings{"docs/deviations.md:" + std::to_string(line) + ": " + what};
  };
  const auto [key, key_line] = broken("`l1.age_limit`", "`l1.age_limits`");
  CHECK(name_findings(key, names_of_program()) == expect(key_line, "l1.age_limits is neither a key nor a metric"));
  const auto [value, value_line] = broken("`front_end.kernel_end: ctas_done`", "`front_end.kernel_end: never`");
  CHECK(value_findings(value, values_of_program()) == expect(value_line, "front_end.kernel_end has no value never"));
  const auto [machine, machine_line] = broken("`morpheus/small_queues`", "`morpheus/lost_queues`");
  CHECK(configuration_name_findings(machine, project_configurations()) ==
        expect(machine_line, "there is no configuration morpheus/lost_queues"));
  const auto [file, file_line] = broken("`model/designs/remote_sharing/probe_body.h`", "`model/designs/remote_sharing/probe_corpse.h`");
  CHECK(path_findings(file) == expect(file_line, "there is no model/designs/remote_sharing/probe_corpse.h"));
}
