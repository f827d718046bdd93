// A family to which members can be added: added members are listed with those of the table, and no name occurs twice.

#include <catch2/catch.hpp>

#include "policies/catalogue.h"

namespace wharf {
namespace {

struct Entry {
  const char* name;
  const char* help;
  int value;
};
constexpr Entry kTable[] = {{"one", "first", 1}, {"two", "second", 2}};

}  // namespace

TEST_CASE("a member that is added to a family is listed and found like those of its table") {
  Catalogue<Entry> family("number", kTable);
  family.add({"three", "added", 3});
  CHECK(family.find("three").value == 3);
  CHECK(family.find("one").value == 1);
  REQUIRE(family.names().size() == 3);
  CHECK(family.names()[2].name == "three");
  CHECK(family.names()[2].help == "added");
  CHECK_THROWS_WITH(family.find("four"), "unknown number 'four'; choose one of one, two, three");
}

TEST_CASE("a member that is added takes the arguments it was added with, those of the table take none") {
  Catalogue<Entry> family("number", kTable);
  family.add({"three", "added", 3}, {{"times", "2", 1, 9, "factor"}, {"of", "1", 0, 1, "part"}});
  CHECK(family.find("three:times=4").value == 3);
  CHECK(family.arguments_in("three:times=4")("times") == 4);
  CHECK(family.arguments_in("three")("times") == 2);
  CHECK_THROWS_WITH(family.arguments_in("three:times=10"), "three:times=10: times=10 is out of range; times (factor) may be 1 to 9");
  CHECK_THROWS_WITH(family.arguments_in("two:times=1"), "two:times=1: two takes no arguments; write two");
  CHECK(family.names()[0].arguments.empty());
  CHECK(family.names()[2].arguments.size() == 2);
  CHECK(family.names()[2].help == "added [times=1..9, default 2: factor; of=0..1, default 1: part]");
}

TEST_CASE("a member whose name a family has already is refused and changes nothing") {
  Catalogue<Entry> family("number", kTable);
  CHECK_THROWS_WITH(family.add({"two", "again", 22}), "there is a number 'two' already; give the added one another name");
  CHECK(family.find("two").value == 2);
  CHECK(family.names().size() == 2);
}

}  // namespace wharf
