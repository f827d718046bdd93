// The bytes that versions stand for, and the memory image below them.

#include "model/cache/sector_contents.h"

#include <catch2/catch.hpp>

using namespace wharf;

namespace {

Access a_store(std::uint64_t line, SectorMask sectors) {
  Access access;
  access.line = {line};
  access.kind = AccessKind::store;
  access.sectors = sectors;
  return access;
}

SectorBytes all(int value) {
  SectorBytes bytes;
  bytes.fill(static_cast<std::byte>(value));
  return bytes;
}

struct Contents {
  OverlayImage image;
  SectorContents contents{image};
  void change(Address address, int value) {
    const auto byte = static_cast<std::byte>(value);
    image.write(address, &byte, 1);
  }
};

}  // namespace

TEST_CASE("sector contents: a version has the bytes that the image had when its store left, later ones have others") {
  Contents c;
  SectorVersions first{}, second{};
  c.change(128 + 33, 1);
  c.contents.record(a_store(1, 0b0010), first);
  c.change(128 + 34, 2);
  c.contents.record(a_store(1, 0b0010), second);
  CHECK(first == SectorVersions{0, 1, 0, 0});
  CHECK(second == SectorVersions{0, 2, 0, 0});
  CHECK(c.contents.read({1}, 1, 1)[1] == std::byte{1});
  CHECK(c.contents.read({1}, 1, 1)[2] == std::byte{0});
  CHECK(c.contents.read({1}, 1, 2)[2] == std::byte{2});
}

TEST_CASE("sector contents: a store that is ordered last has what others have stored into its sector by then") {
  Contents c;
  SectorVersions first{}, second{};
  c.change(0, 1);
  c.contents.record(a_store(0, 1), first);
  c.change(1, 2);
  c.contents.record(a_store(0, 1), second);
  c.contents.record(a_store(0, 1), second);  // at the ordering point
  c.contents.record(a_store(0, 1), first);
  CHECK(c.contents.read({0}, 0, first[0])[1] == std::byte{2});
}

TEST_CASE("sector contents: names given before are kept, and whoever is asked for names gives them") {
  Contents c;
  c.contents.name_with([](const Access& access) { return static_cast<StoreId>(100 + access.line.number); });
  SectorVersions versions{0, 7, 0, 0};
  c.contents.record(a_store(5, 0b0011), versions);
  CHECK(versions == SectorVersions{105, 7, 0, 0});
}

TEST_CASE("sector contents: a foreign store writes its enabled bytes, and copies of the initial contents keep theirs") {
  Contents c;
  std::array<std::byte, kLineBytes> bytes{};
  std::array<bool, kLineBytes> enabled{};
  bytes.fill(std::byte{9});
  enabled[31] = enabled[32] = true;
  SectorVersions versions{};
  c.contents.store(a_store(0, 0b0011), versions, bytes, enabled);
  CHECK(versions == SectorVersions{1, 1, 0, 0});
  CHECK(c.contents.read({0}, 0, 1)[31] == std::byte{9});
  CHECK(c.contents.read({0}, 0, 1)[30] == std::byte{0});
  CHECK(c.contents.read({0}, 1, 1)[0] == std::byte{9});
  CHECK(c.contents.read({0}, 0, 0) == all(0));
}

TEST_CASE("sector contents: a debug write changes all versions and the image") {
  Contents c;
  SectorVersions versions{};
  c.contents.record(a_store(0, 1), versions);
  const std::array<std::byte, 2> bytes{std::byte{3}, std::byte{4}};
  c.contents.patch(31, bytes.data(), 2);
  CHECK(c.contents.read({0}, 0, versions[0])[31] == std::byte{3});
  CHECK(c.contents.read({0}, 1, 0)[0] == std::byte{4});
}

TEST_CASE("sector contents: forgotten, unknown and too old versions read as the current image") {
  Contents c;
  SectorVersions versions{};
  c.contents.record(a_store(0, 1), versions);
  c.change(0, 5);
  CHECK(c.contents.read({0}, 0, versions[0])[0] == std::byte{0});
  CHECK(c.contents.read({0}, 0, 77)[0] == std::byte{5});
  for (unsigned i = 0; i < 64; ++i) {
    SectorVersions other{};
    c.contents.record(a_store(0, 1), other);
  }
  CHECK(c.contents.read({0}, 0, versions[0])[0] == std::byte{5});
  c.change(0, 6);
  CHECK(c.contents.read({0}, 0, 65)[0] == std::byte{5});
  c.contents.forget();
  CHECK(c.contents.read({0}, 0, 65)[0] == std::byte{6});
}

TEST_CASE("sector contents: foreign memory returns the version that it was sent, and a new one where others have written") {
  Contents c;
  CHECK(c.contents.returned({0}, 0, all(0)) == 0);
  SectorVersions versions{};
  c.change(0, 1);
  c.contents.record(a_store(0, 1), versions);
  CHECK(c.contents.returned({0}, 0, all(0)) == 0);
  c.contents.mark_accepted({0}, 0, versions[0]);
  CHECK(c.contents.returned({0}, 0, c.contents.read({0}, 0, versions[0])) == versions[0]);
  const StoreId others = c.contents.returned({0}, 0, all(8));
  CHECK(others != versions[0]);
  CHECK(c.contents.read({0}, 0, others) == all(8));
  CHECK(c.contents.returned({0}, 0, all(8)) == others);
}

TEST_CASE("overlay image: written sectors hide the image below until it has them too") {
  SectorBytes below = all(1);
  OverlayImage image([&](Address address, std::byte* to, std::size_t count) { std::copy_n(below.begin() + address % 32, count, to); });
  const std::byte two{2};
  image.write(40, &two, 1);
  SectorBytes got;
  image.read(32, got.data(), 32);
  CHECK(got[8] == std::byte{2});
  CHECK(got[9] == std::byte{1});
  CHECK(image.has({0}));
  image.mark_settled(32, below.data());  // memory has other bytes
  CHECK(image.has({0}));
  image.mark_settled(32, got.data());
  CHECK_FALSE(image.has({0}));
  const std::byte three{3};
  image.patch(41, &three, 1);  // memory itself is changed
  CHECK_FALSE(image.has({0}));
}
