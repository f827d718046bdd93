// Files that extend files, values per workload, settings from the command line, searches: config/layers.h.

#include <catch2/catch.hpp>

#include "model/base/config/layers.h"
#include "tests/support/config_sample.h"

using namespace wharf;
using namespace wharf::config;
using test::error_of;
using test::read_sample;
using test::sample_error;
using test::SampleParams;
using test::TemporaryFolder;

namespace {

test::SampleResult load_sample(const TemporaryFolder& root, const std::string& name, const std::vector<std::string>& settings = {},
                               const std::string& workload = {}) {
  return load<SampleParams>(root.path(), name, settings, workload);
}

std::string load_error(const TemporaryFolder& root, const std::string& name, const std::vector<std::string>& settings = {}) {
  return error_of([&] { load_sample(root, name, settings); });
}

}  // namespace

TEST_CASE("a name is a file below the root and a path is a file of its own") {
  const TemporaryFolder root, own;
  root.write("gpus/big.yaml", "description: the big one\nsms: 80\n");
  const std::string mine = own.write("my.yaml", "extends: gpus/big\ntitle: mine\n");
  CHECK(load_sample(root, "gpus/big").params.sms == 80);
  CHECK(load_sample(root, "gpus/big").description == "the big one");
  CHECK(load_sample(root, "gpus/big.yaml").params.sms == 80);
  CHECK(load_sample(root, mine).params.sms == 80);
  CHECK(load_sample(root, mine).params.title == "mine");
  CHECK(load_sample(root, mine).description.empty());
}

TEST_CASE("extends finds files relative to the file that extends") {
  const TemporaryFolder root;
  root.write("a/base.yaml", "sms: 60\n");
  root.write("a/child.yaml", "extends: ./base.yaml\n");
  root.write("b/child.yaml", "extends: ../a/base\n");
  root.write("a/plain.yaml", "extends: base\n");
  CHECK(load_sample(root, "a/child").params.sms == 60);
  CHECK(load_sample(root, "b/child").params.sms == 60);
  CHECK(load_sample(root, "a/plain").params.sms == 60);
}

TEST_CASE("a later layer wins key by key: extended files in order, the file, its workload, the setting") {
  const TemporaryFolder root;
  root.write("one.yaml", "sms: 10\nl1: {ways: 1, mshrs: 1, capacity_kib: 1}\n");
  root.write("two.yaml", "l1: {mshrs: 2, ways: 2, capacity_kib: 2}\n");
  root.write("top.yaml",
             "extends: [one, two]\nl1: {ways: 4, capacity_kib: 4}\nper_workload: {BFS: {l1.capacity_kib: 8, l1: {mshrs: 7}}}\n");
  const SampleParams plain = load_sample(root, "top").params;
  CHECK(plain.sms == 10);
  CHECK(plain.l1.mshrs == 2);
  CHECK(plain.l1.ways == 4);
  CHECK(plain.l1.capacity_kib == 4);
  const SampleParams bfs = load_sample(root, "top", {"l1.mshrs=9"}, "BFS").params;
  CHECK(bfs.l1.capacity_kib == 8);
  CHECK(bfs.l1.mshrs == 9);
  CHECK(load_sample(root, "top", {}, "KM").params == plain);
}

TEST_CASE("a file's own key wins over the workload values of a file that it extends") {
  const TemporaryFolder root;
  root.write("base.yaml", "per_workload: {BFS: {sms: 20, title: base}}\n");
  root.write("top.yaml", "extends: base\nsms: 40\n");
  const SampleParams bfs = load_sample(root, "top", {}, "BFS").params;
  CHECK(bfs.sms == 40);
  CHECK(bfs.title == "base");
}

TEST_CASE("an inherited key without effect is accepted and one's own is refused") {
  const TemporaryFolder root;
  root.write("base.yaml", "l1: {prefetch: true, prefetch_depth: 4}\n");
  root.write("off.yaml", "extends: base\nl1: {prefetch: false}\n");
  const std::string wrong = root.write("wrong.yaml", "extends: base\nl1: {prefetch: false, prefetch_depth: 8}\n");
  CHECK_FALSE(load_sample(root, "off").params.l1.prefetch);
  CHECK(load_error(root, "wrong") == wrong + ":2:23: l1.prefetch_depth has no effect because prefetch is false; remove it");
}

