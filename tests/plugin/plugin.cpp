// Members from a shared library, from the view of users of `--plugin` and of find_package(Wharf). The library is built from the folder
// example against an installed Wharf.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "model/base/files/output_files.h"
#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

const std::string kInstalled = INSTALLED_PREFIX "/bin/wharf";
const std::string kExample = EXAMPLE_BUILD "/libexample.so";
const std::string kPlugin = "--plugin=" + kExample;

/// Writes the example's machine into a folder in which its name is short.
void put_mine(const TemporaryFolder& folder) { folder.file("mine.yaml", read_file(EXAMPLE_CONFIG)); }

Ended installed(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  return Program(folder, arguments, kInstalled).wait();
}

/// Runs the program with a library that has the mistake `mistake`.
Ended with_mistake(const std::string& mistake, const std::string& file = WRONG_PLUGIN) {
  const TemporaryFolder folder;
  setenv("WHARF_TEST_MISTAKE", mistake.c_str(), 1);
  return wharf(folder, {"list", "policies", "--plugin", file});
}

void refused(const std::string& mistake, const std::string& why) {
  INFO(mistake);
  const Ended ended = with_mistake(mistake);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains(WRONG_PLUGIN) && Contains(why));
}

TEST_CASE("compare sets a machine of a plugin's policies, network and stimulus beside private") {
  const TemporaryFolder folder;
  put_mine(folder);
  const Ended ended = installed(folder, {"compare", "private", "mine.yaml", "--stimuli", "saxpy@tiny,gemm@tiny", "--out", "c", kPlugin});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("mine.yaml") && Contains("saxpy@tiny") && Contains("mean"));
  CHECK(fs::exists(folder / "c/report.html"));
  const auto json = read_json(folder / "c/compare.json");
  REQUIRE(json["runs"].size() == 4);
  for (const auto& run : json["runs"]) {
    INFO(run["config"] << " " << run["stimulus"]);
    CHECK(run["run"]["net.request.packets"].get<std::uint64_t>() > 0);
    CHECK(run["run"]["energy.noc_dyn"].get<double>() > 0.0);
    CHECK(run["speed_up"].get<double>() > 0.0);
  }
}

TEST_CASE("loads on a plugin's network are those of golden memory, and its kernel computes what the host does") {
  const TemporaryFolder folder;
  put_mine(folder);
  for (const char* stimulus : {"saxpy@tiny", "bfs@tiny"}) {
    const Ended ended = installed(folder, {"run", "mine.yaml", "--stimulus", stimulus, "--verify", "--out", "r", kPlugin});
    INFO(stimulus << ended.output);
    CHECK(ended.exit_code == 0);
  }
}

TEST_CASE("a result does not depend on the order of blocks within a cycle") {
  const TemporaryFolder folder;
  put_mine(folder);
  const std::vector<std::string> run = {"run", "mine.yaml", "--stimulus", "gemm@tiny", "--quiet", kPlugin};
  for (const char* out : {"plain", "scramble", "ticking"}) {
    std::vector<std::string> arguments = run;
    arguments.push_back(std::string("--out=") + out);
    if (std::string(out) != "plain") arguments.push_back(std::string("--") + out);
    const Ended ended = installed(folder, arguments);
    INFO(out << ended.output);
    REQUIRE(ended.exit_code == 0);
  }
  CHECK(comparable_result(folder / "scramble") == comparable_result(folder / "plain"));
  CHECK(comparable_result(folder / "ticking") == comparable_result(folder / "plain"));
}

TEST_CASE("a plugin's design of two SMs to an L1 has half the L1s, and its loads are those of golden memory in every order of blocks") {
  const TemporaryFolder folder;
  folder.file("paired.yaml", read_file(EXAMPLE_DESIGN));
  for (const char* stimulus : {"bfs@tiny", "gemm@tiny"}) {
    for (const char* out : {"plain", "scramble"}) {
      std::vector<std::string> arguments = {"run", "paired.yaml", "--stimulus", stimulus, "--verify", "--out", out, "--quiet", kPlugin};
      if (std::string(out) == "scramble") arguments.push_back("--scramble");
      const Ended ended = installed(folder, arguments);
      INFO(stimulus << " " << out << ended.output);
      REQUIRE(ended.exit_code == 0);
    }
    CHECK(comparable_result(folder / "scramble") == comparable_result(folder / "plain"));
    const std::string counted = read_file(folder / "plain/stats.csv");
    CHECK_THAT(counted, Contains("\nl1[39].load.accesses,") && !Contains("\nl1[40].load.accesses,"));
    CHECK_THAT(counted, Contains("\nsm[79].warp_instructions,"));
  }
}

