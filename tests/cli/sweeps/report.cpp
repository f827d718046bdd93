#include <catch2/catch.hpp>

#include "platforms/cli/report/report_data.h"
#include "platforms/cli/report/report_page.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

Json run_of(double time_ns, double latency) {
  return {{"time_ns", time_ns}, {"thread_instructions", 1000}, {"ipc", 1000 / time_ns}, {"l1.miss_rate", 0.25}, {"l1.latency", latency}};
}

/// Two configurations, two stimuli: `fast` takes half and an eighth of the time.
Comparison example_group() {
  Comparison group{{"base", "fast"},
                   {"gemm", "atax"},
                   "base",
                   {{"base", "gemm", run_of(100, 80), {}, {}},
                    {"fast", "gemm", run_of(50, 40), {}, {}},
                    {"base", "atax", run_of(800, 100), {}, {}},
                    {"fast", "atax", run_of(100, 200), {}, {}}}};
  group.resolved = {"sms: 28\nl1: {ways: 4, capacity_kib: 16}\n", "sms: 28\nl1: {ways: 8}\n"};
  return group;
}

Json links_table(double first) {
  return {{"columns", {"network", "from", "to", "x0", "y0", "x1", "y1", "flits", "utilisation"}},
          {"rows", {{"request", "0", "1", 0, 0, 1, 0, 500, first}, {"request", "1", "0", 1, 0, 0, 0, 7, 0.25}}}};
}

const Json& bars(const Json& group, const std::string& id) {
  for (const Json& chart : group["bars"])
    if (chart["id"] == id) return chart;
  throw std::out_of_range(id);
}

TEST_CASE("bars hold performance and L1 latency over the baseline, with both means") {
  const Json group = report_data({example_group()})["groups"][0];
  const Json& ipc = bars(group, "ipc");
  CHECK(ipc["values"] == Json({{1.0, 1.0}, {2.0, 8.0}}));
  CHECK(ipc["means"][0] == Json({{"name", "geometric mean"}, {"values", {1.0, 4.0}}}));
  CHECK(ipc["means"][1] == Json({{"name", "arithmetic mean"}, {"values", {1.0, 5.0}}}));
  const Json& latency = bars(group, "l1_latency");
  CHECK(latency["values"] == Json({{1.0, 1.0}, {0.5, 2.0}}));
  CHECK(latency["absolute"] == Json({{80.0, 100.0}, {40.0, 200.0}}));
  CHECK(latency["means"][0]["values"] == Json({1.0, 1.0}));
  CHECK(latency["means"][1]["values"] == Json({1.0, 1.25}));
}

TEST_CASE("rates have the arithmetic mean alone, and what was not measured is null") {
  const Json group = report_data({example_group()})["groups"][0];
  CHECK(bars(group, "miss_rate")["means"] == Json::array({{{"name", "arithmetic mean"}, {"values", {0.25, 0.25}}}}));
  CHECK(bars(group, "replication")["values"] == Json({{nullptr, nullptr}, {nullptr, nullptr}}));
}

TEST_CASE("runs of one machine share the places of their links, and keep thousandths of utilisation") {
  Comparison group = example_group();
  group.outcomes[0].tables = {{"links", links_table(0.5)}};
  group.outcomes[2].tables = {{"links", links_table(0.1234)}};
  const Json data = report_data({group});
  REQUIRE(data["wirings"].size() == 1);
  CHECK(data["wirings"][0]["columns"] == Json({"network", "from", "to", "x0", "y0", "x1", "y1"}));
  CHECK(data["wirings"][0]["rows"][1] == Json({"request", "1", "0", 1, 0, 0, 0}));
  const Json& links = data["groups"][0]["links"];
  CHECK(links[0][0] == Json({{"wiring", 0}, {"thousandths", {500, 250}}}));
  CHECK(links[0][1] == Json({{"wiring", 0}, {"thousandths", {123, 250}}}));
  CHECK(links[1] == Json({nullptr, nullptr}));
}

TEST_CASE("of warps the page has what it draws, and of their interference a list a victim of one an interferer") {
  Comparison group = example_group();
  const Json course = {{"columns", {"thread_instructions", "cycles", "ipc", "vta_hits", "interference", "interference_l1"}},
                       {"rows", {{0, 1000, 12.34567, 7, 70.0, 60.0}}}};
  const Json interference = {{"columns", {"victim", "interferer", "hits"}}, {"rows", {{0, 2, 12345}, {1, 1, 3}}}};
  group.outcomes[1].tables = {{"warps_over_time", course}, {"interference", interference}};
  const Json data = report_data({group})["groups"][0];
  CHECK(data["warps_over_time"][1][0] ==
        Json({{"columns", {"thread_instructions", "ipc", "interference_l1"}}, {"rows", {{0.0, 12.35, 60.0}}}}));
  CHECK(data["interference"] == Json({{nullptr, nullptr}, {{{0, 0, 12345}, {0, 3, 0}, {0, 0, 0}}, nullptr}}));
}

