// Memory touched by Mars: rows of workloads appendix B, figures from the formulas where it has none, and the framework's sort.

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stimuli/inputs/web_text.h"
#include "stimuli/kernels/mars/mars.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli_oracle.h"

using namespace wharf;
using wharf::test::accesses;
using wharf::test::compare;
using wharf::test::walk;

namespace {

/// An array of a workload, after it has run.
template <class T>
std::vector<T> contents(Stimulus& stimulus, const std::string& name) {
  auto& memory = dynamic_cast<spmd::SpmdStimulus&>(stimulus).memory();
  for (const auto& region : memory.regions()) {
    if (region.name != name) continue;
    const auto* const first = reinterpret_cast<const T*>(region.data);
    return {first, first + region.bytes / sizeof(T)};
  }
  return {};
}

}  // namespace

TEST_CASE("SIMILARITY SCORE touches memory as its formulas say", "[stimuli][oracle]") {
  // LD record, matrix, both documents, pitch, row of the first, row of the second
  const auto a = accesses("similarity_score:documents=128,dimensions=256,sort_launches=1", "similarity_score_map");
  REQUIRE(a.size() > 7);
  compare(a[5], {16256, 32.0, 1.49, 1.49, 1016, 2.98, 1.24});
  compare(a[6], {16256, 32.0, 31.33, 31.33, 1016, 62.65, 21.51});
}

TEST_CASE("a pitch beyond the dimensions keeps the lanes of SIMILARITY SCORE apart", "[stimuli][oracle]") {
  const auto a = accesses("similarity_score:documents=64,dimensions=32,pitch=256,sort_launches=1", "similarity_score_map");
  CHECK(a[6].accesses == 63 * 8);
  CHECK(a[6].distinct_lines() == 63);
  CHECK(a[6].range().second + 1 - a[6].range().first == 62 * 1024 + 128);
}

TEST_CASE("scans of STRING MATCH and INVERTED INDEX touch as many lines as there are lanes", "[stimuli][oracle]") {
  // LD character; the framework's accesses come last
  const auto words = accesses("string_match:records=256,block=1000", "string_match_map_count");
  REQUIRE(words.size() > 4);
  compare(words[0], {8000, 32.0, 32.00, 32.00, 2000, 1.00, 1.00});
  const auto pages = accesses("inverted_index:records=256,block=1000,sort_launches=1", "inverted_index_map_count");
  REQUIRE(pages.size() > 4);
  CHECK(pages[0].accesses < 8000);  // a separate loop reads the links
  CHECK(pages[0].accesses > 7000);
  CHECK(pages[0].lines == pages[0].lanes);
  CHECK(pages[0].warps_per_line() == 1.0);
}

TEST_CASE("PAGE VIEW COUNT reads lines of a log as its formulas say", "[stimuli][oracle]") {
  // LD record, key, size, character
  const auto a = accesses("page_view_count:lines=2048,sort_launches=1", "page_view_count_lines");
  REQUIRE(a.size() > 4);
  compare(a[3], {3200, 32.0, 13.00, 32.00, 800, 1.04, 1.00});
}

TEST_CASE("WORD COUNT writes a zero behind each word, in both passes", "[stimuli][oracle]") {
  const auto text = prose({32, 2048, 2048}, 1);
  std::uint64_t words = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) words += text[i] >= 'A' && (text[i + 1] < 'A' || text[i + 1] > 'Z');
  for (const char* kernel : {"word_count_map_count", "word_count_map"}) {
    const auto a = accesses("word_count:records=32,sort_launches=1", kernel);
    std::size_t character = 0;  // after the loads of the first record in the second pass
    while (a[character].accesses != 2048) ++character;
    CHECK(a[character].lines_per_access() == 32.0);
    const auto& zeros = a[character - 1];  // the line above: the scan stores a match before it goes on
    CHECK(zeros.unit == Unit::store);
    CHECK(zeros.lanes == words);
  }
}

