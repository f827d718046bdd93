// Values, keys and conditions: config/reader.h.

#include <catch2/catch.hpp>

#include "model/base/config/reader.h"
#include "tests/support/config_sample.h"

using namespace wharf;
using test::read_sample;
using test::sample_error;
using test::SampleParams;
using test::StoreHit;

TEST_CASE("every kind of key is read") {
  const SampleParams p =
      read_sample(
          "sms: 80\n"
          "title: a title\n"
          "l1: {capacity_kib: 64, ways: 8, mshr_targets: 12, store_hit: evict, replacement: fifo, splits: [8, 16, 24], prefetch: true}\n"
          "network: {link: {gigabytes_per_s: 1.5e2, buffer_bytes: 18446744073709551615}}\n")
          .params;
  CHECK(p.sms == 80);
  CHECK(p.title == "a title");
  CHECK(p.l1.capacity_kib == 64);
  CHECK(p.l1.ways == 8);
  CHECK(p.l1.mshr_targets == 12);
  CHECK(p.l1.store_hit == StoreHit::evict);
  CHECK(p.l1.replacement == "fifo");
  CHECK(p.l1.splits == std::vector<std::uint32_t>{8, 16, 24});
  CHECK(p.l1.prefetch);
  CHECK(p.network.link.gigabytes_per_s == 150.0);
  CHECK(p.network.link.buffer_bytes == 18446744073709551615u);
}

TEST_CASE("a policy is read with the arguments that it has, and others are refused where they stand") {
  CHECK(read_sample("l1: {replacement: random}\n").params.l1.replacement == "random");
  CHECK(read_sample("l1: {replacement: 'random:draws=4'}\n").params.l1.replacement == "random:draws=4");
  const auto complaint = [](const std::string& value) { return sample_error("l1: {replacement: '" + value + "'}\n"); };
  const std::string where = "f.yaml:1:19: l1.replacement: ";
  CHECK(complaint("random:draws=5") == where + "random:draws=5: draws=5 is out of range; draws (of a victim) may be 1 to 4");
  CHECK_THAT(complaint("random:draw=2"), Catch::StartsWith(where + "random:draw=2: unknown argument 'draw'; did you mean 'draws'?"));
  CHECK_THAT(complaint("random:draws"), Catch::Contains("'draws' is not of the form key=value"));
  CHECK(complaint("lru:draws=1") == where + "lru:draws=1: lru takes no arguments; write lru");
  CHECK_THAT(complaint("rnd:draws=1"), Catch::StartsWith(where + "is 'rnd:draws=1'"));
  CHECK_THAT(complaint(":draws=1"), Catch::StartsWith(where + "is ':draws=1'; write one of lru, fifo, random"));
  CHECK_THAT(complaint("random@tiny"), Catch::StartsWith(where + "is 'random@tiny'"));
  CHECK(complaint("random:draws=1@") == where + "random:draws=1@: draws='1@' is not a number; write e.g. draws=1");
}

TEST_CASE("keys that are not given keep their defaults") {
  CHECK(read_sample("sms: 28\n").params == SampleParams{});
  CHECK(read_sample("l1: {}\n").params == SampleParams{});
}

TEST_CASE("a limit takes the word unlimited and never the number behind it") {
  CHECK(read_sample("l1: {mshr_targets: unlimited}\n").params.l1.mshr_targets == kUnlimited);
  CHECK(sample_error("l1: {mshr_targets: 0}\n") ==
        "f.yaml:1:20: l1.mshr_targets: '0' is out of range; write a whole number from 1 to 1048576, or the word unlimited");
  CHECK_THAT(sample_error("l1: {mshr_targets: 4294967295}\n"), Catch::Contains("out of range"));
  CHECK_THAT(sample_error("l1: {mshrs: unlimited}\n"), Catch::Contains("is 'unlimited'; write a whole number from 1 to 4096"));
}

TEST_CASE("an integer is decimal digits and nothing else") {
  const auto complaint = [](const std::string& value) { return sample_error("sms: " + value + "\n"); };
  CHECK(complaint("010") == "f.yaml:1:6: sms: is '010', which could be octal; write a whole number from 1 to 1024 without leading zeros");
  for (const char* value : {"0x10", "1e2", "1.0", "1_000", "+5", "-5", "1,5", "8 KB", "0b1", "0o17", "true", "1:30", "\xD9\xA3"}) {
    INFO(value);
    CHECK(complaint(value) ==
          "f.yaml:1:6: sms: is '" + std::string(value) + "'; write a whole number from 1 to 1024 in decimal digits only");
  }
  CHECK(complaint("\"8\"") == "f.yaml:1:6: sms: is the text '8'; write a whole number without quotes");
  CHECK(complaint("[8]") == "f.yaml:1:6: sms: is a list; write a whole number");
  CHECK(complaint("{a: 8}") == "f.yaml:1:6: sms: is a mapping; write a whole number");
  CHECK(complaint("") == "f.yaml:1:1: sms: is nothing; write a whole number");
}

