// A foreign module that only forwards its calls changes no byte of the results, on any link.

#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "platforms/cli/stimuli.h"
#include "platforms/frame/gpu_frame.h"
#include "tests/platform/machines/apart.h"
#include "tests/support/forwarder.h"
#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

/// The links of one kind differ only in their numbers.
std::string kind_of(std::string link) {
  while (link.back() >= '0' && link.back() <= '9') link.pop_back();
  return link;
}

struct Forwarders {
  explicit Forwarders(std::function<bool(const std::string& kind)> chosen) : chosen_(std::move(chosen)) {}
  BetweenLink operator()(const std::string& link) {
    if (!chosen_(kind_of(link))) return {};
    made_.push_back(std::make_shared<Forwarder>(("forwarder_" + link).c_str()));
    return {&made_.back()->in, &made_.back()->out};
  }

 private:
  std::function<bool(const std::string& kind)> chosen_;
  std::vector<std::shared_ptr<Forwarder>> made_;
};

void check_forwarders(const std::string& configuration, const std::string& stimulus, const std::vector<std::string>& settings = {},
                      const RunOptions& given = {}) {
  INFO(configuration << " " << stimulus);
  const GpuParams params = machine(configuration, settings);
  const cli::TemporaryFolder folder;
  const auto run = [&](const std::function<bool(const std::string&)>& chosen) {
    RunOptions options = given;
    options.window_thread_instructions = 5'000;
    options.between = Forwarders(chosen);
    const Outcome outcome = run_apart(
        params, [&] { return cli::open_named_stimulus(stimulus, 1); }, options);
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome.bytes();
  };
  // The run's own process lists the links.
  const std::string list = folder / "links";
  const std::string plain = run([&](const std::string& kind) {
    std::ofstream(list, std::ios::app) << kind << '\n';
    return false;
  });
  std::set<std::string> kinds;
  std::ifstream lines(list);
  for (std::string line; std::getline(lines, line);) kinds.insert(line);
  REQUIRE(kinds.size() >= 6);
  for (const std::string& only : kinds) {
    INFO("in " << only);
    CHECK(run([&](const std::string& kind) { return kind == only; }) == plain);
  }
  CHECK(run([](const std::string&) { return true; }) == plain);
}

TEST_CASE("a forwarder changes no byte in any link of private") { check_forwarders("private", "bfs@tiny"); }
TEST_CASE("a forwarder changes no byte in any link of a private GPU with atomics and bytes") {
  check_forwarders("private", "histo@tiny", {"data=bytes"});
}
TEST_CASE("a forwarder changes no byte in any link of ata") { check_forwarders("ata", "gemm@tiny"); }
TEST_CASE("a forwarder changes no byte in any link of dc_l1") { check_forwarders("dc_l1", "gemm@tiny"); }
TEST_CASE("a forwarder changes no byte in any link of shared_l1") { check_forwarders("shared_l1", "gemm@tiny"); }
TEST_CASE("a forwarder changes no byte in any link of remote_sharing") { check_forwarders("remote_sharing", "gemm@tiny"); }
TEST_CASE("a forwarder changes no byte in any link of ciao") { check_forwarders("ciao", "kmeans@tiny"); }
TEST_CASE("a forwarder changes no byte in any link of morpheus") { check_forwarders("morpheus", "bfs@tiny"); }
TEST_CASE("a forwarder beside golden memory and protocol checkers changes no byte") {
  check_forwarders("private", "gemm@tiny", {}, checked());
}

}  // namespace
}  // namespace wharf::test