TEST_CASE("of the cycle stack the page has the shares of root causes, with their texts, and of each run its work") {
  Comparison group = example_group();
  group.outcomes[1].run["sm.slots.all"] = 8e6;
  group.outcomes[1].run["warp_instructions"] = 40;
  // Without refusals and queues elsewhere, the requests in a channel's queue wait for that channel.
  group.outcomes[1].tables = {
      {"cycle_stack",
       {{"columns", {"cause", "served_by", "stage", "slots", "share"}},
        {"rows", {{"issued", "", "", 2.0, 0.25}, {"barrier", "", "", 1.0, 0.125}, {"load", "dram", "dram_queue", 5.0, 0.625}}}}}};
  const Json data = report_data({group});
  CHECK(data["groups"][0]["slots"] == Json({{nullptr, nullptr}, {{{"issued", 0.25}, {"dram_queue", 0.625}, {"barrier", 0.125}}, nullptr}}));
  CHECK(data["causes"] == Json({{"dram_queue", "a turn at a DRAM channel: its queue, bank and row"},
                                {"barrier", "other warps at a barrier, or the barrier itself"}}));
  CHECK(data["groups"][0]["work"] == Json({{nullptr, nullptr}, {{{"time_ns", 50.0}, {"warp_instructions", 40.0}}, nullptr}}));
}

TEST_CASE("of parts over time the page has a character a cell, in ninetieths of the largest") {
  Comparison group = example_group();
  group.outcomes[0].tables = {{"parts_over_time", {{"columns", {"cycle", "l2.0", "dram.0"}}, {"rows", {{0, 0, 200}, {1000, 100, 20}}}}}};
  const Json data = report_data({group})["groups"][0];
  CHECK(data["parts_over_time"] ==
        Json({{{{"columns", {"cycle", "l2.0", "dram.0"}}, {"most", 200.0}, {"at", {0, 1000}}, {"rows", {"#}", "P,"}}}, nullptr},
              {nullptr, nullptr}}));
}

TEST_CASE("tables that would make the page too large are left out, the smaller kinds last") {
  Comparison group = example_group();
  Json bandwidth = {{"columns", {"cycle", "l1"}}, {"rows", Json::array()}}, stack = {{"columns", {"loads", "l1"}}, {"rows", Json::array()}};
  bandwidth["rows"].push_back({std::string(9'000'000, '1'), 1.5, 2.5});
  stack["rows"].push_back({10, 30.5});
  for (Outcome& outcome : group.outcomes) outcome.tables = {{"latency_stack", stack}, {"bandwidth", bandwidth}};
  const Json data = report_data({group})["groups"][0];
  CHECK(data["latency_stack"][1][1] == stack);
  CHECK((data["bandwidth"][0][0] == bandwidth));
  CHECK(data["bandwidth"][1][1] == false);
}

TEST_CASE("configurations differ in keys of other values, and in keys that only some have") {
  using Rows = std::vector<std::vector<std::string>>;
  CHECK(configuration_differences(example_group().resolved) == Rows{{"l1.ways", "4", "8"}, {"l1.capacity_kib", "16", ""}});
  CHECK(configuration_differences({"a: [1, 2]\n", "a: [1, 2]\n"}).empty());
  CHECK(configuration_differences({"a: [1, 2]\n", "a: [1, 3]\n"}) == Rows{{"a", "1, 2", "1, 3"}});
}

TEST_CASE("the report escapes names as HTML and as script, and asks for nothing from outside") {
  const std::string hostile = "</script><script>alert('x')</script> & \"y\" {{data}}";
  Comparison group = example_group();
  group.stimuli[0] = group.outcomes[0].stimulus = group.outcomes[1].stimulus = hostile;
  const std::string html = report_html({"A & B " + hostile, "intro", {headline_table(group)}, {}}, {group});
  CHECK(html.find("<script>alert") == std::string::npos);
  CHECK_THAT(html, Contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot; {{data}}"));
  CHECK_THAT(html, Contains("\"\\u003c/script>\\u003cscript>alert('x')\\u003c/script> & \\\"y\\\" {{data}}\""));
  CHECK_THAT(html, Contains("<title>A &amp; B"));
  for (const char* outside : {"<script src", "<link rel=\"stylesheet\"", "@import", "url(http"}) {
    INFO(outside);
    CHECK(html.find(outside) == std::string::npos);
  }
}

TEST_CASE("a page without the charting library says so and how to get it, and one with it does not") {
  const Comparison group = example_group();
  const ReportText text = {"A", "intro", {headline_table(group)}, {}};
  CHECK_THAT(report_html(text, {group}, ""),
             Contains("This report has no charts") && Contains("./wharf setup charts") && Contains("<table>"));
  CHECK_THAT(report_html(text, {group}, "/* library */"),
             !Contains("This report has no charts") && Contains("<script>/* library */</script>"));
}

TEST_CASE("a template is filled once, and an unknown name in it is an error") {
  CHECK(fill_template("<{{a}}|{{b}}>", {{"a", "{{b}}"}, {"b", "x"}}) == "<{{b}}|x>");
  CHECK(fill_template("no {{ end", {}) == "no {{ end");
  CHECK_THROWS_AS(fill_template("{{c}}", {}), std::out_of_range);
}

}  // namespace
}  // namespace wharf::cli