TEST_CASE("the ends of a range belong to it and their neighbours do not") {
  CHECK(read_sample("sms: 1024\n").params.sms == 1024);
  CHECK(read_sample("sms: 4\n").params.sms == 4);
  CHECK(sample_error("sms: 1025\n") == "f.yaml:1:6: sms: '1025' is out of range; write a whole number from 1 to 1024");
  CHECK(sample_error("sms: 0\n") == "f.yaml:1:6: sms: '0' is out of range; write a whole number from 1 to 1024");
  CHECK_THAT(sample_error("sms: 4294967297\n"), Catch::Contains("out of range"));
  CHECK_THAT(sample_error("network: {link: {buffer_bytes: 18446744073709551616}}\n"), Catch::Contains("out of range"));
}

TEST_CASE("a real is a finite decimal number in its range") {
  const auto complaint = [](const std::string& value) { return sample_error("network: {link: {gigabytes_per_s: " + value + "}}\n"); };
  for (const char* value : {".inf", ".nan", "nan", "inf", "0x1p3", ".5", "5.", "1e", "+1", "01.5", "1.5.2", "1_0.0"}) {
    INFO(value);
    CHECK(complaint(value) ==
          "f.yaml:1:35: network.link.gigabytes_per_s: is '" + std::string(value) + "'; write a number from 0.001 to 1000000 such as 0.5");
  }
  for (const char* value : {"-1", "0", "0.0009", "1000000.5", "1e999", "1e-999"}) {
    INFO(value);
    CHECK(complaint(value) ==
          "f.yaml:1:35: network.link.gigabytes_per_s: '" + std::string(value) + "' is out of range; write a number from 0.001 to 1000000");
  }
  CHECK(read_sample("network: {link: {gigabytes_per_s: 7}}\n").params.network.link.gigabytes_per_s == 7.0);
}

TEST_CASE("a flag is true or false and no other word") {
  CHECK(read_sample("l1: {prefetch: true}\n").params.l1.prefetch);
  for (const char* value : {"yes", "on", "True", "1", "TRUE"}) {
    INFO(value);
    CHECK(sample_error("l1: {prefetch: " + std::string(value) + "}\n") ==
          "f.yaml:1:16: l1.prefetch: is '" + std::string(value) + "'; write true or false");
  }
}

TEST_CASE("a text is one line") {
  CHECK(read_sample("title: \"x: 'y' # z\"\n").params.title == "x: 'y' # z");
  CHECK(sample_error("title: |\n  two\n  lines\n") == "f.yaml:1:8: title: is 'two\\x0alines\\x0a'; write one line of text");
  CHECK(sample_error("title: \"a\\0b\"\n") == "f.yaml:1:8: title: is 'a\\x00b'; write one line of text");
  CHECK(sample_error("title:\n") == "f.yaml:1:1: title: is nothing; write a text, in quotes if in doubt");
}

TEST_CASE("a choice or policy that is misspelt names the nearest and one far off names all") {
  CHECK(sample_error("l1: {store_hit: updaet}\n") == "f.yaml:1:17: l1.store_hit: is 'updaet'; did you mean 'update'?");
  CHECK(sample_error("l1: {store_hit: zzz}\n") == "f.yaml:1:17: l1.store_hit: is 'zzz'; write one of update, evict, bypass");
  CHECK(sample_error("l1: {replacement: fife}\n") == "f.yaml:1:19: l1.replacement: is 'fife'; did you mean 'fifo'?");
  CHECK(sample_error("l1: {replacement: [lru]}\n") == "f.yaml:1:19: l1.replacement: is a list; write one of lru, fifo, random");
}

TEST_CASE("each bad item of a list is reported where it stands") {
  CHECK(sample_error("l1: {splits: [8, 0, x]}\n") ==
        "f.yaml:1:18: l1.splits: '0' is out of range; write a whole number from 1 to 128\n"
        "f.yaml:1:21: l1.splits: is 'x'; write a whole number from 1 to 128 in decimal digits only");
  CHECK(sample_error("l1: {splits: 8}\n") == "f.yaml:1:14: l1.splits: is '8'; write a list such as [1, 2]");
  CHECK(read_sample("l1: {splits: []}\n").params.l1.splits.empty());
}

TEST_CASE("an unknown key names the nearest key beside it") {
  CHECK(sample_error("l1:\n  mshr: 8\n") == "f.yaml:2:3: l1.mshr: unknown key; did you mean 'mshrs'?");
  CHECK(sample_error("l1:\n  Store-Hit: evict\n") == "f.yaml:2:3: l1.Store-Hit: unknown key; did you mean 'store_hit'?");
}

