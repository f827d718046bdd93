// Prints of keys: which places of a set have a given print, compared all at once.

#include <catch2/catch.hpp>

#include "model/cache/key_prints.h"

using namespace wharf;

TEST_CASE("key prints: every place is free at first, and none has a print") {
  const KeyPrints prints;
  CHECK(prints.free() == 0xFFFF'FFFF);
  CHECK(prints.places_of(1) == 0);
}

TEST_CASE("key prints: the places of a print are those that were given it, whichever they are") {
  for (const std::uint16_t print : {std::uint16_t{1}, std::uint16_t{0x7FFF}, std::uint16_t{0x8001}, std::uint16_t{0xFFFF}}) {
    KeyPrints prints;
    std::uint32_t given = 0;
    for (unsigned place = 0; place < KeyPrints::kPlaces; ++place) {
      prints.set(place, print);
      given |= 1u << place;
      CHECK(prints.places_of(print) == given);
      CHECK(prints.free() == ~given);
    }
    CHECK(prints.places_of(print ^ 2) == 0);
    prints.clear(17);
    CHECK(prints.places_of(print) == ~(1u << 17));
    CHECK(prints.free() == 1u << 17);
  }
}

TEST_CASE("key prints: prints that share one of their two bytes are told apart") {
  KeyPrints prints;
  prints.set(3, 0x1201);
  prints.set(4, 0x3401);
  prints.set(5, 0x1203);
  CHECK(prints.places_of(0x1201) == 1u << 3);
  CHECK(prints.places_of(0x3401) == 1u << 4);
  CHECK(prints.places_of(0x3403) == 0);
}
