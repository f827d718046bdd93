#include "tests/lint/findings/house_rules.h"

#include <catch2/catch.hpp>

#include "tests/lint/project_tree.h"

using namespace wharf::lint;

namespace {

Tree sources() { return select(project(), {"model/", "policies/", "stimuli/", "platforms/"}, {".h", ".cpp"}); }

}  // namespace

TEST_CASE("the project is read") {
  CHECK(project().size() > 200);
  CHECK(select(project(), {"tests/data/"}, {""}).empty());
  CHECK(select(project(), {"README.md"}, {""}).size() == 1);
}

TEST_CASE("code is what is left without comments and quotes") {
  CHECK(code_of("a; // b\nc /* d\ne */ f") == "a;     \nc     \n     f");
  CHECK(code_of("x = \"// no\\\" comment\"; y") == "x = \"               \"; y");
  CHECK(code_of("n = 10'000; c = '\"'; d") == "n = 10'000; c = ' '; d");
  CHECK(code_of("R\"(std::map)\" m") == "              m");
}

TEST_CASE("TLM phases are spoken in the links and watched in the monitors only") {
  CHECK(each(sources(), phase_findings) == Findings{});
  CHECK(phase_findings({"model/l1/x.cpp", "// BEGIN_REQ\nphase = tlm::BEGIN_REQ;\n"}) ==
        Findings{"model/l1/x.cpp:2: BEGIN_REQ; links are spoken in model/tlm only"});
  CHECK(phase_findings({"platforms/x.cpp", "return tlm::TLM_COMPLETED;"}).size() == 1);
  CHECK(phase_findings({"model/tlm/x.h", "phase = tlm::BEGIN_REQ;"}).empty());
  CHECK(phase_findings({"platforms/x.h", "socket->b_transport(t, d);"}).size() == 1);
  CHECK(phase_findings({"platforms/virtual/x.h", "socket->b_transport(t, d);"}).empty());
  CHECK(phase_findings({"platforms/virtual/x.h", "phase = tlm::BEGIN_REQ;"}).size() == 1);
}

TEST_CASE("the model has no threads and no stock event queues") {
  CHECK(each(sources(), process_findings) == Findings{});
  CHECK(process_findings({"model/sm/x.h", "\nSC_THREAD(run);"}) ==
        Findings{"model/sm/x.h:2: SC_THREAD; blocks register with a ClockDomain and use the ports of model/tlm"});
  CHECK(process_findings({"model/sm/x.h", "tlm_utils::peq_with_get<Payload> queue;"}).size() == 1);
  CHECK(process_findings({"platforms/virtual/x.h", "SC_THREAD(run);"}).empty());
}

TEST_CASE("no file but a network's own asks for a topology by name") {
  CHECK(each(sources(), network_name_findings) == Findings{});
  const char* const asked = "\nif (params.topology == \"mesh\") return 1;\n";
  CHECK(network_name_findings({"model/network/x.cpp", asked}) ==
        Findings{"model/network/x.cpp:2: a network by its name; ask its entry (model/network/network_catalogue.h)"});
  CHECK(network_name_findings({"platforms/measure/x.h", "b = topology != \"rate\";"}).size() == 1);
  CHECK(network_name_findings({"model/network/routed/mesh_entry.cpp", asked}).empty());
}

TEST_CASE("the hot path has no node-based container and no dynamic_cast") {
  CHECK(each(sources(), [](const SourceFile& file) { return hot_path_findings(file, hot_path_exceptions()); }) == Findings{});
  const SourceFile bad = {"model/l2/x.h", "std::map<int, int> m;\nauto* p = dynamic_cast<X*>(q);\n"};
  CHECK(hot_path_findings(bad, {}) == Findings{"model/l2/x.h:1: std::map in the hot path; see model/cache/slot_index.h, rings, masks",
                                               "model/l2/x.h:2: dynamic_cast in the hot path; see model/cache/slot_index.h, rings, masks"});
  CHECK(hot_path_findings(bad, {{"model/l2/x.h", "std::map", "made up"}}).size() == 1);
  CHECK(hot_path_findings({"model/base/config/x.h", "std::map<int, int> m;"}, {}).empty());
}

TEST_CASE("every exception of the hot path is still needed") {
  for (const Exception& exception : hot_path_exceptions()) {
    INFO(exception.path << ' ' << exception.word);
    const Tree file = select(sources(), {exception.path}, {""});
    REQUIRE(file.size() == 1);
    CHECK_FALSE(hot_path_findings(file[0], {}).empty());
  }
}