TEST_CASE("a key that belongs elsewhere names its path and one that belongs nowhere the keys beside it") {
  CHECK(sample_error("mshrs: 8\n") == "f.yaml:1:1: mshrs: unknown key; did you mean 'l1.mshrs'?");
  CHECK(sample_error("qqqqqq: 8\n") == "f.yaml:1:1: qqqqqq: unknown key; known here: sms, title, l1, network");
}

TEST_CASE("a dotted key in a file is unknown and names its nested form") {
  CHECK(sample_error("l1.ways: 8\n") == "f.yaml:1:1: l1.ways: unknown key; write it nested, l1: {ways: ...}");
}

TEST_CASE("a group that is no mapping is refused with its nested form") {
  CHECK(sample_error("l1: 8\n") == "f.yaml:1:5: l1: is '8'; write l1: {key: value}");
  CHECK(sample_error("l1:\nsms: 8\n") == "f.yaml:1:1: l1: is nothing; write l1: {key: value}");
}

TEST_CASE("all mistakes of a file come in one error in the order of the file") {
  CHECK(sample_error("sms: x\nl1: {way: 3, prefetch: 1, ways: 4, ways: 5}\n") ==
        "f.yaml:1:6: sms: is 'x'; write a whole number from 1 to 1024 in decimal digits only\n"
        "f.yaml:2:6: l1.way: unknown key; did you mean 'ways'?\n"
        "f.yaml:2:24: l1.prefetch: is '1'; write true or false\n"
        "f.yaml:2:36: duplicate key 'ways', already on line 2; keep one");
}

TEST_CASE("a broken condition is reported at its key, else at the group, else at the file") {
  CHECK(sample_error("l1:\n  ways: 3\n  capacity_kib: 16\n") ==
        "f.yaml:3:3: l1.capacity_kib is not a multiple of ways; choose a multiple of 3");
  CHECK(sample_error("sms: 20\nl1:\n  ways: 3\n") ==
        "f.yaml:2:1: l1.capacity_kib is not a multiple of ways; choose a multiple of 3; change l1.capacity_kib together with l1.ways");
  CHECK(sample_error("# machine\nl1: {ways: 32, capacity_kib: 64}\n") == "f.yaml:2:1: sms is smaller than l1.ways; have at least 32");
}

TEST_CASE("conditions in a group and around it are reported together") {
  CHECK(sample_error("sms: 2\nl1: {ways: 3}\n") ==
        "f.yaml:1:1: sms is smaller than l1.ways; have at least 3\n"
        "f.yaml:2:1: l1.capacity_kib is not a multiple of ways; choose a multiple of 3; change l1.capacity_kib together with l1.ways");
}

TEST_CASE("a condition over a value that could not be read is not reported") {
  CHECK(sample_error("l1: {ways: 3, capacity_kib: x}\n") ==
        "f.yaml:1:29: l1.capacity_kib: is 'x'; write a whole number from 1 to 65536 in decimal digits only");
  CHECK(sample_error("l1: {ways: 3, capacty_kib: 15}\n") == "f.yaml:1:15: l1.capacty_kib: unknown key; did you mean 'capacity_kib'?");
}

TEST_CASE("a key without effect is refused with the reason") {
  CHECK(sample_error("l1: {prefetch_depth: 4}\n") == "f.yaml:1:6: l1.prefetch_depth has no effect because prefetch is false; remove it");
  CHECK(read_sample("l1: {prefetch: true, prefetch_depth: 4}\n").params.l1.prefetch_depth == 4);
}

TEST_CASE("a group without effect is refused at the first key that sets it") {
  CHECK(sample_error("network:\n  enabled: false\n  link:\n    buffer_bytes: 4\n") ==
        "f.yaml:4:5: network.link has no effect because there is no network; remove it");
  CHECK_FALSE(read_sample("network: {enabled: false}\n").params.network.enabled);
}

TEST_CASE("a setting may switch off what the file set but may not set what is off") {
  const std::string file = "l1: {prefetch: true, prefetch_depth: 4}\n";
  CHECK_FALSE(read_sample(file, {"l1.prefetch=false"}).params.l1.prefetch);
  CHECK(sample_error(file, {"l1.prefetch=false", "l1.prefetch_depth=8"}) ==
        "--set l1.prefetch_depth=8: l1.prefetch_depth has no effect because prefetch is false; remove it");
}

TEST_CASE("foreign text in a message is escaped and cut") {
  CHECK(sample_error("\"a\\nb\": 1\n") == "f.yaml:1:1: 'a\\x0ab': unknown key; known here: sms, title, l1, network");
  CHECK(sample_error("sms: " + std::string(70, '7') + "x\n") ==
        "f.yaml:1:6: sms: is '" + std::string(60, '7') + "...'; write a whole number from 1 to 1024 in decimal digits only");
}
