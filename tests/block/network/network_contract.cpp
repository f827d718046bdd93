// The properties that every network of the catalogue guarantees, whatever its structure (CM-6, CM-15, CM-16). A topology that is added to
// the catalogue is tested here as soon as unloaded() below knows its latency. The example's bus represents the networks of plugins.
//
// Exact cycles under load are compared with a reference model of each kind: tests/unit/network/crossbar/crossbar_flits.h,
// tests/unit/network/routed/routed_flits.h, tests/unit/network/rate_plain.h.

#include <map>

#include "model/base/rng.h"
#include "model/network/added_network.h"
#include "model/network/crossbar/crossbar_params.h"
#include "model/network/hierarchical/hierarchical_params.h"
#include "model/network/interconnect.h"
#include "model/network/rate/rate_params.h"
#include "model/network/routed/routed_params.h"
#include "tests/block/network/message_rig.h"
#include "tests/plugin/example/bus.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr unsigned kSms = 6, kSlices = 3, kEnds = kSms + kSlices;
constexpr Cycle kBusLatency = 20;

/// The names of the catalogue and of the example's bus.
std::vector<std::string> topologies() {
  static const bool added = [] {
    add_network({"bus", "", example::make_bus}, {{"latency", std::to_string(kBusLatency), 1, 100, ""}});
    return true;
  }();
  std::vector<std::string> names;
  for (const config::PolicyName& entry : network_catalogue_names())
    if (added) names.emplace_back(entry.name);
  return names;
}

NetworkParams params_of(const std::string& topology, bool smallest = false) {
  NetworkParams p;
  p.sms = kSms;
  p.slices = kSlices;
  p.topology = topology;
  auto& crossbar = p.of<network::CrossbarParams>();
  auto& hierarchy = p.of<network::HierarchicalParams>();
  auto& mesh = p.of<network::MeshParams>();
  auto& ring = p.of<network::RingKeys>().ring;
  auto& butterfly = p.of<network::ButterflyParams>();
  hierarchy.gpcs = {4, 2};
  hierarchy.reply[network::Tier::sm].rate = {32, 1};
  mesh.columns = 3;
  butterfly.radix = 3;
  butterfly.stages = 2;
  if (!smallest) return p;
  p.interface_packets = crossbar.buffer_flits = crossbar.ejection_flits = crossbar.virtual_channels = p.of<network::RateParams>().queue =
      hierarchy.queue = 1;
  for (network::RouterParams* router : {static_cast<network::RouterParams*>(&mesh), static_cast<network::RouterParams*>(&ring),
                                        static_cast<network::RouterParams*>(&butterfly)}) {
    router->buffer_flits = router->ejection_flits = 1;
    router->virtual_channels = 2;
  }
  return p;
}

/// Network cycles from end to end of a message that never waits, as the sum of its causes (CM-15).
Cycle unloaded(const NetworkParams& p, unsigned hops, unsigned flits) {
  const Cycle behind_head = flits - 1;
  if (p.topology == "crossbar") return p.of<network::CrossbarParams>().latency + behind_head;
  if (p.topology == "mesh") return 1 + Cycle{p.of<network::MeshParams>().hop_cycles} * hops + behind_head;
  if (p.topology == "ring") return 1 + Cycle{p.of<network::RingKeys>().ring.hop_cycles} * hops + behind_head;
  const auto& butterfly = p.of<network::ButterflyParams>();
  if (p.topology == "butterfly") return Cycle{butterfly.hop_cycles} * butterfly.stages + behind_head;
  if (p.topology == "rate") return p.of<network::RateParams>().latency;
  // Flits of 8 B; the narrowest links pass 32 B per cycle.
  if (p.topology == "hierarchical_crossbar") return 2 + 2 + 3 + 5 + 8 + (flits * 8 + 31) / 32 - 1;
  if (p.topology == "bus") return kBusLatency + behind_head;
  FAIL("say here what a message takes that waits for nothing on topology " << p.topology);
  return 0;
}

