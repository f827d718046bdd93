#include "tests/lint/findings/docs.h"

#include <catch2/catch.hpp>

#include "tests/lint/built_program.h"
#include "tests/lint/findings/house_rules.h"
#include "tests/lint/project_tree.h"

using namespace wharf::lint;

namespace {

Tree documents() { return select(project(), {""}, {".md"}); }

std::string help_of(const std::string& command) {
  if (command == "setup" || command == "docs" || command == "help") return command;  // commands of the wrapper, and the list of commands
  if (command == "test")
    return "test --sanitize --soak --configs --keys --accesses --of-a-run --fuzz --seconds --mutate --sample --seed --jobs --again --report";
  return command.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos ? output_of(command + " --help") : "";
}

}  // namespace

TEST_CASE("the documents of the project exist") {
  std::set<std::string> paths;
  for (const SourceFile& document : documents()) paths.insert(document.path);
  for (const char* path : {"README.md", "docs/walk.md", "docs/glossary.md", "docs/decisions.md", "docs/validation.md"}) {
    INFO(path);
    CHECK(paths.count(path) == 1);
  }
}

TEST_CASE("every function that a document names exists") {
  const Tree walk = select(documents(), {"docs/walk.md"}, {""});
  REQUIRE(walk.size() == 1);
  CHECK(function_references(walk[0]) >= 40);
  CHECK(each(documents(), [](const SourceFile& document) { return function_findings(document, project()); }) == Findings{});
}

TEST_CASE("a function or a file that does not exist is found") {
  const Tree tree = {{"model/a/a.cpp", "// B::gone()\nvoid A::there(int x) {}\n"},
                     {"model/a/a.h", "class A {\n  int inside() { return 1; }\n};\n"}};
  const auto found = [&](const std::string& text) { return function_findings({"d.md", text}, tree); };
  CHECK(found("`model/a/a.cpp:A::there`, then `model/a/a.h:A::inside`") == Findings{});
  CHECK(found("\n`model/a/a.cpp:A::gone`") == Findings{"d.md:2: model/a/a.cpp has no A::gone"});
  CHECK(found("`model/a/a.cpp:B::gone`") == Findings{"d.md:1: model/a/a.cpp has no B::gone"});
  CHECK(found("`model/a/a.h:B::inside`") == Findings{"d.md:1: model/a/a.h has no B::inside"});
  CHECK(found("`model/a/b.cpp:A::there`") == Findings{"d.md:1: there is no file model/a/b.cpp"});
}

TEST_CASE("every path in a document exists") {
  CHECK(each(documents(), path_findings) == Findings{});
  CHECK(path_findings({"docs/d.md", "see `model/base/types.h` and [walk](walk.md)"}) == Findings{});
  CHECK(path_findings({"docs/d.md", "`model/base/none.h`"}) == Findings{"docs/d.md:1: there is no model/base/none.h"});
  CHECK(path_findings({"docs/d.md", "[text](gone.md)"}) == Findings{"docs/d.md:1: there is no gone.md"});
}

TEST_CASE("every key and metric in a document exists") {
  const std::set<std::string>& names = names_of_program();
  REQUIRE(names.count("l1.miss_rate") == 1);
  REQUIRE(names.count("l2.access_cycles") == 1);
  CHECK(each(documents(), [&](const SourceFile& document) { return name_findings(document, names); }) == Findings{});
  CHECK(name_findings({"d.md", "`l1.miss_rate` `l1.magic` `result.json`"}, names) ==
        Findings{"d.md:1: l1.magic is neither a key nor a metric"});
}

TEST_CASE("every value, configuration and workload in a document exists") {
  REQUIRE(values_of_program().at("front_end.kernel_end") == std::set<std::string>{"drained", "ctas_done"});
  REQUIRE(workloads_of_program().count("gemm") == 1);
  CHECK(each(documents(), [](const SourceFile& document) { return value_findings(document, values_of_program()); }) == Findings{});
  const std::set<std::string> configurations = project_configurations();
  CHECK(each(documents(), [&](const SourceFile& document) { return configuration_name_findings(document, configurations); }) == Findings{});
  CHECK(each(documents(), [](const SourceFile& document) { return workload_findings(document, workloads_of_program()); }) == Findings{});
}

TEST_CASE("a value, a configuration or a workload that does not exist is found") {
  CHECK(value_findings({"d.md", "`a.b: x`\n`a.b: z`, `a.c: z`"}, {{"a.b", {"x", "y"}}}) == Findings{"d.md:2: a.b has no value z"});
  CHECK(configuration_name_findings({"d.md", "`gpus/big` `a/b`\n`gpus/small`"}, {"gpus/big"}) ==
        Findings{"d.md:2: there is no configuration gpus/small"});
  CHECK(workload_findings({"d.md", "`gemm@std`, `design@gpu`, `ata@80sm_xbar`\n`gem@std`"}, {"gemm"}) ==
        Findings{"d.md:2: there is no workload gem"});
}

TEST_CASE("every command and option in a document exists") {
  CHECK(each(documents(), [](const SourceFile& document) { return command_findings(document, help_of); }) == Findings{});
  CHECK(command_findings({"d.md", "    ./wharf run private --stimulus x --fast   # --no option\n"}, help_of) ==
        Findings{"d.md:1: run has no option --fast"});
  CHECK(command_findings({"d.md", "\n    ./wharf fly\n"}, help_of) == Findings{"d.md:2: there is no command fly"});
}
