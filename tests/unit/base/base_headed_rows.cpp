// Rows of a header and its elements, and arrays of objects that cannot move.

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/host/fixed_array.h"
#include "model/base/host/headed_rows.h"

using namespace wharf;

namespace {

struct Header {
  std::uint32_t count;
  std::uint32_t first;
};

// Records its construction and destruction. Can be neither moved nor copied.
struct Stays {
  Stays(std::vector<std::string>& log, const std::string& name) : log(log), name(name) { log.push_back("+" + name); }
  Stays(const Stays&) = delete;
  Stays& operator=(const Stays&) = delete;
  ~Stays() { log.push_back("-" + name); }
  std::vector<std::string>& log;
  std::string name;
};

}  // namespace

TEST_CASE("headed rows begin zeroed, and keep what is written to header and elements apart") {
  HeadedRows<Header, std::uint64_t> rows(3, 9);
  REQUIRE(rows.size() == 3);
  for (unsigned row = 0; row < 3; ++row) {
    CHECK(reinterpret_cast<std::uintptr_t>(&rows[row]) % alignof(std::uint64_t) == 0);
    CHECK(rows[row].count == 0);
    rows[row] = {row, row + 10};
    for (unsigned i = 0; i < 9; ++i) {
      CHECK(rows.elements_of(rows[row])[i] == 0);
      rows.elements_of(rows[row])[i] = row * 100 + i;
    }
  }
  for (unsigned row = 0; row < 3; ++row) {
    CHECK(rows[row].count == row);
    CHECK(rows[row].first == row + 10);
    for (unsigned i = 0; i < 9; ++i) CHECK(rows.elements_of(rows[row])[i] == row * 100 + i);
  }
  // 8 + 9 * 8 bytes, without a gap.
  CHECK(reinterpret_cast<const char*>(&rows[1]) - reinterpret_cast<const char*>(&rows[0]) == 80);
}

TEST_CASE("a fixed array holds elements that cannot move, side by side, and ends them last first") {
  std::vector<std::string> log;
  {
    FixedArray<Stays> array(2);
    CHECK(array.size() == 0);
    array.emplace_back(log, "a");
    CHECK(array.emplace_back(log, "b").name == "b");
    CHECK(array.size() == 2);
    CHECK(&array[1] == &array[0] + 1);
    CHECK(array.at(0).name == "a");
    CHECK_THROWS_WITH(array.at(2), "element 2 of 2");
  }
  CHECK(log == std::vector<std::string>{"+a", "+b", "-b", "-a"});
}