TEST_CASE("mistakes in extended files name those files") {
  const TemporaryFolder root;
  const std::string base = root.write("base.yaml", "sms: 5k\n");
  const std::string top = root.write("top.yaml", "extends: base\ntitel: x\n");
  CHECK(load_error(root, "top") == base + ":1:6: sms: is '5k'; write a whole number from 1 to 1024 in decimal digits only\n" + top +
                                       ":2:1: titel: unknown key; did you mean 'title'?");
}

TEST_CASE("files that extend each other are reported with the whole circle") {
  const TemporaryFolder root;
  const std::string a = root.write("a.yaml", "extends: b\n"), b = root.write("b.yaml", "extends: c\n"),
                    c = root.write("c.yaml", "extends: b\n");
  CHECK(load_error(root, "a") ==
        c + ":1:10: extends: a configuration extends itself: " + b + " -> " + c + " -> " + b + "; remove one of these");
}

TEST_CASE("two files may extend the same file and report its mistakes once") {
  const TemporaryFolder root;
  const std::string base = root.write("base.yaml", "sms: 0\n");
  root.write("left.yaml", "extends: base\n");
  root.write("right.yaml", "extends: base\n");
  root.write("top.yaml", "extends: [left, right]\n");
  CHECK(load_error(root, "top") == base + ":1:6: sms: '0' is out of range; write a whole number from 1 to 1024");
}

TEST_CASE("a pyramid of extends stops at sixty-four files") {
  const TemporaryFolder root;
  root.write("f0.yaml", "sms: 8\n");
  for (int i = 1; i <= 20; ++i) {
    const std::string below = "f" + std::to_string(i - 1);
    root.write("f" + std::to_string(i) + ".yaml", "extends: [" + below + ", " + below + "]\n");
  }
  CHECK(load_sample(root, "f5").params.sms == 8);
  CHECK_THAT(load_error(root, "f20"), Catch::Contains("extends: more than 64 files; extend fewer"));
}

TEST_CASE("a design on another GPU keeps its own keys and takes all others from that GPU") {
  const TemporaryFolder root;
  root.write("gpus/small.yaml", "sms: 28\nl1: {ways: 2, prefetch: true, prefetch_depth: 4}\n");
  root.write("gpus/part.yaml", "sms: 64\nl1: {ways: 8}\n");
  root.write("gpus/big.yaml", "extends: gpus/part\nsms: 80\nper_workload: {BFS: {l1.mshrs: 7}}\n");
  root.write("base.yaml", "description: a design\nextends: gpus/small\nl1: {mshrs: 16, prefetch: false}\n");
  root.write("design.yaml", "description: a design\nextends: base\ntitle: mine\n");
  const auto moved = load_sample(root, "design@big");
  CHECK(moved.params.sms == 80);
  CHECK(moved.params.l1.ways == 8);
  CHECK(moved.params.l1.prefetch_depth == SampleParams().l1.prefetch_depth);
  CHECK(moved.params.l1.mshrs == 16);
  CHECK(moved.params.title == "mine");
  CHECK(moved.description == "a design; on gpus/big");
  CHECK(load_sample(root, "design@gpus/big", {}, "BFS").params.l1.mshrs == 16);  // the design's value overrides the GPU's
  CHECK(load_sample(root, "design@big", {"sms=10"}).params.sms == 10);
}

TEST_CASE("what cannot stand on a GPU, or is none, is refused as any other configuration is") {
  const TemporaryFolder root;
  root.write("gpus/small.yaml", "sms: 28\n");
  root.write("gpus/big.yaml", "l1: {capacity_kib: 17}\n");
  const std::string design = root.write("design.yaml", "extends: gpus/small\nl1: {ways: 2}\n");
  CHECK_THAT(load_error(root, "design@big"), Catch::Contains("capacity_kib is not a multiple of ways; choose a multiple of 2"));
  CHECK(load_error(root, "gpus/small@big") == "'gpus/small' is a GPU; write a design before the @, such as private");
  CHECK(load_error(root, "design@bog") == "there is no configuration 'bog'; did you mean 'gpus/big'?");
  CHECK(load_error(root, "desing@big") == "there is no configuration 'desing'; did you mean 'design'?");
}

