// The resolved configuration and the descriptions of keys: config/dumper.h and config/describer.h.

#include <catch2/catch.hpp>

#include "model/base/config/describer.h"
#include "model/base/config/dumper.h"
#include "tests/support/config_sample.h"

using namespace wharf;
using namespace wharf::config;
using test::error_of;
using test::read_sample;
using test::SampleParams;

namespace {

struct NoKeys {
  void bind(Binder&) {}
};

struct WithEmptyGroup {
  NoKeys none;
  void bind(Binder& b) { b.group("none", none, "a group without keys"); }
};

struct Word {
  std::string text;
  void bind(Binder& b) { b.text("text", text, "help\nof two lines"); }
};

template <class Params>
Params read_back(const std::string& yaml) {
  Mistakes mistakes;
  const Layers layers = parse_layers(yaml, "resolved.yaml", "no-such-folder", mistakes);
  return read_layers<Params>(layers, {}, "", mistakes).params;
}

const Description& entry(const std::vector<Description>& list, const std::string& path) {
  for (const Description& e : list) {
    if (e.path == path) return e;
  }
  throw std::runtime_error("no entry " + path);
}

}  // namespace

TEST_CASE("the resolved configuration shows each value with help, unit and range") {
  CHECK(dump(SampleParams{}) ==
        "sms: 28  # streaming multiprocessors [count, 1..1024]\n"
        "title: \"sample\"  # a title for reports\n"
        "l1:  # the L1 of one SM\n"
        "  capacity_kib: 16  # data capacity of one L1 [KiB, 1..65536]\n"
        "  ways: 4  # lines of a set [1..64]\n"
        "  mshrs: 32  # lines that can be on their way [count, 1..4096]\n"
        "  mshr_targets: unlimited  # accesses merged into one entry [accesses, 1..1048576 or unlimited]\n"
        "  store_hit: update  # what a store that hits does [update, evict, bypass]\n"
        "  replacement: lru  # victim choice [lru, fifo, random]\n"
        "  splits: [16, 48]  # sizes that the array can take [KiB, 1..128 each]\n"
        "  prefetch: false  # whether lines are fetched ahead\n"
        "  # prefetch_depth: no effect because prefetch is false\n"
        "network:  # between L1 and L2\n"
        "  enabled: true  # whether there is a network\n"
        "  hop_cycles: 4  # time from router to router [cycles, 1..1000]\n"
        "  link:  # one link\n"
        "    gigabytes_per_s: 32.5  # bandwidth of one link, 10^9 B/s [0.001..1000000]\n"
        "    buffer_bytes: 1099511627776  # what a link holds [bytes, 1..18446744073709551615]\n");
}

TEST_CASE("the resolved configuration reads back as the same parameters") {
  const auto changed = read_sample(
      "sms: 80\ntitle: \"a \\\"b\\\" \\\\ # c: \xC3\xA9\"\nl1: {ways: 8, mshr_targets: 3, store_hit: bypass, replacement: random, splits: "
      "[], prefetch: true, prefetch_depth: 9}\n"
      "network: {hop_cycles: 7, link: {gigabytes_per_s: 0.1, buffer_bytes: 18446744073709551615}}\n");
  CHECK_FALSE(changed.params == SampleParams{});
  CHECK(read_back<SampleParams>(changed.resolved_yaml) == changed.params);
  CHECK(read_sample(changed.resolved_yaml).resolved_yaml == changed.resolved_yaml);
  CHECK(read_back<SampleParams>(dump(SampleParams{})) == SampleParams{});
}

TEST_CASE("a group without effect is left out of the resolved configuration") {
  const auto off = read_sample("network: {enabled: false}\n");
  CHECK_THAT(off.resolved_yaml, Catch::EndsWith("  # link: no effect because there is no network\n"));
  CHECK(read_back<SampleParams>(off.resolved_yaml) == off.params);
}

TEST_CASE("a real is written with as many digits as reading it back needs") {
  for (const char* value : {"0.1", "0.30000000000000004", "1e5", "123456.789", "999999.9999999999"}) {
    const auto read = read_sample("network: {link: {gigabytes_per_s: " + std::string(value) + "}}\n");
    CHECK(read_back<SampleParams>(read.resolved_yaml).network.link.gigabytes_per_s == read.params.network.link.gigabytes_per_s);
  }
}