/// The networks of a GPU, with scripted ends and a protocol checker on every link. One simulation may contain several of them.
struct GpuNetworks : sc_core::sc_module {
  GpuNetworks(sc_core::sc_module_name name, const NetworkParams& p, std::uint64_t scramble = 0)
      : sc_module(name),
        params(p),
        clock("clock", 700, {false, scramble}),
        script(clock),
        interconnect(params, kSms, kSlices, {}, clock, registry) {
    for (unsigned e = 0; e < kEnds; ++e) {
      const Traffic sent = e < kSms ? Traffic::to_l2 : Traffic::from_l2, received = e < kSms ? Traffic::from_l2 : Traffic::to_l2;
      const std::string n = std::to_string(e);
      sources.push_back(std::make_unique<MessageOut>(("source" + n).c_str(), clock));
      sinks.push_back(std::make_unique<MessageIn>(("sink" + n).c_str(), clock));
      checkers.push_back(std::make_unique<ProtocolChecker>(("in" + n).c_str(), LinkKind::message));
      connect(sources.back()->port.socket, *checkers.back(), interconnect.input(e, sent));
      checkers.push_back(std::make_unique<ProtocolChecker>(("out" + n).c_str(), LinkKind::message));
      connect(interconnect.output(e, received), *checkers.back(), sinks.back()->port.socket);
      sinks.back()->then = [](Payload& payload) { payload.release(); };
    }
  }

  void post(unsigned from, Cycle cycle, unsigned to, unsigned flits, std::uint64_t line = 0) {
    Access access;
    access.id = sent.size();
    access.line.number = line;
    Payload& payload = pool.acquire(access);
    payload.message().source = static_cast<std::uint16_t>(from);
    payload.message().destination = static_cast<std::uint16_t>(to);
    payload.message().traffic = from < kSms ? Traffic::to_l2 : Traffic::from_l2;
    payload.message().flits = static_cast<std::uint8_t>(flits);
    sources[from]->post(cycle, payload);
    sent.push_back({from, to, flits, line});
  }
  /// Random requests and replies.
  void load(std::uint64_t seed, unsigned messages, Cycle gap) {
    Rng rng(seed);
    std::array<Cycle, kEnds> at;
    at.fill(10);
    for (unsigned i = 0; i < messages; ++i) {
      const auto from = static_cast<unsigned>(rng.below(kEnds));
      const auto to = static_cast<unsigned>(from < kSms ? kSms + rng.below(kSlices) : rng.below(kSms));
      at[from] += rng.below(2 * gap);
      post(from, at[from], to, static_cast<unsigned>(1 + rng.below(5)), rng.below(16));
    }
  }
  /// Makes every third message of a destination wait for up to eight cycles before it is taken.
  void refuse_some() {
    for (auto& sink : sinks)
      sink->takes = [this, &sink = *sink](std::size_t n) {
        if (n % 3 == 2) script.at(clock.present_cycle() + 1 + n % 8, [&sink] { sink.accept_waiting(); });
        return n % 3 != 2;
      };
  }

  struct Sent {
    unsigned from, to, flits;
    std::uint64_t line;
  };
  /// Messages that were not delivered exactly once, went elsewhere, or overtook an earlier one of their source, destination and line.
  unsigned wrong_deliveries() const {
    std::vector<unsigned> times(sent.size());
    std::map<std::array<std::uint64_t, 3>, std::uint64_t> latest;
    unsigned wrong = 0;
    for (unsigned e = 0; e < kEnds; ++e)
      for (const MessageIn::Message& message : sinks[e]->messages) {
        const Sent& s = sent.at(message.id);
        wrong += times[message.id]++ != 0 || s.to != e || message.header.flits != s.flits;
        const auto [place, first] = latest.try_emplace({s.from, s.to, s.line}, message.id);
        wrong += !first && place->second > message.id;
        place->second = message.id;
      }
    for (const unsigned count : times) wrong += count == 0;
    return wrong;
  }
  std::uint64_t flits_sent() const {
    std::uint64_t flits = 0;
    for (const Sent& s : sent) flits += s.flits;
    return flits;
  }
  std::vector<Cycles> arrivals() const {
    std::vector<Cycles> all;
    for (const auto& sink : sinks) all.push_back(sink->cycles());
    return all;
  }
  std::vector<std::vector<std::uint64_t>> order() const {
    std::vector<std::vector<std::uint64_t>> all;
    for (const auto& sink : sinks) all.push_back(sink->ids());
    return all;
  }
  std::size_t held_up() const {
    std::size_t held = 0;
    for (const auto& source : sources) held += source->taken_later.size();
    return held;
  }
  void check_end() const {
    for (const auto& checker : checkers) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws() == std::vector<std::string>{});
    CHECK(wrong_deliveries() == 0);
    CHECK(counted(registry, "net.request.flits") + counted(registry, "net.reply.flits") == flits_sent());
  }

  const NetworkParams params;
  ClockDomain clock;
  PayloadPool pool;
  stats::Registry registry;
  Script script;
  Interconnect interconnect;
  std::vector<std::unique_ptr<MessageOut>> sources;  // [endpoint]
  std::vector<std::unique_ptr<MessageIn>> sinks;     // [endpoint]
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
  std::vector<Sent> sent;  // [id]
};