TEST_CASE("designs together have all that each of them says, on the GPU of the first or on another") {
  const TemporaryFolder root;
  root.write("gpus/small.yaml", "sms: 28\nl1: {ways: 2}\n");
  root.write("gpus/big.yaml", "sms: 80\nl1: {ways: 8}\n");
  root.write("one.yaml", "description: a design\nextends: gpus/small\nl1: {mshrs: 16}\n");
  root.write("two.yaml", "description: another\nextends: gpus/big\ntitle: mine\nper_workload: {BFS: {title: bfs}}\n");
  root.write("three.yaml", "extends: gpus/big\nl1: {mshrs: 16, prefetch: true}\n");
  const auto both = load_sample(root, "one+two");
  CHECK(both.params.sms == 28);
  CHECK(both.params.l1.ways == 2);
  CHECK(both.params.l1.mshrs == 16);
  CHECK(both.params.title == "mine");
  CHECK(both.description == "a design + another");
  CHECK(load_sample(root, "one+two", {}, "BFS").params.title == "bfs");
  const auto all = load_sample(root, "two+one+three@big");  // two designs that set the same value do not conflict
  CHECK(all.params.sms == 80);
  CHECK(all.params.l1.ways == 8);
  CHECK(all.params.l1.mshrs == 16);
  CHECK(all.params.l1.prefetch);
  CHECK(all.params.title == "mine");
}

TEST_CASE("designs that want different values of a key, a GPU in the place of a design and a search are not combined") {
  const TemporaryFolder root;
  root.write("gpus/small.yaml", "sms: 28\n");
  const std::string one = root.write("one.yaml", "extends: gpus/small\nl1: {mshrs: 16}\ntitle: mine\n");
  const std::string two = root.write("two.yaml", "extends: gpus/small\nl1:\n  mshrs: 8\n  ways: 2\n");
  root.write("best.yaml", "search: {key: extends, values: [one, two], objective: max ipc, tie: first}\n");
  CHECK(load_error(root, "one+two") == two + ":3:10: l1.mshrs is '8' here and '16' in " + one + ":2; combine designs that agree");
  CHECK(load_error(root, "one+two@small") == load_error(root, "one+two"));
  CHECK(load_error(root, "one+gpus/small") == "'gpus/small' is a GPU; write a design before the @, such as private");
  CHECK_THAT(load_error(root, "one+best"), Catch::StartsWith("'best' has a search"));
  CHECK(load_error(root, "one+tow") == "there is no configuration 'tow'; did you mean 'two'?");
}

TEST_CASE("a search over configurations on another GPU chooses among them there") {
  const TemporaryFolder root;
  root.write("gpus/small.yaml", "sms: 28\n");
  root.write("gpus/big.yaml", "sms: 80\n");
  root.write("a.yaml", "extends: gpus/small\n");
  root.write("b.yaml", "extends: gpus/small\nl1: {ways: 2}\n");
  root.write("best.yaml", "search: {key: extends, values: [a, b], objective: max ipc, tie: first}\n");
  const auto best = load_sample(root, "best@big");
  CHECK(best.params.sms == 80);
  CHECK(best.search->values == std::vector<std::string>{"a@big", "b@big"});
}

TEST_CASE("a misspelt configuration names the nearest, a folder its files and anything else where to look") {
  const TemporaryFolder root;
  root.write("dc_l1/sh40.yaml", "sms: 80\n");
  root.write("dc_l1/pr80.yaml", "sms: 80\n");
  CHECK(load_error(root, "dc_l1/sh41") == "there is no configuration 'dc_l1/sh41'; did you mean 'dc_l1/sh40'?");
  CHECK(load_error(root, "sh40") == "there is no configuration 'sh40'; did you mean 'dc_l1/sh40'?");
  CHECK(load_error(root, "dc_l1") == "there is no configuration 'dc_l1'; write one of dc_l1/pr80, dc_l1/sh40");
  CHECK_THAT(load_error(root, "zzzzzzzzzz"), Catch::EndsWith("; `wharf list configs` shows all names, and a path must end in .yaml"));
  CHECK_THAT(load_error(root, ""), Catch::StartsWith("there is no configuration ''"));
  const std::string top = root.write("top.yaml", "extends: dc_l1/pr8\n");
  CHECK(load_error(root, "top") == top + ":1:10: extends: there is no configuration 'dc_l1/pr8'; did you mean 'dc_l1/pr80'?");
}

