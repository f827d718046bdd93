// A core's dynamic scheme: its two metrics with numbers, its phases, its decisions (shared_l1 sections 8 and 9).

#include <catch2/catch.hpp>

#include "policies/cache_organisation/decision.h"
#include "policies/cache_organisation/dynamic.h"

using namespace wharf;
using Kind = OrganisationEvent::Kind;
using Phase = CacheOrganisation::Phase;

namespace {

/// A core's events, one per cycle.
class Core {
 public:
  Core(OrganisationMetric metric, const DynamicParams& params) : organisation(metric, params) {}

  void report(Kind kind, bool odd, unsigned times = 1, bool hit = false, bool merged = false) {
    for (unsigned i = 0; i < times; ++i) {
      ++now;
      organisation.advance(now, stores);
      organisation.observe({kind, odd, hit, merged, 0}, now);
    }
  }
  void lookups(bool odd, unsigned hits, unsigned misses, Kind kind = Kind::own_lookup) {
    report(kind, odd, hits, true);
    report(kind, odd, misses, false);
  }
  /// The phase in the cycle after the last event.
  Phase next_phase() {
    organisation.advance(++now, stores);
    return organisation.phase();
  }

  DynamicOrganisation organisation;
  Cycle now = 0;
  std::uint64_t stores = 0;
};

DynamicParams small() {
  DynamicParams params;
  params.phase_counts = PhaseCounts::own;
  params.sample_accesses = 10;
  params.execute_accesses = 40;
  params.miss_rate_check = false;
  return params;
}

}  // namespace

// SL-20
TEST_CASE("cache organisation: AMAT with numbers") {
  const AmatLatencies latencies{28, 54, 247};
  SampleGroup alone;
  alone.own = {100, 40};
  CHECK(amat(alone, latencies) == Approx(28 + 0.4 * 247));
  SampleGroup shared;
  shared.own = {50, 10};    // L = 50
  shared.own_remote = 150;  // R
  shared.incoming = {200, 20};
  CHECK(amat(shared, latencies) == Approx(28 + 0.25 * 0.2 * 247 + 0.75 * (54 + 0.1 * 247)));
}

// SL-25
TEST_CASE("cache organisation: a miss rate of zero costs AMAT nothing, and EB takes it for one miss") {
  SampleGroup group;
  group.own = {100, 0};
  group.own_l2_replies = 3;
  CHECK(amat(group, {28, 54, 247}) == Approx(28));
  CHECK(eb_private(group, false) == Approx(3 / 0.01));
}

// SL-21, SL-22
TEST_CASE("cache organisation: EB with numbers") {
  SampleGroup even;
  even.own = {400, 100};
  even.own_l2_replies = 110;
  even.home_replies = 7;  // left over from an earlier phase: a private organisation has no home replies
  CHECK(eb_private(even, false) == Approx(110 / 0.25));
  SampleGroup odd;
  odd.own = {100, 20};
  odd.incoming = {300, 60};
  odd.own_l2_replies = 20;
  odd.incoming_l2_replies = 70;
  odd.home_replies = 250;
  odd.direct_replies = 40;
  CHECK(eb_shared(odd, EbScope::all, true) == Approx(90 / 0.2 + 290));
  CHECK(eb_shared(odd, EbScope::all, false) == Approx(90 / 0.2 + 250));
  CHECK(eb_shared(odd, EbScope::own, true) == Approx(20 / 0.2 + 290));
}

TEST_CASE("cache organisation: while sampling, even sets are private and odd sets are shared") {
  Core core(OrganisationMetric::eb, small());
  CHECK(core.organisation.phase() == Phase::sampling);
  CHECK_FALSE(core.organisation.shared(false));
  CHECK(core.organisation.shared(true));
}

TEST_CASE("cache organisation: sampling ends when both groups have had their local accesses, and no sooner") {
  Core core(OrganisationMetric::eb, small());
  core.lookups(false, 0, 500);
  core.lookups(true, 0, 9);
  CHECK(core.next_phase() == Phase::sampling);
  core.lookups(true, 0, 1);
  CHECK(core.organisation.phase() == Phase::sampling);  // the events of a cycle count for the phase of that cycle
  CHECK(core.next_phase() != Phase::sampling);
}

// SL-19
TEST_CASE("cache organisation: remote accesses, direct accesses and other cores' lookups are no local accesses") {
  Core core(OrganisationMetric::eb, small());
  core.lookups(false, 0, 10);
  core.report(Kind::own_access, true, 100);
  core.report(Kind::own_remote, true, 100);
  core.report(Kind::direct_reply, true, 100);
  core.lookups(true, 50, 50, Kind::incoming_lookup);
  CHECK(core.next_phase() == Phase::sampling);
}

