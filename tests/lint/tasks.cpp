#include "tests/lint/findings/tasks.h"

#include <catch2/catch.hpp>

using namespace wharf::lint;

TEST_CASE("a change that docs/tasks.md describes touches the files that it names, and no other") {
  const Tree project = read_project();
  const Tree page = select(project, {"docs/tasks.md"}, {""});
  REQUIRE(page.size() == 1);
  CHECK(task_findings(page[0], select(project, {"model/", "policies/", "platforms/", "stimuli/"}, {".h", ".cpp"})) == Findings{});
}

TEST_CASE("a file that a change touches and its page does not name is found, and so is one that it names in vain") {
  const Tree sources = {{"model/a.cpp", "make<Node>();\n"}, {"model/b.cpp", "make<Node>();\n"}, {"model/c.cpp", ""}};
  const auto found = [&](const std::string& rows) { return task_findings({"docs/tasks.md", "| name | in |\n|---|---|\n" + rows}, sources); };
  CHECK(found("| `make<Node>` | `model/a.cpp`, `model/b.cpp` |\n") == Findings{});
  CHECK(found("| `make<Node>` | `model/a.cpp`, `model/c.cpp` |\n") ==
        Findings{"docs/tasks.md:3: model/b.cpp has make<Node> too", "docs/tasks.md:3: model/c.cpp has no make<Node>"});
  CHECK(found("") == Findings{"docs/tasks.md:1: no row names a file"});
}