TEST_CASE("extends must be a name or a list of names and description one line") {
  CHECK(sample_error("extends: {a: b}\n") == "f.yaml:1:10: extends: is a mapping; write a configuration's name or a list of names");
  CHECK(sample_error("extends:\nsms: 8\n") == "f.yaml:1:1: extends: is nothing; write a configuration's name or a list of names");
  CHECK(sample_error("extends: [[a]]\n") == "f.yaml:1:11: extends: holds a list; write names of configurations");
  CHECK(sample_error("description: |\n  a\n  b\n") == "f.yaml:1:14: description: must be one line of text; put more into comments");
  CHECK(sample_error("description: [a]\n") == "f.yaml:1:14: description: must be one line of text; put more into comments");
}

TEST_CASE("a setting is read as a file is") {
  CHECK(read_sample("sms: 8\n", {"l1.ways=8", "network.link.gigabytes_per_s=2.5"}).params.l1.ways == 8);
  CHECK(read_sample("sms: 8\n", {"l1.splits=[8, 24]"}).params.l1.splits == std::vector<std::uint32_t>{8, 24});
  CHECK(read_sample("sms: 8\n", {"title=\"a=b\""}).params.title == "a=b");
  CHECK(read_sample("sms: x\n", {"sms=9"}).params.sms == 9);
}

TEST_CASE("a wrong setting is reported with its text and the nearest key") {
  CHECK(sample_error("sms: 8\n", {"l1.way=8"}) == "--set l1.way=8: l1.way: unknown key; did you mean 'ways'?");
  CHECK(sample_error("sms: 8\n", {"ways=8"}) == "--set ways=8: ways: unknown key; did you mean 'l1.ways'?");
  CHECK_THAT(sample_error("sms: 8\n", {"L2.mshrs=8"}), Catch::StartsWith("--set L2.mshrs=8: L2: unknown key; did you mean 'l1'?"));
  CHECK(sample_error("sms: 8\n", {"l1.ways=010"}) ==
        "--set l1.ways=010: l1.ways: is '010', which could be octal; write a whole number from 1 to 64 without leading zeros");
  CHECK(sample_error("sms: 8\n", {"l1.ways="}) == "--set l1.ways=: l1.ways: is nothing; write a whole number");
  CHECK(sample_error("sms: 8\n", {"l1.capacity_kib=17"}) ==
        "--set l1.capacity_kib=17: l1.capacity_kib is not a multiple of ways; choose a multiple of 4");
}

TEST_CASE("a setting that is no setting is refused") {
  for (const char* setting : {"l1.ways", "=8", "l1..ways=8", ".ways=8", "l1.=8", ""}) {
    INFO(setting);
    CHECK(sample_error("sms: 8\n", {setting}) == "--set " + std::string(setting) + ": is not a setting; write --set key.key=value");
  }
  CHECK(sample_error("sms: 8\n", {"extends=gpus/x"}) == "--set extends=gpus/x: `extends` cannot be set; write it into a file");
  CHECK(sample_error("sms: 8\n", {"sms=8", "sms=9"}) == "--set sms=9: the key is set twice; keep one");
  CHECK_THAT(sample_error("sms: 8\n", {"l1.splits=[8"}), Catch::Contains("not valid YAML"));
  CHECK(sample_error("sms: 8\n", {"sms=\xFF"}) == "--set sms=\xFF: holds a byte that is not UTF-8 text");
}

