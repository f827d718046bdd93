#include "tests/lint/findings/rooms.h"

#include <catch2/catch.hpp>

#include "tests/lint/project_tree.h"

using namespace wharf::lint;

namespace {

SourceFile includes(const char* path, const char* header) { return {path, std::string("#include \"") + header + "\"\n"}; }

}  // namespace

TEST_CASE("no room has more than 22 headers and sources") {
  REQUIRE(sources_and_tests().size() > 100);
  CHECK(size_findings(sources_and_tests(), 22) == Findings{});
}

TEST_CASE("a room that is too full is found") {
  const Tree tree = {{"model/l1/a.h", ""}, {"model/l1/b.h", ""}, {"model/l1/more/c.h", ""}, {"model/l2/a.h", ""}};
  CHECK(size_findings(tree, 1) == Findings{"model/l1: 2 files; make rooms in it"});
  CHECK(size_findings(tree, 2) == Findings{});
}

TEST_CASE("rooms beside one another do not include each other in a circle") { CHECK(circle_findings(sources_and_tests()) == Findings{}); }

TEST_CASE("a circle of rooms is found with the includes that make it") {
  CHECK(circle_findings({includes("model/l1/a.h", "model/sm/b.h"),
                         includes("model/sm/b.h", "model/l2/more/c.h"),
                         includes("model/l2/more/c.h", "model/l2/d.h"),
                         includes("model/l2/d.h", "model/l1/e.h"),
                         {"model/l1/e.h", ""}}) ==
        Findings{"model/l1 -> model/sm -> model/l2 -> model/l1: model/l1/a.h includes model/sm/b.h, model/sm/b.h includes "
                 "model/l2/more/c.h, model/l2/d.h includes model/l1/e.h"});
  // Rooms whose names begin with the same letters are different rooms.
  CHECK(circle_findings({includes("model/l1/a.h", "model/l1_sharing/b.h"), includes("model/l1_sharing/b.h", "model/l1/a.h")}) ==
        Findings{"model/l1 -> model/l1_sharing -> model/l1: model/l1/a.h includes model/l1_sharing/b.h, model/l1_sharing/b.h includes "
                 "model/l1/a.h"});
}

TEST_CASE("a room and one inside it may include each other, and so may the layers of the top") {
  CHECK(circle_findings({includes("model/network/a.h", "model/network/crossbar/b.h"),
                         includes("model/network/crossbar/b.h", "model/network/a.h")}) == Findings{});
  CHECK(
      circle_findings({includes("model/l1/a.h", "policies/b/b.h"), includes("policies/b/b.h", "model/base/c.h"), {"model/base/c.h", ""}}) ==
      Findings{});
}
