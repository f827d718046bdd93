// Stale copies at the start of a kernel: model/cache/stored_lines.h.

#include "model/cache/stored_lines.h"

#include <catch2/catch.hpp>

using namespace wharf;

TEST_CASE("a line that one cache has written to is old in all others once the kernel has ended") {
  StoredLines lines;
  lines.wrote(3, {7});
  CHECK_FALSE(lines.by_others(0, {7}));  // still running
  lines.kernel_starts(false);
  CHECK(lines.by_others(0, {7}));
  CHECK_FALSE(lines.by_others(3, {7}));
  CHECK_FALSE(lines.by_others(0, {8}));
}

TEST_CASE("a line that several caches have written to, or one that spares no copy, is old everywhere") {
  StoredLines lines;
  for (const unsigned writer : {3u, 5u, 3u}) lines.wrote(writer, {7});
  lines.wrote(StoredLines::kNobody, {8});
  lines.kernel_starts(false);
  for (const unsigned self : {0u, 3u, 5u}) {
    CHECK(lines.by_others(self, {7}));
    CHECK(lines.by_others(self, {8}));
  }
}

TEST_CASE("what a kernel has written is forgotten when the next one has ended") {
  StoredLines lines;
  lines.wrote(3, {7});
  lines.kernel_starts(false);
  lines.kernel_starts(false);
  CHECK_FALSE(lines.by_others(0, {7}));
}

TEST_CASE("what kernels that run together have written is old at every start until all of them have ended") {
  StoredLines lines;
  lines.wrote(3, {7});
  lines.kernel_starts(true);
  CHECK(lines.by_others(0, {7}));
  lines.wrote(4, {8});
  lines.kernel_starts(true);
  lines.kernel_starts(false);
  CHECK(lines.by_others(0, {7}));
  CHECK(lines.by_others(0, {8}));
  lines.kernel_starts(false);
  CHECK_FALSE(lines.by_others(0, {7}));
}