TEST_CASE("a group without keys is written as an empty mapping") {
  CHECK(dump(WithEmptyGroup{}) == "none: {}  # a group without keys\n");
  CHECK_NOTHROW(read_back<WithEmptyGroup>(dump(WithEmptyGroup{})));
}

TEST_CASE("help of two lines stays on the line of its key and texts that look like YAML stay texts") {
  for (const char* text : {"", "null", "~", "true", "010", "- a", "a: b", "# c", " x ", "'", "\"", "\\", "*a", "&a", "!t", "%x", "\t"}) {
    Word word{text};
    INFO(text);
    CHECK_THAT(dump(word), Catch::EndsWith("  # help of two lines\n"));
    CHECK(read_back<Word>(dump(word)).text == text);
  }
}

TEST_CASE("every key is described with type, unit, default and range") {
  const auto list = descriptions_of(SampleParams{});
  const Description& ways = entry(list, "l1.ways");
  CHECK(ways.type == "integer");
  CHECK(ways.default_value == "4");
  CHECK(ways.range == "1..64");
  CHECK(ways.minimum == "1");
  CHECK(ways.maximum == "64");
  CHECK(ways.unit.empty());
  CHECK(ways.help == "lines of a set");
  CHECK(entry(list, "l1.mshr_targets").type == "integer or unlimited");
  CHECK(entry(list, "l1.mshr_targets").default_value == "unlimited");
  CHECK(entry(list, "l1.mshr_targets").unit == "accesses");
  CHECK(entry(list, "l1.store_hit").range == "update, evict, bypass");
  CHECK(entry(list, "l1.replacement").words[1].help == "oldest fill");
  CHECK(entry(list, "l1.splits").default_value == "[16, 48]");
  CHECK(entry(list, "network.link").type == "group");
  CHECK(entry(list, "network.link.gigabytes_per_s").range == "0.001..1000000");
  CHECK(entry(list, "network.link.gigabytes_per_s").maximum == "1000000");
  CHECK(entry(list, "l1.store_hit").minimum.empty());
  CHECK(list.size() == 2 + (1 + 9) + (1 + 2) + (1 + 2));
}

TEST_CASE("describe prints a key with the help of each policy") {
  CHECK(describe(descriptions_of(SampleParams{}), "l1.replacement") ==
        "l1.replacement: policy lru, fifo, random, default lru\n"
        "    victim choice\n"
        "      lru: least recently used\n"
        "      fifo: oldest fill\n"
        "      random: any way\n");
  CHECK(describe(descriptions_of(SampleParams{}), "l1.mshr_targets") ==
        "l1.mshr_targets: integer or unlimited, 1..1048576 accesses, default unlimited\n"
        "    accesses merged into one entry\n");
}

TEST_CASE("describe prints a group with all below it and refuses a path that does not exist") {
  const auto list = descriptions_of(SampleParams{});
  CHECK(describe(list, "network.link") ==
        "network.link: group\n"
        "    one link\n"
        "network.link.gigabytes_per_s: number, 0.001..1000000, default 32.5\n"
        "    bandwidth of one link, 10^9 B/s\n"
        "network.link.buffer_bytes: integer, 1..18446744073709551615 bytes, default 1099511627776\n"
        "    what a link holds\n");
  CHECK_THAT(describe(list, ""), Catch::StartsWith("sms: ") && Catch::Contains("\nnetwork.link.buffer_bytes: "));
  CHECK(error_of([&] { describe(list, "l1.replacment"); }) == "there is no key 'l1.replacment'; did you mean 'l1.replacement'?");
  CHECK(error_of([&] { describe(list, "l"); }) == "there is no key 'l'; did you mean 'l1'?");
  CHECK(error_of([&] { describe(list, "qqqq"); }) == "there is no key 'qqqq'; the top-level keys are sms, title, l1, network");
}

TEST_CASE("the parameters page has a table a group") {
  const std::string page = parameters_markdown(descriptions_of(SampleParams{}), "sample");
  CHECK_THAT(page, Catch::StartsWith("## sample\n\n| key | default | unit | value | meaning |\n|---|---|---|---|---|\n"
                                     "| `sms` | 28 | count | integer: 1..1024 | streaming multiprocessors |\n"));
  CHECK_THAT(page, Catch::Contains("\n### `network.link`\n\none link\n\n| key |"));
  CHECK_THAT(page, Catch::Contains("| `l1.replacement` | lru |  | policy: lru, fifo, random | victim choice |\n"));
}