TEST_CASE("files and functions are short") {
  CHECK(each(sources_and_tests(), length_findings) == Findings{});
  std::string long_file;
  for (std::size_t i = 0; i <= kMostLinesOfFile; ++i) long_file += "// line\n";
  CHECK(length_findings({"a.h", long_file}) == Findings{"a.h:451: the file is longer than 450 lines"});
  std::string body;
  for (std::size_t i = 0; i < kMostLinesOfFunction - 1; ++i) body += "  step();\n";
  CHECK(length_findings({"a.cpp", "namespace a {\n\nint f(int x,\n      int y) {\n" + body + "}\n\n}\n"}) ==
        Findings{"a.cpp:3: the function is longer than 70 lines"});
  CHECK(length_findings({"a.cpp", "constexpr int kTable[f(3)] = {\n" + body + body + "};\n"}) == Findings{});
}

TEST_CASE("nothing unfinished, no folder of one machine and no tab is left behind") {
  CHECK(each(project(), leftover_findings) == Findings{});
  const std::string mark = std::string("TO") + "DO", folder = std::string("/ho") + "me/";
  CHECK(leftover_findings({"a.md", "fine\n" + mark + ": more\n"}) == Findings{"a.md:2: '" + mark + "' is left behind"});
  CHECK(leftover_findings({"a.cpp", "open(\"" + folder + "x\")"}) == Findings{"a.cpp:1: names " + folder + ", a folder of one machine"});
  CHECK(leftover_findings({"a.cpp", "a\n\tb"}) == Findings{"a.cpp:2: a tab; indent with blanks"});
  CHECK(leftover_findings({"a.cpp", "a \nb"}) == Findings{"a.cpp:1: blanks at the end"});
}

TEST_CASE("every header is included once and says what it is") {
  CHECK(each(sources_and_tests(), header_findings) == Findings{});
  CHECK(header_findings({"a.h", "// What it is.\n#pragma once\n"}) == Findings{"a.h:1: the first line is not #pragma once"});
  CHECK(header_findings({"a.h", "#pragma once\n\n#include <a>\n"}) == Findings{"a.h:2: no comment says what this header is"});
  CHECK(header_findings({"a.h", "#pragma once\n// What it is.\n"}).empty());
  CHECK(header_findings({"platforms/memory/wharf_memory.h", "#ifndef A\n#define A\n/* What it is. */\n"}).empty());
  CHECK(header_findings({"platforms/memory/wharf_memory.h", "#pragma once\n// What it is.\n"}) ==
        Findings{"platforms/memory/wharf_memory.h:1: no include guard, or no comment below it says what this header is"});
}

TEST_CASE("every configuration and every sweep has a description") {
  CHECK(each(project(), configuration_findings) == Findings{});
  CHECK(select(project(), {"platforms/configs/"}, {".yaml"}).size() >= 8);
  CHECK(configuration_findings({"platforms/designs/d/sweeps/a.yaml", "configs: private\n"}) ==
        Findings{"platforms/designs/d/sweeps/a.yaml:1: has no description"});
  CHECK(configuration_findings({"platforms/designs/d/configs/a.yaml", "extends: private\n"}) ==
        Findings{"platforms/designs/d/configs/a.yaml:1: has no description"});
  CHECK(configuration_findings({"platforms/designs/d/configs/a.yaml", "description: todo\n"}).size() == 1);
  CHECK(configuration_findings({"platforms/configs/a.txt", ""}) == Findings{"platforms/configs/a.txt:1: is no YAML file"});
}

TEST_CASE("every value of the Volta configuration cites its origin or is a choice with a reason") {
  const Tree volta = select(project(), {"platforms/configs/gpus/volta_qv100.yaml"}, {""});
  REQUIRE(volta.size() == 1);
  CHECK(citation_findings(volta[0]) == Findings{});
  CHECK(
      citation_findings(
          {"a.yaml", "description: x\nsms: 80   # n_clusters\nl1: # dl1\n  ways: 4\n  deep:\n    banks: 2\nl2:\n  ways: 8\nend: 1 #\n"}) ==
      Findings{"a.yaml:8: ways: 8 cites nothing", "a.yaml:9: end: 1 cites nothing"});
}

TEST_CASE("names are those of the glossary") {
  CHECK(each(sources(), naming_findings) == Findings{});
  CHECK(naming_findings({"model/sm/x.h", "class ShaderCore;\n"}) == Findings{"model/sm/x.h:1: shader is not a name of this project"});
}

TEST_CASE("every test can be asked for by its name") {
  CHECK(each(sources_and_tests(), test_name_findings) == Findings{});
  const std::string quoted = "(\"--sample draws\") {\n";
  CHECK(test_name_findings({"tests/a.cpp", "\nTEST_CASE" + quoted}) ==
        Findings{"tests/a.cpp:2: CTest cannot ask for a test with this first character"});
}