TEST_CASE("values for workloads that do not run are checked too") {
  const std::string file = "per_workload:\n  BFS: {l1.way: 8}\n  KM: {sms: 2}\n";
  CHECK(sample_error(file, {}, "SSSP") == "f.yaml:2:9: l1.way: unknown key; did you mean 'ways'?");
  CHECK(sample_error("per_workload:\n  KM: {sms: 2}\n") == "f.yaml:2:8: sms is smaller than l1.ways; have at least 4");
  CHECK(read_sample("per_workload:\n  KM: {sms: 5}\n  BFS: {sms: 6}\n").workloads == std::vector<std::string>{"BFS", "KM"});
}

TEST_CASE("per_workload must be mappings without a key set twice") {
  CHECK_THAT(sample_error("per_workload: 8\n"), Catch::StartsWith("f.yaml:1:15: per_workload: is '8'; write"));
  CHECK(sample_error("per_workload: {BFS: 8}\n") == "f.yaml:1:21: per_workload.BFS: is '8'; write BFS: {key: value}");
  CHECK(sample_error("per_workload: {BFS: {l1: {ways: 2}, l1.ways: 4}}\n") == "f.yaml:1:37: 'l1.ways' is set twice; keep one");
  CHECK(sample_error("per_workload: {BFS: {l1..ways: 4}}\n") == "f.yaml:1:22: 'l1..ways' is not a key path; write key.key");
  CHECK(sample_error("per_workload: {BFS: {extends: x}}\n", {}, "BFS") ==
        "f.yaml:1:22: extends: unknown key; known here: sms, title, l1, network");
}

TEST_CASE("a search is kept with its values as written") {
  const auto search = read_sample("search: {key: l1.ways, values: [1, 2, 4], objective: max ipc, tie: last}\n").search;
  REQUIRE(search);
  CHECK(search->key == "l1.ways");
  CHECK(search->values == std::vector<std::string>{"1", "2", "4"});
  CHECK(search->maximise);
  CHECK(search->objective == "ipc");
  CHECK(search->tie == "last");
  CHECK(read_sample("search: {key: sms, values: [8], objective: max ipc}\n").search->tie == "first");
  CHECK_FALSE(read_sample("sms: 8\n").search);
}

TEST_CASE("a search may say what has been published for workloads, a value each") {
  const auto search = read_sample("search: {key: l1.ways, values: [1], objective: max ipc, published: {BFS: 4, KM: 2}}\n").search;
  REQUIRE(search);
  CHECK(search->published == std::vector<std::pair<std::string, std::string>>{{"BFS", "4"}, {"KM", "2"}});
  CHECK(sample_error("search: {key: l1.ways, values: [1], objective: max ipc, published: 4}\n") ==
        "f.yaml:1:68: search.published: is '4'; write published: {workload: value}");
  CHECK(sample_error("search: {key: l1.ways, values: [1], objective: max ipc, published: {BFS: [4]}}\n") ==
        "f.yaml:1:74: search.published.BFS: is a list; write one value");
}

TEST_CASE("every value of a search must be a value of its key") {
  CHECK(sample_error("search: {key: l1.ways, values: [1, 65], objective: max ipc}\n") ==
        "f.yaml:1:36: l1.ways: '65' is out of range; write a whole number from 1 to 64");
  CHECK(sample_error("search: {key: l1.way, values: [1], objective: max ipc}\n") ==
        "f.yaml:1:32: l1.way: unknown key; did you mean 'ways'?");
  CHECK(sample_error("search: {key: l1.capacity_kib, values: [16, 18], objective: max ipc}\n") ==
        "f.yaml:1:45: l1.capacity_kib is not a multiple of ways; choose a multiple of 4");
}

TEST_CASE("a search that lacks a part or has a strange one is refused") {
  CHECK(sample_error("search: {values: [1], objective: max ipc}\n") ==
        "f.yaml:1:1: search: has no `key`; write search: {key, values, objective, tie}");
  CHECK(sample_error("search: {key: sms, values: [8]}\n") ==
        "f.yaml:1:1: search: has no `objective`; write search: {key, values, objective, tie}");
  CHECK(sample_error("search: {key: sms, values: [], objective: max ipc}\n") ==
        "f.yaml:1:20: search.values: must be a list of the values to try; write values: [1, 2, 4]");
  CHECK(sample_error("search: {key: sms, value: [8], values: [8], objective: max ipc}\n") ==
        "f.yaml:1:20: search.value: unknown key; did you mean 'values'?");
  CHECK(sample_error("search: {key: sms, values: [8], objective: max ipc, tie: lowest}\n") ==
        "f.yaml:1:58: search.tie: is 'lowest'; write first or last");
  CHECK(sample_error("search: {key: a..b, values: [8], objective: max ipc}\n") ==
        "f.yaml:1:15: search.key: 'a..b' is not a key path; write key.key");
  CHECK(sample_error("search: [1]\n") == "f.yaml:1:9: search: is a list; write search: {key, values, objective, tie}");
}