// SL-16: the events that a phase counts
TEST_CASE("cache organisation: a phase counts what the core issues, what it looks up in its L1, or every lookup there") {
  // Each call adds one access of each kind to an odd set; even sets already have theirs.
  const auto needed = [](PhaseCounts counts, bool odd, unsigned sample, unsigned execute) {
    DynamicParams params = small();
    params.phase_counts = counts;
    params.sample_accesses = sample;
    params.execute_accesses = execute;
    Core core(OrganisationMetric::eb, params);
    const auto round = [&] {
      core.report(Kind::own_access, odd, 3);
      core.report(Kind::own_lookup, odd, 1);
      core.report(Kind::incoming_lookup, odd, 1);
    };
    core.report(Kind::own_access, !odd, 100);
    core.report(Kind::own_lookup, !odd, 100);
    core.report(Kind::incoming_lookup, !odd, 100);
    unsigned sampled = 0, executed = 0;
    while (core.next_phase() == Phase::sampling) round(), ++sampled;
    while (core.next_phase() != Phase::sampling) round(), ++executed;
    return std::pair{sampled, executed};
  };
  CHECK(needed(PhaseCounts::issued, true, 12, 36) == std::pair{4u, 12u});
  CHECK(needed(PhaseCounts::own, true, 12, 36) == std::pair{12u, 36u});
  CHECK(needed(PhaseCounts::incoming, true, 12, 36) == std::pair{6u, 18u});
  // While sampling, other cores' lookups in even sets do not count (SL-23).
  CHECK(needed(PhaseCounts::incoming, false, 12, 36) == std::pair{12u, 18u});
}

TEST_CASE("cache organisation: AMAT decides for private where all shared accesses went past the L1s") {
  DynamicParams params = small();
  params.phase_counts = PhaseCounts::issued;
  Core core(OrganisationMetric::amat, params);
  core.lookups(false, 5, 5);
  core.report(Kind::own_access, false, 10);
  core.report(Kind::own_access, true, 10);
  core.report(Kind::direct_reply, true, 10);
  CHECK(core.next_phase() == Phase::executes_private);
}

TEST_CASE(
    "cache organisation: an execution phase lasts its number of local accesses, in sets of both kinds, and sampling starts from nothing") {
  Core core(OrganisationMetric::eb, small());
  core.report(Kind::home_reply, true, 100);
  core.lookups(false, 5, 5);
  core.lookups(true, 5, 5);
  REQUIRE(core.next_phase() == Phase::executes_shared);
  CHECK(core.organisation.shared(false));
  CHECK(core.organisation.shared(true));
  core.lookups(false, 20, 0);
  core.lookups(true, 19, 0);
  core.report(Kind::home_reply, true, 100);
  CHECK(core.next_phase() == Phase::executes_shared);
  core.lookups(true, 1, 0);
  CHECK(core.next_phase() == Phase::sampling);
  CHECK(core.organisation.group(false).own.accesses == 0);
  CHECK(core.organisation.group(true).home_replies == 0);
}

TEST_CASE("cache organisation: EB decides for the higher value, and for private on a tie") {
  // Private: 10 replies / 0.5 = 20. Shared: 10 / 0.5 + home replies.
  for (const auto& [home_replies, phase] : {std::pair{0u, Phase::executes_private}, std::pair{1u, Phase::executes_shared}}) {
    Core core(OrganisationMetric::eb, small());
    core.report(Kind::own_l2_reply, false, 10);
    core.report(Kind::own_l2_reply, true, 10);
    core.report(Kind::home_reply, true, home_replies);
    core.lookups(false, 5, 5);
    core.lookups(true, 5, 5);
    CHECK(core.next_phase() == phase);
  }
}

// SL-25
TEST_CASE("cache organisation: dynamic.tie says what is executed where the metric is the same for both, and nothing else") {
  for (const OrganisationMetric metric : {OrganisationMetric::eb, OrganisationMetric::amat}) {
    for (const MetricTie tie : {MetricTie::private_mode, MetricTie::shared_mode}) {
      DynamicParams params = small();
      params.tie = tie;
      const bool shared = tie == MetricTie::shared_mode;
      Core even_match(metric, params);
      even_match.lookups(false, 5, 5);
      even_match.lookups(true, 5, 5);
      CHECK((even_match.next_phase() == Phase::executes_shared) == shared);
      // Private is better: fewer misses. EB also needs a reply that it can divide by them.
      Core better_alone(metric, params);
      better_alone.report(Kind::own_l2_reply, false, 1);
      better_alone.lookups(false, 6, 4);
      better_alone.lookups(true, 5, 5);
      CHECK(better_alone.next_phase() == Phase::executes_private);
      // A group without data is not a tie (SL-17).
      params.sample_access_cap = 1;
      Core no_data(metric, params);
      no_data.report(Kind::own_access, true);
      CHECK(no_data.next_phase() == Phase::executes_private);
    }
  }
}

