// The two-bit predictor replays remote_sharing section 5.3: windows, thresholds, training at completion, the table.
#include "policies/sharing_predictor/pc_two_bit.h"

#include <catch2/catch.hpp>
#include <vector>

#include "policies/sharing_predictor/oracle.h"

using namespace wharf;

namespace {

/// One window of misses of `pc`, all in flight at once. The first `from_cores` probed misses receive data from a core.
unsigned window(PcTwoBitSharing& predictor, std::uint32_t pc, unsigned from_cores) {
  const unsigned misses = predictor.state(pc) == PcTwoBitSharing::kStates ? 32 : predictor.window(predictor.state(pc));
  std::vector<SharingPredictor::Answer> answers;
  unsigned probed = 0;
  for (unsigned i = 0; i < misses; ++i) {
    answers.push_back(predictor.predict({pc, false}));
    probed += answers.back().shared;
  }
  for (const auto& answer : answers) predictor.filled(answer.ticket, answer.shared && from_cores != 0 && from_cores-- != 0);
  return probed;
}

}  // namespace

TEST_CASE("windows, probed misses and thresholds of the four states are the published table") {
  const PcTwoBitSharing predictor({});
  const unsigned table[4][3] = {{32, 32, 4}, {64, 16, 2}, {128, 8, 1}, {256, 4, 1}};
  for (unsigned state = 0; state < 4; ++state) {
    CHECK(predictor.window(state) == table[state][0]);
    CHECK(predictor.probed(state) == table[state][1]);
    CHECK(predictor.threshold(state) == table[state][2]);
  }
}

TEST_CASE("a pc that never shares goes through all states and ends with 4 probed misses of 256") {
  PcTwoBitSharing predictor({});
  CHECK(window(predictor, 8, 0) == 32);
  CHECK(predictor.state(8) == 1);
  CHECK(window(predictor, 8, 0) == 16);
  CHECK(predictor.state(8) == 2);
  CHECK(window(predictor, 8, 0) == 8);
  CHECK(predictor.state(8) == 3);
  for (int i = 0; i < 5; ++i) {
    CHECK(window(predictor, 8, 0) == 4);
    CHECK(predictor.state(8) == 3);
  }
}

TEST_CASE("the threshold decides: one reply short of it moves a pc away from sharing, the threshold itself towards it") {
  PcTwoBitSharing predictor({});
  window(predictor, 8, 4);
  CHECK(predictor.state(8) == 0);
  window(predictor, 8, 3);
  CHECK(predictor.state(8) == 1);
  window(predictor, 8, 1);
  CHECK(predictor.state(8) == 2);
  window(predictor, 8, 1);
  CHECK(predictor.state(8) == 1);
  window(predictor, 8, 2);
  CHECK(predictor.state(8) == 0);
}

TEST_CASE("a pc in the last state recovers by one reply a window") {
  PcTwoBitSharing predictor({});
  for (int i = 0; i < 4; ++i) window(predictor, 8, 0);
  REQUIRE(predictor.state(8) == 3);
  window(predictor, 8, 1);
  CHECK(predictor.state(8) == 2);
}

// RS-14
TEST_CASE("a window is judged when its last miss has completed, and completions of an older window count no more") {
  PcTwoBitSharing predictor({});
  std::vector<SharingPredictor::Ticket> tickets;
  for (int i = 0; i < 40; ++i) tickets.push_back(predictor.predict({8, false}).ticket);
  for (int i = 0; i < 31; ++i) predictor.filled(tickets[i], false);
  CHECK(predictor.state(8) == 0);
  predictor.filled(tickets[31], false);
  CHECK(predictor.state(8) == 1);
  for (int i = 32; i < 40; ++i) predictor.filled(tickets[i], true);  // tickets of the previous window
  for (int i = 0; i < 64; ++i) predictor.filled(predictor.predict({8, false}).ticket, false);
  CHECK(predictor.state(8) == 2);
}

// RS-14
TEST_CASE("counting at issue judges a window before its replies are back") {
  PcTwoBitParams params;
  params.count_at = CountAt::issue;
  PcTwoBitSharing predictor(params);
  for (int i = 0; i < 31; ++i) predictor.predict({8, false});
  CHECK(predictor.state(8) == 0);
  predictor.predict({8, false});
  CHECK(predictor.state(8) == 1);
}

// RS-13
TEST_CASE("the probed misses of a window are its first ones, or evenly spread ones") {
  for (const ProbedShare share : {ProbedShare::first, ProbedShare::spread}) {
    PcTwoBitParams params;
    params.probed = share;
    PcTwoBitSharing predictor(params);
    window(predictor, 8, 0);
    REQUIRE(predictor.state(8) == 1);
    for (int i = 0; i < 64; ++i) CHECK(predictor.predict({8, false}).shared == (share == ProbedShare::first ? i < 16 : i % 4 == 0));
  }
}

// RS-15
TEST_CASE("a full table forgets the pc used longest ago, which comes back in the first state") {
  PcTwoBitParams params;
  params.entries = 2;
  PcTwoBitSharing predictor(params);
  window(predictor, 1, 0);
  window(predictor, 2, 0);
  const SharingPredictor::Ticket stale = predictor.predict({1, false}).ticket;
  predictor.predict({3, false});  // replaces pc 2
  CHECK(predictor.state(2) == PcTwoBitSharing::kStates);
  CHECK(predictor.state(1) == 1);
  predictor.predict({2, false});  // ticket of pc 1
  CHECK(predictor.state(2) == 0);
  for (int i = 0; i < 64; ++i) predictor.filled(stale, false);
  CHECK(predictor.state(2) == 0);
}

// RS-16
TEST_CASE("the table survives kernels unless it is told not to") {
  for (const bool survives : {true, false}) {
    PcTwoBitParams params;
    params.survives_kernels = survives;
    PcTwoBitSharing predictor(params);
    window(predictor, 8, 0);
    predictor.kernel_started();
    CHECK(predictor.state(8) == (survives ? 1 : PcTwoBitSharing::kStates));
  }
}

TEST_CASE("the oracle of precision 80 takes one of five non-shared misses for shared and misses no shared one") {
  OracleSharing oracle(80.0, Rng(1));
  int mistaken = 0;
  for (int i = 0; i < 10000; ++i) {
    CHECK(oracle.predict({0, true}).shared);
    mistaken += oracle.predict({0, false}).shared;
  }
  CHECK(mistaken > 1850);
  CHECK(mistaken < 2150);
  OracleSharing perfect(100.0, Rng(1));
  for (int i = 0; i < 100; ++i) CHECK_FALSE(perfect.predict({0, false}).shared);
}