using Gpus = std::vector<std::unique_ptr<GpuNetworks>>;
GpuNetworks& add(Gpus& gpus, const NetworkParams& p, std::uint64_t scramble = 0) {
  gpus.push_back(std::make_unique<GpuNetworks>(("gpu" + std::to_string(gpus.size())).c_str(), p, scramble));
  return *gpus.back();
}

constexpr unsigned kMessages = 500;

}  // namespace

TEST_CASE("network contract: a message that waits for nothing takes the sum of its causes between any two ends, whatever its size") {
  Gpus gpus;
  for (const std::string& topology : topologies()) {
    GpuNetworks& gpu = add(gpus, params_of(topology));
    Cycle cycle = 10;
    for (unsigned from = 0; from < kEnds; ++from)
      for (unsigned to = from < kSms ? kSms : 0; to < (from < kSms ? kEnds : kSms); ++to)
        for (unsigned flits = 1; flits <= 5; ++flits, cycle += 200) gpu.post(from, cycle, to, flits);
  }
  run_kernel();
  for (const auto& gpu : gpus) {
    CAPTURE(gpu->params.topology);
    unsigned wrong = 0;
    for (const auto& sink : gpu->sinks)
      for (const MessageIn::Message& message : sink->messages) {
        const GpuNetworks::Sent& s = gpu->sent[message.id];
        wrong += message.cycle != 10 + 200 * message.id + unloaded(gpu->params, gpu->interconnect.hops(s.from, s.to), s.flits);
      }
    CHECK(wrong == 0);
    gpu->check_end();
  }
}

TEST_CASE("network contract: each message is delivered once, in the order of its source, destination and line, and its flits are counted") {
  Gpus gpus;
  for (const std::string& topology : topologies())
    for (const bool smallest : {false, true})
      for (const Cycle gap : {1, 8, 60}) add(gpus, params_of(topology, smallest)).load(gap + smallest, kMessages, gap);
  run_kernel();
  for (const auto& gpu : gpus) {
    CAPTURE(gpu->params.topology, gpu->params.interface_packets);
    gpu->check_end();
  }
}

TEST_CASE("network contract: destinations that refuse hold sources up, and nothing is lost, doubled or overtaken") {
  Gpus gpus;
  for (const std::string& topology : topologies())
    for (const bool smallest : {false, true}) {
      GpuNetworks& gpu = add(gpus, params_of(topology, smallest));
      gpu.load(4, kMessages, 1);
      gpu.refuse_some();
    }
  run_kernel();
  for (const auto& gpu : gpus) {
    CAPTURE(gpu->params.topology, gpu->params.interface_packets);
    // The 16 places of a default rate-model port are more than the other networks need here.
    CHECK((gpu->held_up() > 0 || gpu->params.of<network::RateParams>().queue > 1));
    gpu->check_end();
  }
}

TEST_CASE("network contract: a destination that takes nothing for long stops what goes there, and all of it arrives later") {
  Gpus gpus;
  for (const std::string& topology : topologies()) {
    GpuNetworks& gpu = add(gpus, params_of(topology, true));
    MessageIn& sink = *gpu.sinks[kSms];
    sink.takes = [](std::size_t n) { return n != 0; };
    for (unsigned i = 0; i < 200; ++i) gpu.post(i % kSms, 10 + i, kSms, 1 + i % 5, i % 16);
    gpu.script.at(4999, [&] {
      CHECK(sink.messages.size() == 1);
      CHECK(gpu.held_up() == 0);  // each source has one that is still pending
      sink.accept_waiting();
    });
  }
  run_kernel();
  for (const auto& gpu : gpus) {
    CAPTURE(gpu->params.topology);
    CHECK(gpu->held_up() >= kSms);
    gpu->check_end();
  }
}

TEST_CASE("network contract: no source starves while all of them send to one destination as fast as they may") {
  Gpus gpus;
  for (const std::string& topology : topologies())
    for (const bool smallest : {false, true}) {
      GpuNetworks& gpu = add(gpus, params_of(topology, smallest));
      for (unsigned i = 0; i < kSms * 100; ++i) gpu.post(i % kSms, 10, kSms, 1 + i % 5, i % 16);
    }
  run_kernel();
  for (const auto& gpu : gpus) {
    CAPTURE(gpu->params.topology, gpu->params.interface_packets);
    // Where paths merge, at most three or four of them take turns, and no source is behind more than three such merges.
    std::array<unsigned, kSms> served{}, since{};
    unsigned longest = 0;
    for (const MessageIn::Message& message : gpu->sinks[kSms]->messages) {
      for (unsigned sm = 0; sm < kSms; ++sm) {
        since[sm] = gpu->sent[message.id].from == sm || served[sm] == 100 ? 0 : since[sm] + 1;
        longest = std::max(longest, since[sm]);
      }
      ++served[gpu->sent[message.id].from];
    }
    CHECK(longest <= 3 * 3 * 3 * 3);
    gpu->check_end();
  }
}