TEST_CASE("a plugin's design has keys of its own, and refuses a GPU that it cannot be built on") {
  const TemporaryFolder folder;
  folder.file("paired.yaml", read_file(EXAMPLE_DESIGN));
  const auto with = [&](const std::string& config, const std::string& setting) {
    return installed(folder, {"run", config, "--set", setting, "--stimulus", "gemm@tiny", "--out", "r", "--quiet", kPlugin});
  };
  CHECK(with("paired.yaml", "paired.sms=4").exit_code == 0);
  CHECK_THAT(read_file(folder / "r/stats.csv"), Contains("\nl1[19].load.accesses,") && !Contains("\nl1[20].load.accesses,"));
  const Ended uneven = with("paired.yaml", "paired.sms=3"), writes = with("paired.yaml", "l1.store_hit=update"),
              other = with("private", "paired.sms=4");
  CHECK_THAT(uneven.output, Contains("sms are not whole groups of paired.sms; make sms a multiple of it"));
  CHECK_THAT(writes.output, Contains("l1 keeps written data"));
  CHECK_THAT(other.output, Contains("paired has no effect because platform is not paired"));
  for (const Ended& ended : {uneven, writes, other}) CHECK(ended.exit_code == 2);
}

TEST_CASE("a plugin's network carries the traffic of an extended LLC in a class of its own") {
  const TemporaryFolder folder;
  const Ended ended = installed(folder, {"run", "morpheus/basic", "--set=network.topology=bus", "--set=front_end.eligible_sms=34",
                                         "--stimulus", "vectoradd@tiny", "--verify", "--out", "r", kPlugin});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
}

TEST_CASE("the result names the plugin among its inputs, and its bytes") {
  const TemporaryFolder folder;
  const Ended ended = installed(folder, {"run", "private", "--stimulus", "saxpy@tiny", "--out", "r", kPlugin});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto inputs = read_json(folder / "r/result.json")["inputs"];
  CHECK(inputs["plugins"] == nlohmann::ordered_json{kExample});
  CHECK(inputs["plugin_hashes"] == nlohmann::ordered_json{fingerprint_of_file(kExample)});
}

TEST_CASE("a virtual platform runs on a plugin's machine, and its result names the plugin") {
  const TemporaryFolder folder;
  put_mine(folder);
  const Ended ended = installed(folder, {"vp", "--config", "mine.yaml", "--out", "v", kPlugin});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("all results correct"));
  CHECK(read_json(folder / "v/result.json")["inputs"]["plugins"].size() == 1);
}

TEST_CASE("a comparison runs again what ran with another build of the plugin, and nothing else") {
  const TemporaryFolder folder;
  const std::string copy = (folder / "copy.so").string();
  fs::copy_file(kExample, copy);
  const std::vector<std::string> compare = {"compare",  "private", "--set=l1.replacement=lfu", "--stimuli", "saxpy@tiny", "--out", "c",
                                            "--plugin", copy};
  CHECK_THAT(installed(folder, compare).output, Contains("1 run, "));
  CHECK_THAT(installed(folder, compare).output, Contains("0 runs, "));
  write_file(copy, read_file(kExample) + "another build");
  CHECK_THAT(installed(folder, compare).output, Contains("1 run, "));
}

TEST_CASE("a sweep varies the arguments of a plugin's policy, over a plugin's stimulus") {
  const TemporaryFolder folder;
  folder.file("bits.yaml",
              "configs: [private]\nstimuli: [saxpy@tiny]\nvary: {l1.replacement: [lru, 'lfu:bits=2', 'lfu:bits=3']}\nmetrics: [cycles]\n");
  const Ended ended = installed(folder, {"sweep", "bits.yaml", "--out", "s", kPlugin});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("3 runs, ") && Contains("lfu:bits=2") && Contains("lfu:bits=3"));
}

TEST_CASE("a trace that is exported of a plugin's stimulus runs without the plugin") {
  const TemporaryFolder folder;
  REQUIRE(installed(folder, {"trace", "export", "--stimulus", "saxpy@tiny", "--out", "t", kPlugin}).exit_code == 0);
  REQUIRE(installed(folder, {"run", "private", "--stimulus", "saxpy@tiny", "--out", "r", kPlugin}).exit_code == 0);
  REQUIRE(installed(folder, {"run", "private", "--trace", "t", "--out", "again"}).exit_code == 0);
  CHECK(read_json(folder / "again/result.json")["run"]["cycles"] == read_json(folder / "r/result.json")["run"]["cycles"]);
}