TEST_CASE("K-MEANS of Mars reads points from three lines and centres from one", "[stimuli][oracle]") {
  const auto a = accesses("mars_kmeans:points=2048,clusters=24", "mars_kmeans_map");  // LD coordinate, LD centre
  const double warps = 2048 / 32;
  compare(a[0], {warps * 72, 32.0, 3.00, 12.00, 192, 1.00, 1.00});
  compare(a[1], {warps * 72, 32.0, 1.00, 1.00, 3, 64.00, 8.00});
}

TEST_CASE("ATAX in one launch touches memory as its two launches do", "[stimuli][oracle]") {
  // LD tmp, LD A, LD x, ST tmp; LD A, LD tmp, ST partial sum, ATOM y
  const auto a = accesses("atax:n=1024,one_launch=1", "atax");
  REQUIRE(a.size() == 8);
  const auto& down = a[0].unit == Unit::load && a[0].lines_per_access() == 1.0 && a[0].accesses == 32768 ? a[0] : a[4];
  compare(down, {32768, 32.0, 1.00, 4.00, 32768, 1.00, 1.00});
  std::uint64_t diverged = 0, atomics = 0;
  for (const auto& access : a) {
    if (access.lines_per_access() == 32.0) diverged += access.accesses;
    if (access.unit == Unit::atomic) atomics += access.accesses;
  }
  CHECK(diverged == 32768);
  CHECK(atomics == 4 * 4 * 8);  // per CTA, chunk of 256 columns, and warp
}

TEST_CASE("the sort of Mars has as many launches as the catalogue counts", "[stimuli][mars]") {
  using spmd::mars::sort_launches;
  for (const auto& [padded, launches] : std::map<int, std::size_t>{{4096, 78}, {8192, 91}, {32768, 120}, {65536, 136}, {262144, 171}}) {
    CHECK(sort_launches(padded, false, 0).size() == launches);
  }
  CHECK(sort_launches(65536, false, 20).size() == 20);
  const auto shared = sort_launches(1024, true, 0);  // 256 in chunks; 512: one step, then chunks; 1024: two steps, then chunks
  REQUIRE(shared.size() == 1 + 2 + 3);
  const std::size_t steps[] = {36, 1, 8, 1, 1, 8};
  for (std::size_t i = 0; i < shared.size(); ++i) CHECK(shared[i].size() == steps[i]);
}

TEST_CASE("a complete sort puts equal words together and counts them", "[stimuli][mars]") {
  const auto stimulus = make_stimulus("word_count:records=40,block=512", 3);
  walk(*stimulus);
  std::map<std::string, int> counts;
  std::string word;
  for (const auto c : prose({40, 512, 512}, 3)) {
    if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c);
      continue;
    }
    if (word.size() >= 6) ++counts[word];
    word.clear();
  }
  const auto keys = contents<char>(*stimulus, "map_sorted_keys");
  const auto groups = contents<std::int32_t>(*stimulus, "map_group");  // per record: groups that begin before it
  REQUIRE(groups.size() > 2);
  CHECK(groups.back() == int(counts.size()));
  auto expected = counts.begin();
  std::size_t at = 0, record = 0;
  for (; expected != counts.end(); ++expected) {
    for (int i = 0; i < expected->second; ++i, ++record) {
      CHECK(std::string(&keys[at]) == expected->first);
      CHECK(groups[record + 1] == 1 + int(std::distance(counts.begin(), expected)));
      at += expected->first.size() + 1;
    }
  }
  CHECK(record + 1 == groups.size());
}

TEST_CASE("PAGE VIEW COUNT finds the pages of its log, each with its views", "[stimuli][mars]") {
  for (const char* spec : {"page_view_count:lines=3000", "page_view_count:lines=3000,sort_in_shared=0"}) {
    const auto stimulus = make_stimulus(spec, 2);
    walk(*stimulus);
    std::map<std::string, int> views;
    const auto log = web_log(3000, 2);
    for (std::size_t line = 0; line < 3000; ++line) {
      const std::string text(reinterpret_cast<const char*>(&log[line * kLogLine]));
      ++views[text.substr(0, text.find('\t'))];
    }
    const auto groups = contents<std::int32_t>(*stimulus, "views_group");
    CHECK(groups.size() == 3000 + 1);  // no line of the log occurs twice
    CHECK(groups.back() == int(views.size()));
  }
}
