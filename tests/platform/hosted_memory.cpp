// Wharf as the memory system of another simulator, through its C interface.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>
#include <systemc>
#include <vector>

#include "platforms/inputs/configuration.h"
#include "platforms/memory/wharf_memory.h"

namespace wharf::test {
namespace {

using Catch::Contains;

class Host {
 public:
  explicit Host(const char* configuration, const std::vector<const char*>& settings = {}, bool verify = true) {
    wharf_memory_options options = {};
    options.configuration = configuration;
    options.settings = settings.data();
    options.setting_count = settings.size();
    options.verify = verify;
    memory = wharf_memory_create(
        &options,
        [](void* user, const wharf_memory_reply* reply) {
          auto* const host = static_cast<Host*>(user);
          host->replies.push_back(*reply);
          host->delivered_in.push_back(wharf_memory_cycle(host->memory));
        },
        this);
    INFO(wharf_memory_error(nullptr));
    REQUIRE(memory != nullptr);
  }
  ~Host() { wharf_memory_destroy(memory); }

  int offer(std::uint32_t kind, std::uint64_t address, std::uint32_t bytes, std::uint32_t core = 0, std::uint64_t tag = 0) {
    wharf_memory_request request = {};
    request.kind = kind;
    request.address = address;
    request.bytes = bytes;
    request.core = core;
    request.tag = tag;
    return wharf_memory_try_request(memory, &request);
  }
  /// The reply to a single request.
  wharf_memory_reply answer(wharf_memory_kind kind, std::uint64_t address, std::uint32_t bytes) {
    replies.clear();
    REQUIRE(offer(kind, address, bytes) == 1);
    REQUIRE(wharf_memory_advance_to(memory, wharf_memory_cycle(memory) + 100'000) == 0);
    REQUIRE(replies.size() == 1);
    CHECK(replies[0].cycle == wharf_memory_cycle(memory));
    return replies[0];
  }
  double metric(const char* name) {
    double value = -1.0;
    INFO(name);
    CHECK(wharf_memory_metric(memory, name, &value) == 0);
    return value;
  }
  std::string error() const { return wharf_memory_error(memory); }

  wharf_memory* memory = nullptr;
  std::vector<wharf_memory_reply> replies;
  std::vector<std::uint64_t> delivered_in;
};

TEST_CASE("a hosted load that hits is answered two cycles and the latency of the L1 after it was offered") {
  Host host("private", {"sms=2", "channels=1"});
  const L1Params l1 = cli::load_configuration("private", {}, "").params.l1;
  CHECK(wharf_memory_cycle(host.memory) == 0);
  CHECK(host.answer(WHARF_MEMORY_LOAD, 0x4000, 32).level == WHARF_MEMORY_DRAM);
  const std::uint64_t offered = wharf_memory_cycle(host.memory);
  const wharf_memory_reply hit = host.answer(WHARF_MEMORY_LOAD, 0x4000, 4);
  CHECK(hit.level == WHARF_MEMORY_L1);
  const Cycle sends = 1, reaches = 1;
  CHECK(hit.cycle - offered == sends + reaches + l1.hit_latency());
  CHECK(host.metric("l1.load.hits") == 1);
  CHECK(wharf_memory_finish(host.memory) == 0);
}

TEST_CASE("hosted time stops at the first reply that is due, and goes on to the cycle that was asked for where there is none") {
  Host host("private", {"sms=1", "channels=1"});
  CHECK(wharf_memory_advance_to(host.memory, 12'345) == 1);
  CHECK(wharf_memory_cycle(host.memory) == 12'345);
  REQUIRE(host.offer(WHARF_MEMORY_LOAD, 0, 128, 0, 77) == 1);
  CHECK(wharf_memory_in_flight(host.memory) == 1);
  CHECK(wharf_memory_advance_to(host.memory, 50'000) == 0);
  REQUIRE(host.replies.size() == 1);
  CHECK(host.replies[0].tag == 77);
  CHECK(wharf_memory_in_flight(host.memory) == 0);
  CHECK(wharf_memory_advance_to(host.memory, 50'000) == 1);
  CHECK(wharf_memory_cycle(host.memory) == 50'000);
}

TEST_CASE("a host that ticks gets each reply in its own cycle") {
  Host host("dc_l1");
  constexpr unsigned kCores = 8, kRequests = 64;
  std::array<unsigned, kCores> made{};
  while (std::any_of(made.begin(), made.end(), [](unsigned n) { return n < kRequests; }) || wharf_memory_in_flight(host.memory) != 0) {
    for (std::uint32_t core = 0; core < kCores; ++core)
      if (const unsigned i = made[core]; i < kRequests)
        made[core] += host.offer(i % 4 == 3 ? WHARF_MEMORY_STORE : WHARF_MEMORY_LOAD, i * 4096 + core * 128, 128, core, i) == 1;
    REQUIRE(wharf_memory_tick(host.memory) >= 0);
  }
  REQUIRE(host.replies.size() == kCores * kRequests);
  for (std::size_t i = 0; i < host.replies.size(); ++i) CHECK(host.replies[i].cycle == host.delivered_in[i]);
  const int finished = wharf_memory_finish(host.memory);
  INFO(host.error());
  CHECK(finished == 0);
}

TEST_CASE("a core makes one request a cycle, and its stores and atomics are answered") {
  Host host("private", {"sms=2", "channels=1"});
  CHECK(host.offer(WHARF_MEMORY_STORE, 0, 128, 0, 1) == 1);
  CHECK(host.offer(WHARF_MEMORY_LOAD, 128, 32, 0, 2) == 0);
  CHECK(host.offer(WHARF_MEMORY_ATOMIC, 256, 4, 1, 3) == 1);
  REQUIRE(wharf_memory_tick(host.memory) == 1);
  CHECK(host.offer(WHARF_MEMORY_LOAD, 0, 32, 0, 4) == 1);
  while (wharf_memory_in_flight(host.memory) != 0) REQUIRE(wharf_memory_tick(host.memory) >= 0);
  std::map<std::uint64_t, wharf_memory_kind> kinds;
  for (const auto& reply : host.replies) kinds[reply.tag] = reply.kind;
  CHECK(kinds == std::map<std::uint64_t, wharf_memory_kind>{{1, WHARF_MEMORY_STORE}, {3, WHARF_MEMORY_ATOMIC}, {4, WHARF_MEMORY_LOAD}});
  CHECK(wharf_memory_finish(host.memory) == 0);
}

TEST_CASE("a kernel boundary empties the L1s of a hosted memory, and waits for nothing that is in flight") {
  Host host("private", {"sms=1", "channels=1"});
  CHECK(host.answer(WHARF_MEMORY_LOAD, 0, 32).level == WHARF_MEMORY_DRAM);
  CHECK(host.answer(WHARF_MEMORY_LOAD, 0, 32).level == WHARF_MEMORY_L1);
  REQUIRE(host.offer(WHARF_MEMORY_LOAD, 4096, 32) == 1);
  CHECK(wharf_memory_kernel_boundary(host.memory) == 0);
  CHECK(wharf_memory_advance_to(host.memory, wharf_memory_cycle(host.memory) + 100'000) == 0);
  CHECK(wharf_memory_kernel_boundary(host.memory) == 1);
  CHECK(host.answer(WHARF_MEMORY_LOAD, 0, 32).level == WHARF_MEMORY_L2);
}

/// All metrics, as text.
std::string metrics_of(const Host& host) {
  const char* text = wharf_memory_metrics(host.memory);
  REQUIRE(text != nullptr);
  return text;
}

/// Loads of four cores, one per cycle each.
void load_lines(Host& host, unsigned lines) {
  for (unsigned n = 0; n < lines || wharf_memory_in_flight(host.memory) != 0;) {
    for (std::uint32_t core = 0; core < 4 && n < lines; ++core) n += host.offer(WHARF_MEMORY_LOAD, n * 128ull, 32, core) == 1;
    REQUIRE(wharf_memory_tick(host.memory) >= 0);
  }
}

TEST_CASE("finish changes no figure of a hosted memory where nothing is in flight") {
  const char* configuration = GENERATE("private", "gpus/volta_qv100", "loscache/baseline", "dc_l1");
  const pid_t child = fork();  // a process can have only one memory system
  if (child == 0) {
    Host host(configuration, {}, false);
    load_lines(host, 400);
    const std::string before = metrics_of(host);
    const std::uint64_t cycle = wharf_memory_cycle(host.memory);
    const bool kept = wharf_memory_finish(host.memory) == 0 && wharf_memory_cycle(host.memory) == cycle && metrics_of(host) == before;
    _exit(kept ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  INFO(configuration);
  CHECK(status == 0);
}

TEST_CASE("a hosted memory that is finished with loads in flight ends in the cycle of the last answer") {
  Host host("private", {"sms=4", "channels=2"});
  for (std::uint32_t core = 0; core < 4; ++core) REQUIRE(host.offer(WHARF_MEMORY_LOAD, core * 4096, 128, core) == 1);
  CHECK(wharf_memory_finish(host.memory) == 0);
  REQUIRE(host.replies.size() == 4);
  CHECK(wharf_memory_cycle(host.memory) == host.replies.back().cycle);
  CHECK(host.metric("cycles") == static_cast<double>(host.replies.back().cycle));
}

/// Stores whose victims are written to memory long after the stores' answers. Returns the cycle in which the last of these writes has
/// drained: `finish` ends there, and a host that keeps ticking learns it from DRAM.
std::uint64_t drained_after_stores(bool finish) {
  Host host("private",
            {"sms=1", "channels=1", "l2.slice_kib=4", "l2.ways=1", "dram.timing.tRCD=100", "dram.timing.tRAS=100", "dram.timing.tRC=200"},
            false);
  for (unsigned n = 0; n < 64 || wharf_memory_in_flight(host.memory) != 0;) {
    if (n < 64) n += host.offer(WHARF_MEMORY_STORE, n * 4096ull, 128) == 1;
    REQUIRE(wharf_memory_tick(host.memory) >= 0);
  }
  const std::uint64_t answered = wharf_memory_cycle(host.memory);
  if (finish) {
    REQUIRE(wharf_memory_finish(host.memory) == 0);
    REQUIRE(wharf_memory_cycle(host.memory) > answered);
    return wharf_memory_cycle(host.memory);
  }
  std::uint64_t last = answered;
  for (double served = -1; wharf_memory_cycle(host.memory) < last + 1'000;) {
    REQUIRE(wharf_memory_tick(host.memory) >= 0);
    if (const double now = host.metric("dram.completions"); now != served) last = wharf_memory_cycle(host.memory), served = now;
  }
  return last;
}

TEST_CASE("finish ends in the cycle in which the last write has drained, and not a step later") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t drained = drained_after_stores(false);
    _exit(write(ends[1], &drained, sizeof drained) == sizeof drained ? 0 : 1);
  }
  std::uint64_t drained = 0;
  REQUIRE(read(ends[0], &drained, sizeof drained) == sizeof drained);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(drained_after_stores(true) == drained);
}

TEST_CASE("a kernel boundary of a hosted memory with nothing to write back takes the cycles that it needs") {
  Host host("private", {"sms=1", "channels=1"});
  const std::uint64_t begin = wharf_memory_cycle(host.memory);
  REQUIRE(wharf_memory_kernel_boundary(host.memory) == 1);
  const Cycle resumes = 1, launch = 1;
  CHECK(wharf_memory_cycle(host.memory) - begin == resumes + launch);
}

TEST_CASE("a hosted memory is not created at another time resolution than 1 ps") {
  sc_core::sc_set_time_resolution(10, sc_core::SC_NS);
  wharf_memory_options options = {};
  options.configuration = "private";
  CHECK(wharf_memory_create(&options, nullptr, nullptr) == nullptr);
  CHECK_THAT(wharf_memory_error(nullptr), Contains("the time resolution is 10 ns, and Wharf needs a time resolution of 1 ps"));
}

TEST_CASE("requests that are wrong are refused with the reason, and the simulation goes on") {
  Host host("private", {"sms=2", "channels=1"});
  CHECK(host.offer(WHARF_MEMORY_LOAD, 0, 32, 2) == -1);
  CHECK_THAT(host.error(), Contains("core 2: there are 2"));
  CHECK(host.offer(WHARF_MEMORY_LOAD, 120, 16) == -1);
  CHECK_THAT(host.error(), Contains("16 bytes at 0x78"));
  CHECK(host.offer(WHARF_MEMORY_LOAD, 0, 0) == -1);
  CHECK(host.offer(WHARF_MEMORY_LOAD, 0, 129) == -1);
  CHECK(host.offer(WHARF_MEMORY_LOAD, ~std::uint64_t{0}, 2) == -1);
  CHECK(host.offer(9, 0, 4) == -1);
  CHECK_THAT(host.error(), Contains("kind 9"));
  CHECK(wharf_memory_tick(host.memory) == 1);
  CHECK(wharf_memory_advance_to(host.memory, 0) == -1);
  CHECK_THAT(host.error(), Contains("cycle 0 has passed"));
  double value = 0.0;
  CHECK(wharf_memory_metric(host.memory, "l1.miss_rats", &value) == -1);
  CHECK(host.answer(WHARF_MEMORY_LOAD, ~std::uint64_t{0}, 1).level == WHARF_MEMORY_DRAM);
}

TEST_CASE("a machine of sectors takes requests of a sector") {
  Host host("gpus/volta_qv100");
  CHECK(wharf_memory_transaction_bytes(host.memory) == 32);
  CHECK(wharf_memory_cores(host.memory) == 80);
  CHECK(host.offer(WHARF_MEMORY_LOAD, 0, 64) == -1);
  CHECK(host.answer(WHARF_MEMORY_LOAD, 32, 32).level == WHARF_MEMORY_DRAM);
}

TEST_CASE("a second memory system in a process, and what a host's cores cannot have, are refused with the reason") {
  wharf_memory_options options = {};
  CHECK(wharf_memory_create(&options, nullptr, nullptr) == nullptr);
  CHECK_THAT(wharf_memory_error(nullptr), Contains("options.configuration"));
  options.configuration = "privat";
  CHECK(wharf_memory_create(&options, nullptr, nullptr) == nullptr);
  CHECK_THAT(wharf_memory_error(nullptr), Contains("privat"));
  options.configuration = "ciao";
  CHECK(wharf_memory_create(&options, nullptr, nullptr) == nullptr);
  CHECK_THAT(wharf_memory_error(nullptr), Contains("sm.warp_filter") && Contains("sm.warp_filter: none"));
  options.configuration = "morpheus";
  CHECK(wharf_memory_create(&options, nullptr, nullptr) == nullptr);
  CHECK_THAT(wharf_memory_error(nullptr), Contains("morpheus"));
  options.configuration = "private";
  wharf_memory* first = wharf_memory_create(&options, nullptr, nullptr);
  REQUIRE(first != nullptr);
  CHECK(wharf_memory_create(&options, nullptr, nullptr) == nullptr);
  CHECK_THAT(wharf_memory_error(nullptr), Contains("one simulation a process"));
  wharf_memory_destroy(first);
}

/// Random loads and stores of every core on shared lines. `verify` checks each load against golden memory.
void serve_random_requests(const char* configuration) {
  Host host(configuration);
  const std::uint32_t bytes = wharf_memory_transaction_bytes(host.memory), cores = wharf_memory_cores(host.memory);
  std::uint64_t state = 1, made = 0;
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    for (std::uint32_t core = 0; core < cores; ++core) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto random = static_cast<std::uint32_t>(state >> 33);
      if (random % 8 != 0) continue;
      const wharf_memory_kind kind = random / 8 % 16 == 0 ? WHARF_MEMORY_STORE : WHARF_MEMORY_LOAD;
      made += host.offer(kind, (random / 128 % 512) * bytes, bytes, core) == 1;
    }
    REQUIRE(wharf_memory_tick(host.memory) >= 0);
  }
  while (wharf_memory_in_flight(host.memory) != 0) {
    const int ticked = wharf_memory_tick(host.memory);
    INFO(host.error());
    REQUIRE(ticked >= 0);
  }
  CHECK(host.replies.size() == made);
  const int finished = wharf_memory_finish(host.memory);
  INFO(host.error());
  CHECK(finished == 0);
}

TEST_CASE("remote L1s serve a hosted memory's cores with golden memory's data") { serve_random_requests("remote_sharing"); }
TEST_CASE("homes serve a hosted memory's cores with golden memory's data") { serve_random_requests("shared_l1"); }
TEST_CASE("shared tags serve a hosted memory's cores with golden memory's data") { serve_random_requests("ata"); }
TEST_CASE("decoupled L1s serve a hosted memory's cores with golden memory's data") { serve_random_requests("dc_l1"); }
TEST_CASE("a gated L2 serves a hosted memory's cores with golden memory's data") { serve_random_requests("loscache/baseline"); }

}  // namespace
}  // namespace wharf::test