TEST_CASE("list and describe show what a plugin adds, and whose it is") {
  const TemporaryFolder folder;
  const Ended policies = installed(folder, {"list", "policies", kPlugin});
  CHECK_THAT(policies.output, Contains("lfu") && Contains("least frequently used (plugin example) [bits=1..8, default 2: width of a") &&
                                  Contains("the youngest ready warp (plugin example)") &&
                                  Contains("[latency=2..1000, default 20: network cycles"));
  CHECK_THAT(installed(folder, {"list", "stimuli", kPlugin}).output, Contains("y = a x + y: two loads and a store (plugin example)"));
  CHECK_THAT(installed(folder, {"describe", "saxpy", kPlugin}).output, Contains("saxpy@tiny") && Contains("n=16384"));
  CHECK_THAT(installed(folder, {"list", "policies"}).output, !Contains("lfu"));
}

TEST_CASE("a mistake in the arguments of a policy is shown where it stands") {
  const TemporaryFolder folder;
  folder.file("wide.yaml", "extends: private\nl1: {replacement: 'lfu:bits=9'}\nl2: {replacement: 'lru:bits=2'}\n");
  const Ended wide = installed(folder, {"check", "wide.yaml", kPlugin});
  CHECK(wide.exit_code == 2);
  CHECK_THAT(wide.output, Contains("wide.yaml:2:19: l1.replacement: lfu:bits=9: bits=9 is out of range") &&
                              Contains("wide.yaml:3:19: l2.replacement: lru:bits=2: lru takes no arguments; write lru"));
  folder.file("unknown.yaml", "extends: private\nl1: {replacement: 'lfu:bit=2'}\n");
  CHECK_THAT(installed(folder, {"check", "unknown.yaml", kPlugin}).output, Contains("unknown argument 'bit'; did you mean 'bits'?"));
  folder.file("absent.yaml", "extends: private\nl1: {replacement: lfu}\n");
  CHECK_THAT(installed(folder, {"check", "absent.yaml"}).output, Contains("l1.replacement: is 'lfu'; did you mean 'lru'?"));
}

TEST_CASE("an installed Wharf finds its configurations and suites beside itself") {
  const TemporaryFolder folder;
  const fs::path config = INSTALLED_PREFIX "/share/wharf/platforms/configs/only_installed.yaml";
  write_file(config, "extends: private\ndescription: of this installation\n");
  CHECK_THAT(installed(folder, {"list", "configs"}).output, Contains("only_installed") && Contains("of this installation"));
  fs::remove(config);
  CHECK_THAT(installed(folder, {"list", "suites"}).output, Contains("quick"));
  CHECK_THAT(wharf(folder, {"list", "configs"}).output, Contains("dc_l1/sh40"));
}

TEST_CASE("a simulator in C has Wharf as its memory system, and a TLM-2.0 initiator stands above an L1") {
  const TemporaryFolder folder;
  const Ended loop = Program(folder, {}, EXAMPLE_BUILD "/memory_loop").wait();
  CHECK(loop.exit_code == 0);
  CHECK_THAT(loop.output, Contains("cycles a load, L1 miss rate"));
  const Ended core = Program(folder, {}, EXAMPLE_BUILD "/memory_tlm_core").wait();
  CHECK(core.exit_code == 0);
  CHECK_THAT(core.output, Contains("first read: TLM_OK_RESPONSE") && Contains("second read: TLM_OK_RESPONSE"));
}

TEST_CASE("a program of one's own around the installed model counts what the program does") {
  const TemporaryFolder folder;
  const Ended own = Program(folder, {}, EXAMPLE_BUILD "/own_program").wait();
  INFO(own.output);
  REQUIRE(own.exit_code == 0);
  REQUIRE(installed(folder, {"run", "private", "--stimulus", "vectoradd@tiny", "--out", "r"}).exit_code == 0);
  const auto run = read_json(folder / "r/result.json")["run"];
  CHECK_THAT(own.output, Contains(std::to_string(run["cycles"].get<std::uint64_t>()) + " cycles, " +
                                  std::to_string(run["l1.load.accesses"].get<std::uint64_t>()) + " loads"));
}

