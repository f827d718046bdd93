// A family that can be added to: what is added stands beside the members of the table, and no name stands twice.

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

TEST_CASE("a member whose name a family has already is refused and changes nothing") {
  Catalogue<Entry> family("number", kTable);
  CHECK_THROWS_WITH(family.add({"two", "again", 22}), "there is a number 'two' already; give the one that is added another name");
  CHECK(family.find("two").value == 2);
  CHECK(family.names().size() == 2);
}

}  // namespace wharf