// SL-16
TEST_CASE("cache organisation: with persist_phases off a kernel ends execution, and sampling counts from nothing") {
  for (const bool persist : {true, false}) {
    DynamicParams params = small();
    params.persist_phases = persist;
    Core core(OrganisationMetric::eb, params);
    core.organisation.kernel_starts(core.now, 0);
    core.lookups(false, 0, 10);
    core.lookups(true, 0, 9);
    core.organisation.kernel_starts(++core.now, 0);
    core.lookups(true, 0, 1);
    // Nine of the ten have been discarded. A restarted sampling is the same phase.
    REQUIRE((core.next_phase() == Phase::sampling) == !persist);
    CHECK(core.organisation.group(true).own.accesses == (persist ? 10 : 1));
    CHECK(core.organisation.phases().size() == (persist ? 2 : 1));
    core.lookups(false, 0, 10);
    core.lookups(true, 0, 9);
    REQUIRE(core.next_phase() == Phase::executes_private);
    core.organisation.kernel_starts(core.now, 0);
    CHECK(core.organisation.phase() == Phase::executes_private);  // until the end of the cycle
    CHECK((core.next_phase() == Phase::sampling) == !persist);
  }
}

TEST_CASE("cache organisation: a phase that is over when a kernel starts has been decided on, whoever is asked first") {
  DynamicParams params = small();
  params.persist_phases = false;
  for (const bool asked_first : {false, true}) {
    Core core(OrganisationMetric::eb, params);
    core.lookups(false, 0, 10);
    core.lookups(true, 0, 10);
    ++core.now;
    if (asked_first) core.organisation.advance(core.now, 0);
    core.organisation.kernel_starts(core.now, 0);
    CHECK(core.next_phase() == Phase::sampling);
    CHECK(core.organisation.phases().size() == 3);
  }
}

TEST_CASE("cache organisation: AMAT decides for the lower value") {
  // Private: 28 + 0.5 * 247. Shared, with one remote access per local one: 28 + 0.25 * 247 + 0.5 * (54 + 247 * misses at homes).
  for (const auto& [missed, phase] : {std::pair{0u, Phase::executes_shared}, std::pair{20u, Phase::executes_private}}) {
    Core core(OrganisationMetric::amat, small());
    core.report(Kind::own_remote, true, 10);
    core.lookups(true, 20 - missed, missed, Kind::incoming_lookup);
    core.lookups(false, 5, 5);
    core.lookups(true, 5, 5);
    CHECK(core.next_phase() == phase);
  }
}