TEST_CASE("an objective is max or min of a metric") {
  CHECK_FALSE(read_sample("search: {key: sms, values: [8], objective: min time_ns}\n").search->maximise);
  for (const std::string objective : {"ipc", "most ipc", "max ipc now", "max"}) {
    CHECK(sample_error("search: {key: sms, values: [8], objective: " + objective + "}\n") ==
          "f.yaml:1:44: search.objective: is '" + objective + "'; write max METRIC or min METRIC, such as max ipc");
  }
}

TEST_CASE("a search with the key extends chooses among configurations and stands for the first") {
  const TemporaryFolder root;
  root.write("a/one.yaml", "sms: 10\n");
  root.write("a/two.yaml", "extends: a/one\nsms: 20\n");
  root.write("a/best.yaml", "description: the better one\nsearch: {key: extends, values: [a/one, two], objective: max ipc}\n");
  const auto best = load_sample(root, "a/best");
  REQUIRE(best.search);
  CHECK(best.search->over_configurations());
  CHECK(best.search->values == std::vector<std::string>{"a/one", (root.path() / "a/two.yaml").string()});
  CHECK(best.params.sms == 10);
  CHECK(best.description == "the better one");
  CHECK_FALSE(load_sample(root, "a/two").search);
}

TEST_CASE("a search over configurations holds nothing else and names configurations without a search") {
  const TemporaryFolder root;
  root.write("one.yaml", "sms: 10\n");
  root.write("tuned.yaml", "search: {key: sms, values: [8], objective: max ipc}\n");
  const std::string search = "search: {key: extends, values: [one, three, tuned], objective: max ipc}\n";
  const std::string file = root.write("best.yaml", search);
  CHECK_THAT(load_error(root, "best"), Catch::StartsWith(file + ":1:38: search.values: there is no configuration 'three'; ") &&
                                           Catch::Contains(file + ":1:45: search.values: 'tuned' has a search itself"));
  for (const std::string more : {"sms: 8\n", "extends: one\n", "per_workload: {BFS: {sms: 4}}\n"}) {
    const std::string mixed = root.write("mixed.yaml", more + "search: {key: extends, values: [one], objective: max ipc}\n");
    CHECK_THAT(load_error(root, "mixed"),
               Catch::StartsWith(mixed + ":2:1: search: chooses among configurations, and such a file holds nothing else"));
  }
  const std::string itself = root.write("self.yaml", "search: {key: extends, values: [self], objective: max ipc}\n");
  CHECK_THAT(load_error(root, "self"), Catch::Contains("'self' has a search itself"));
}

TEST_CASE("a scalar can be looked up by its path before its Params are known") {
  Mistakes mistakes;
  const Layers layers = parse_layers("platform: {name: dc_l1}\n", "f.yaml", "no-such-folder", mistakes);
  const Composed composed = compose(layers, "", {});
  CHECK(text_at(composed.tree, "platform.name") == std::string("dc_l1"));
  CHECK_FALSE(text_at(composed.tree, "platform"));
  CHECK_FALSE(text_at(composed.tree, "platform.nam"));
}

TEST_CASE("configurations are listed by name with their descriptions") {
  const TemporaryFolder root;
  root.write("gpus/b.yaml", "description: second\n");
  root.write("gpus/a.yaml", "sms: 8\n");
  root.write("notes.txt", "not a configuration");
  const auto list = list_configurations(root.path());
  REQUIRE(list.size() == 2);
  CHECK(list[0].name == "gpus/a");
  CHECK(list[0].description.empty());
  CHECK(list[1].name == "gpus/b");
  CHECK(list[1].description == "second");
}