TEST_CASE("network contract: the order in which the ends and the network act in a cycle changes no arrival") {
  Gpus gpus;
  for (const std::string& topology : topologies())
    for (const bool smallest : {false, true})
      for (const std::uint64_t scramble : {0, 3, 17}) {
        GpuNetworks& gpu = add(gpus, params_of(topology, smallest), scramble);
        gpu.load(9, kMessages, 3);
        gpu.refuse_some();
      }
  run_kernel();
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    CAPTURE(gpus[g]->params.topology, gpus[g]->params.interface_packets);
    CHECK(gpus[g]->order() == gpus[g - g % 3]->order());
    CHECK(gpus[g]->arrivals() == gpus[g - g % 3]->arrivals());
    gpus[g]->check_end();
  }
}

// Such a network hands messages to another thread by mail, and those answers come later in the edge. Neither this nor whether a destination
// makes room before or after the network acts may show in a window that ends at this edge.
TEST_CASE("network contract: where threads may share the work, a message refused and taken in the same edge counts as if taken at once") {
  constexpr Cycle kEnd = 600;
  Gpus gpus;
  for (const std::string& topology : topologies())
    for (const bool at_once : {true, false}) {
      const NetworkParams params = params_of(topology);
      if (!params.entry().work.has_own_threads()) continue;
      GpuNetworks& gpu = add(gpus, params);
      gpu.load(2, kMessages, 3);
      for (const auto& sink : gpu.sinks) sink->takes = [at_once](std::size_t) { return at_once; };
    }
  REQUIRE_FALSE(gpus.empty());
  std::vector<std::map<std::string, Cycles>> counts(gpus.size());  // [gpu][counter][cycle]
  ClockDomain after("after", 700, {});                             // built last, so its edges come behind those of the networks
  Script script(after);
  for (Cycle cycle = 1; cycle < kEnd; ++cycle)
    script.at(cycle, [&] {
      for (std::size_t g = 0; g < gpus.size(); ++g) {
        for (const auto& sink : gpus[g]->sinks)
          if (sink->waits()) sink->accept_waiting();
        for (const auto& entry : gpus[g]->registry.counters()) counts[g][std::string(entry.name())].push_back(entry.counter->value());
      }
    });
  run_kernel();
  for (std::size_t g = 0; g < gpus.size(); g += 2) {
    CAPTURE(gpus[g]->params.topology);
    std::vector<std::string> different;
    for (const auto& [counter, by_cycle] : counts[g])
      if (counts[g + 1].at(counter) != by_cycle) different.push_back(counter);
    CHECK(different == std::vector<std::string>{});
    gpus[g + 1]->check_end();
  }
}

TEST_CASE("network contract: where threads may share the work, a message to be taken later holds up the next until then") {
  constexpr Cycle kLater = 50;
  Gpus gpus;
  for (const std::string& topology : topologies()) {
    const NetworkParams params = params_of(topology);
    if (!params.entry().work.has_own_threads()) continue;
    GpuNetworks& gpu = add(gpus, params);
    for (const Cycle cycle : {10, 11}) gpu.post(0, cycle, kSms, 1);
    gpu.sinks[kSms]->takes = [](std::size_t n) { return n != 0; };
  }
  REQUIRE_FALSE(gpus.empty());
  ClockDomain after("after", 700, {});  // built last, so its edges come behind those of the networks
  Script script(after);
  for (Cycle cycle = 1; cycle < 50; ++cycle)
    script.at(cycle, [&] {
      for (const auto& gpu : gpus)
        if (gpu->sinks[kSms]->waits()) gpu->sinks[kSms]->accept_waiting(kLater);
    });
  run_kernel();
  for (const auto& gpu : gpus) {
    CAPTURE(gpu->params.topology);
    const Cycle arrival = gpu->sinks[kSms]->cycles().at(0);  // it was handed over in the cycle before
    CHECK(gpu->sinks[kSms]->cycles().at(1) == arrival - 1 + kLater + 1);
    gpu->check_end();
  }
}
