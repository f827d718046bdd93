#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "model/base/config/binder.h"

using wharf::config::name_of;
using wharf::config::Unit;

TEST_CASE("every unit but none has a name of its own") {
  std::set<std::string> names;
  int count = 0;
  for (int unit = static_cast<int>(Unit::none); unit <= static_cast<int>(Unit::registers); ++unit, ++count)
    names.insert(name_of(static_cast<Unit>(unit)));
  CHECK(names.size() == static_cast<std::size_t>(count));
  CHECK(std::string(name_of(Unit::none)).empty());
  CHECK(std::string(name_of(Unit::mhz)) == "MHz");
}