TEST_CASE("cache organisation: a private miss rate below the threshold decides for private, at the threshold the metric does") {
  DynamicParams params = small();
  params.sample_accesses = 100;
  params.miss_rate_check = true;
  for (const auto& [misses, phase] : {std::pair{9u, Phase::executes_private}, std::pair{10u, Phase::executes_shared}}) {
    Core core(OrganisationMetric::eb, params);
    core.report(Kind::home_reply, true, 100'000);
    core.lookups(true, 50, 50);
    core.lookups(false, 100 - misses, misses);
    CHECK(core.next_phase() == phase);
  }
}

// SL-23
TEST_CASE("cache organisation: the miss rate of the check leaves other cores' lookups in even sets out") {
  DynamicParams params = small();
  params.miss_rate_check = true;
  for (const bool counted : {false, true}) {
    params.incoming_in_private_group = counted;
    Core core(OrganisationMetric::eb, params);
    core.report(Kind::home_reply, true, 10'000);
    core.lookups(false, 0, 90, Kind::incoming_lookup);
    core.lookups(true, 5, 5);
    core.lookups(false, 10, 0);
    CHECK((core.next_phase() == Phase::executes_shared) == counted);
  }
}

// SL-24
TEST_CASE("cache organisation: a merge is a miss for the metric unless the parameter says otherwise") {
  // Private: 10 replies / 0.5 if merges are misses, 10 / 0.1 if not; shared: 10 / 0.5 + 40.
  for (const bool miss : {true, false}) {
    DynamicParams params = small();
    params.merge_is_miss = miss;
    Core core(OrganisationMetric::eb, params);
    core.report(Kind::own_l2_reply, false, 10);
    core.report(Kind::own_l2_reply, true, 10);
    core.report(Kind::home_reply, true, 40);
    core.lookups(false, 5, 1);
    core.report(Kind::own_lookup, false, 4, false, true);
    core.lookups(true, 5, 5);
    CHECK(core.organisation.group(false).own.misses == 1);
    CHECK(core.organisation.group(false).own.merges == 4);
    CHECK((core.next_phase() == Phase::executes_shared) == miss);
  }
}

// SL-24: the check does not count a merge as a miss
TEST_CASE("cache organisation: a merge is no miss for the check of the private miss rate unless the parameter says so") {
  for (const bool miss : {true, false}) {
    DynamicParams params = small();
    params.miss_rate_check = true;
    params.check_merge_is_miss = miss;
    Core core(OrganisationMetric::eb, params);
    core.report(Kind::home_reply, true, 10'000);
    core.lookups(false, 10, 0);
    core.report(Kind::own_lookup, false, 5, false, true);
    core.lookups(true, 5, 5);
    CHECK((core.next_phase() == Phase::executes_shared) == miss);
  }
}

// SL-17
TEST_CASE("cache organisation: without a cap sampling waits for odd sets for ever, with one it ends, for private") {
  DynamicParams params = small();
  for (const std::uint64_t cap : {std::uint64_t{0}, std::uint64_t{200}}) {
    params.sample_access_cap = cap;
    Core core(OrganisationMetric::eb, params);
    core.lookups(false, 0, 100);
    core.report(Kind::home_reply, true, 100);
    core.report(Kind::own_access, false, 199);
    CHECK(core.next_phase() == Phase::sampling);
    core.report(Kind::own_access, false, 1);
    CHECK(core.next_phase() == (cap == 0 ? Phase::sampling : Phase::executes_private));
  }
}

// SL-29
TEST_CASE("cache organisation: a mode changes while stores of the core are on their way, unless it is told to wait") {
  Core core(OrganisationMetric::eb, small());
  core.stores = 1;
  core.report(Kind::home_reply, true, 1);
  core.lookups(false, 0, 10);
  core.lookups(true, 0, 10);
  CHECK(core.next_phase() == Phase::executes_shared);
}

TEST_CASE("cache organisation: a core that waits for its own stores changes its mode when the last is acknowledged") {
  DynamicParams params = small();
  params.wait_for_own_stores = true;
  Core core(OrganisationMetric::eb, params);
  core.stores = 1;
  core.lookups(false, 0, 10);
  core.lookups(true, 0, 10);
  CHECK(core.next_phase() == Phase::sampling);
  CHECK(core.next_phase() == Phase::sampling);
  core.stores = 0;
  CHECK(core.next_phase() != Phase::sampling);
}

// SL-20
TEST_CASE("cache organisation: measured latencies are means of the sampling phase, on top of a hit") {
  // With the constants private is better (54 extra cycles per remote access); with the measured ones shared is: a home costs 1 cycle.
  DynamicParams params = small();
  for (const bool measured : {false, true}) {
    params.amat_latency = measured ? AmatLatency::measured : AmatLatency::constant;
    Core core(OrganisationMetric::amat, params);
    const auto observe = [&](OrganisationEvent event) {
      core.organisation.advance(++core.now, 0);
      core.organisation.observe(event, core.now);
    };
    for (int i = 0; i < 9; ++i) observe({Kind::own_lookup, false, true, false, 30});
    observe({Kind::own_lookup, false, false, false, 0});
    observe({Kind::home_reply, true, false, false, 31});
    observe({Kind::own_l2_reply, false, false, false, 130});
    core.report(Kind::own_remote, true, 1000);
    core.lookups(true, 100, 0, Kind::incoming_lookup);
    for (int i = 0; i < 10; ++i) observe({Kind::own_lookup, true, true, false, 30});
    CHECK((core.next_phase() == Phase::executes_shared) == measured);
  }
}

TEST_CASE("cache organisation: a forced mode never samples") {
  DynamicParams params = small();
  params.persist_phases = false;
  params.force = ForcedMode::shared_mode;
  Core shared(OrganisationMetric::eb, params);
  params.force = ForcedMode::private_mode;
  Core alone(OrganisationMetric::eb, params);
  for (Core* core : {&shared, &alone}) {
    core->organisation.kernel_starts(core->now, 0);
    core->lookups(false, 100, 100);
    core->lookups(true, 100, 100);
  }
  CHECK(shared.next_phase() == Phase::executes_shared);
  CHECK(alone.next_phase() == Phase::executes_private);
  CHECK(shared.organisation.phases().size() == 1);
}

TEST_CASE("cache organisation: phases are kept with the cycles in which they began") {
  Core core(OrganisationMetric::eb, small());
  core.lookups(false, 0, 10);
  core.lookups(true, 0, 10);
  core.next_phase();
  const auto& phases = core.organisation.phases();
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].begin == 0);
  CHECK(phases[1].begin == 21);
}