TEST_CASE("one that was built for another Wharf is refused with what differs") {
  refused("version", "version 0.0.1 instead of 0.1.0; rebuild it against this Wharf");
  refused("headers", "headers 0123456789abcdef instead of ");
  refused("compiler", "compiler g++ 4 instead of ");
  refused("strings", "_GLIBCXX_USE_CXX11_ABI 0 instead of 1");
  refused("systemc", "SystemC 20301 instead of 20304");
  refused("form", "another form of wharf_plugin");
}

TEST_CASE("one that cannot add what it has is refused with its reason") {
  refused("exception", "the licence has run out");
  refused("number", "an exception that is not a std::exception");
  refused("taken name", "there is a warp scheduler 'gto' already; give the added one another name");
  refused("odd name", "it adds a member called 'spare:1'; a name is of small letters, digits and _");
  refused("workload", "it adds the workload synthetic, which is there already");
  const Ended good = with_mistake("");
  CHECK(good.exit_code == 0);
  CHECK_THAT(good.output, Contains("does nothing (plugin wrong)"));
}

TEST_CASE("one whose static initialisation throws is refused by name") {
  refused("static exception", "its static initialisation threw an exception: no licence server");
  refused("static number", "its static initialisation threw an exception that is not a std::exception");
}

TEST_CASE("a maker that returns nothing ends the run with 2, its family, its name and its plugin") {
  const auto run = [](const std::string& family, const std::vector<std::string>& more) {
    const TemporaryFolder folder;
    setenv("WHARF_TEST_MISTAKE", ("null " + family).c_str(), 1);
    std::vector<std::string> arguments = {"run", "private", "--plugin", WRONG_PLUGIN, "--out", "o"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = wharf(folder, arguments);
    INFO(family << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("the maker of ") && Contains("(plugin wrong)) has returned nothing; let it return an object"));
  };
  for (const char* set :
       {"replacement l1.replacement=none_yet", "cta_scheduler front_end.cta_scheduler=none_yet", "warp_filter sm.warp_filter=none_yet",
        "dram_scheduler dram.scheduler=none_yet", "network network.topology=none_yet", "arbitration network.crossbar.arbitration=none_yet",
        "scheduler sm.warp_scheduler=spare"}) {
    const std::string text = set;
    run(text.substr(0, text.find(' ')), {"--stimulus", "vectoradd@tiny", "--set", text.substr(text.find(' ') + 1)});
  }
  run("stimulus", {"--stimulus", "none_yet"});
}

TEST_CASE("a file that is no plugin is refused with what it is") {
  const TemporaryFolder folder;
  const Ended missing = with_mistake("", "missing.so"), other = with_mistake("", NO_PLUGIN),
              unresolved = with_mistake("", UNRESOLVED_PLUGIN), text = with_mistake("", folder.file("text.so", "not a library")),
              none = with_mistake("", "");
  CHECK_THAT(missing.output, Contains("plugin missing.so: there is no such file"));
  CHECK_THAT(other.output, Contains("does not define wharf_plugin, so it is not a plugin of Wharf"));
  CHECK_THAT(unresolved.output, Contains("undefined symbol: gone_since_the_last_version; rebuild it against this Wharf"));
  CHECK_THAT(text.output, Contains("text.so: cannot be loaded"));
  for (const Ended& ended : {missing, other, unresolved, text, none}) {
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
  }
}

TEST_CASE("one that is named twice is refused") {
  const TemporaryFolder folder;
  const Ended twice = wharf(folder, {"list", "policies", "--plugin", WRONG_PLUGIN, "--plugin", WRONG_PLUGIN});
  CHECK(twice.exit_code == 2);
  CHECK_THAT(twice.output, Contains("is given twice; keep one"));
}

TEST_CASE("the command that compare offers names the plugins, and runs") {
  const TemporaryFolder folder;
  put_mine(folder);
  fs::copy_file(kExample, folder / "my plugin.so");
  fs::create_symlink(built_program(), folder / "wharf");
  const auto shell = [&](const std::string& line) { return Program(folder, {"-c", line}, "/bin/sh").wait(); };
  const Ended compared = shell("./wharf compare private mine.yaml --stimuli gemm@tiny --quiet --plugin 'my plugin.so'");
  INFO(compared.output);
  REQUIRE(compared.exit_code == 0);
  const std::string start = "to see why: ", offered = compared.output.substr(compared.output.find(start) + start.size());
  CHECK(offered == "./wharf explain private mine.yaml --stimulus gemm@tiny --plugin 'my plugin.so'\n");
  const Ended pasted = shell(offered);
  INFO(pasted.output);
  CHECK(pasted.exit_code == 0);
}

}  // namespace
}  // namespace wharf::cli
