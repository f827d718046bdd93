#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "model/base/hash.h"

using namespace wharf;

TEST_CASE("the hash of a text is the same in every build") {
  // Values from an independent implementation in another language.
  CHECK(hash_text("") == "f52a15e9a9b5e89b");
  CHECK(hash_text("wharf") == "c8490a6d4960ea89");
}

TEST_CASE("a hash is sixteen lower-case hexadecimal digits") {
  CHECK(hash_text("a").size() == 16);
  CHECK(hash_text("a").find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("texts that differ in one byte, in order or by a NUL have different hashes") {
  std::set<std::uint64_t> seen;
  for (int byte = 0; byte < 256; ++byte) seen.insert(hash64(std::string(1, static_cast<char>(byte))));
  CHECK(seen.size() == 256);
  CHECK(hash64("ab") != hash64("ba"));
  CHECK(hash64(std::string("a")) != hash64(std::string("a\0", 2)));
}
