// The register numbers of recorded warps.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "stimuli/traces/recording/register_allocation.h"

using namespace wharf;
using namespace wharf::traces;

namespace {

constexpr RegisterId kNone = kNoRegister;

WarpInstruction instruction(RegisterId destination, const std::vector<RegisterId>& sources, LaneMask active = kAllLanes) {
  WarpInstruction out;
  out.destination = destination;
  std::copy(sources.begin(), sources.end(), out.sources.begin());
  out.active = active;
  return out;
}
WarpInstruction write(RegisterId destination, LaneMask active = kAllLanes) { return instruction(destination, {}, active); }
WarpInstruction read(const std::vector<RegisterId>& sources, LaneMask active = kAllLanes) { return instruction(kNone, sources, active); }

class Script final : public WarpStream {
 public:
  explicit Script(const std::vector<WarpInstruction>& instructions) : instructions_(instructions) {}
  const WarpInstruction* peek() override { return next_ < instructions_.size() ? &instructions_[next_] : nullptr; }
  void advance() override { ++next_; }

 private:
  const std::vector<WarpInstruction>& instructions_;
  std::size_t next_ = 0;
};

std::vector<WarpInstruction> renamed(std::vector<WarpInstruction> warp, unsigned registers) {
  Script script(warp);
  RegisterAllocation allocation(script, registers);
  std::vector<WarpInstruction> out = warp;
  for (WarpInstruction& each : out) allocation.rename(each);
  return out;
}

/// "5=1,2" writes register 5 and reads 1 and 2; "=1" only reads; "-" is a gap among the sources.
std::string text(const std::vector<WarpInstruction>& warp) {
  std::string out;
  for (const WarpInstruction& each : warp) {
    out += out.empty() ? "" : " ";
    if (each.destination != kNone) out += std::to_string(each.destination);
    out += "=";
    std::size_t count = each.sources.size();
    while (count > 0 && each.sources[count - 1] == kNone) --count;
    for (std::size_t s = 0; s < count; ++s) out += (s == 0 ? "" : ",") + (each.sources[s] == kNone ? "-" : std::to_string(each.sources[s]));
  }
  return out;
}

/// For each instruction: the instructions whose results it must wait for, if no other instruction has waited for them.
std::vector<std::set<std::size_t>> awaited(const std::vector<WarpInstruction>& warp) {
  std::map<unsigned, std::size_t> outstanding;
  std::vector<std::set<std::size_t>> out(warp.size());
  for (std::size_t i = 0; i < warp.size(); ++i) {
    std::vector<unsigned> named(warp[i].sources.begin(), warp[i].sources.end());
    named.push_back(warp[i].destination);
    for (const unsigned number : named) {
      const auto found = outstanding.find(number);
      if (found == outstanding.end()) continue;
      out[i].insert(found->second);
      outstanding.erase(found);
    }
    if (warp[i].destination != kNone) outstanding[warp[i].destination] = i;
  }
  return out;
}

/// For each instruction, source and active lane: the instruction that wrote the value read there, or -1.
std::vector<std::vector<int>> values_read(const std::vector<WarpInstruction>& warp) {
  std::vector<std::array<int, kLanes>> file(kNone + 1);
  for (auto& lanes : file) lanes.fill(-1);
  std::vector<std::vector<int>> out(warp.size());
  for (std::size_t i = 0; i < warp.size(); ++i) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((warp[i].active >> lane & 1) == 0) continue;
      for (const RegisterId source : warp[i].sources) out[i].push_back(file[source][lane]);
    }
    for (unsigned lane = 0; lane < kLanes && warp[i].destination != kNone; ++lane)
      if ((warp[i].active >> lane & 1) != 0) file[warp[i].destination][lane] = static_cast<int>(i);
  }
  return out;
}

}  // namespace

TEST_CASE("A recorded value has the number below the kernel's count that has been free the longest, with its rest modulo 4") {
  // Twelve registers: 1, 5 and 9 for the bank of 101. The fourth value uses 1 again.
  const std::vector<WarpInstruction> warp = {write(101),  read({101}), write(105),  read({105}), write(109),
                                             read({109}), write(113),  read({113}), write(102)};
  CHECK(text(renamed(warp, 12)) == "1= =1 5= =5 9= =9 1= =1 2=");
}

TEST_CASE("A value gives its number away at its last read, to the result of the same instruction if none is free longer") {
  const std::vector<WarpInstruction> warp = {write(101), write(105), read({101}), instruction(109, {101, 105}), read({109, 105})};
  CHECK(text(renamed(warp, 12)) == "1= 5= =1 9=1,5 =9,5");
  // With eight registers, the bank has only 1 and 5.
  CHECK(text(renamed(warp, 8)) == "1= 5= =1 1=1,5 =1,5");
}

TEST_CASE("A register written again before it was read keeps its number, because the second write waits for the first") {
  CHECK(text(renamed({write(101), write(101), read({101}), write(101)}, 12)) == "1= 1= =1 5=");
}

TEST_CASE("A result that nobody reads holds its number to the end of its warp") {
  // Of 1 and 5, 105 keeps 5, and later values take turns with one number.
  const std::vector<WarpInstruction> warp = {write(101), read({101}), write(105), write(109), read({109}), write(113), read({113})};
  CHECK(text(renamed(warp, 8)) == "1= =1 5= 1= =1 1= =1");
}

TEST_CASE("A write in a part of the lanes keeps the number while another lane's value is to be read") {
  constexpr LaneMask kLow = 0x0000FFFF, kHigh = 0xFFFF0000;
  const std::vector<WarpInstruction> both = {write(101), read({101}, kLow), write(101, kLow), read({101})};
  CHECK(text(renamed(both, 12)) == "1= =1 1= =1");
  // The other lanes' values are not read again, so the second write starts a new value.
  const std::vector<WarpInstruction> one = {write(101), read({101}), write(101, kLow), read({101}, kLow)};
  CHECK(text(renamed(one, 12)) == "1= =1 5= =5");
  // Both sides of a branch write the variable that is read after it.
  const std::vector<WarpInstruction> sides = {write(101, kLow), write(105, kLow), read({105}, kLow), write(101, kHigh), read({101})};
  CHECK(text(renamed(sides, 12)) == "1= 5= =5 1= =1");
}

TEST_CASE("A register that is read and never written has a number from the start of its warp, which nothing else takes before") {
  const std::vector<WarpInstruction> warp = {write(105), read({105}), write(105), read({105}), read({101}), write(105), read({105})};
  CHECK(text(renamed(warp, 8)) == "5= =5 5= =5 =1 5= =5");
}

TEST_CASE("An instruction without active lanes waits for the value that it names, and ends nobody's value by its write") {
  CHECK(text(renamed({write(101), read({101}, 0), read({101}, 0), write(105)}, 12)) == "1= =1 =1 5=");
  CHECK(text(renamed({write(101), read({101}), write(101, 0), read({101})}, 12)) == "1= =1 1= =1");
}

TEST_CASE("The zero register stays, and one register named several times is one register") {
  CHECK(text(renamed({instruction(kNone, {}), instruction(101, {kNone, 102, 102}), read({101, kNone, 101})}, 12)) == "= 1=-,2,2 =1,-,1");
}

TEST_CASE("Where a bank has no register left below the kernel's count, a value has the lowest number of that bank above it") {
  // Six registers: 1 and 5 in this bank, then 9 and 13. A freed register above the count is reused only if no lower one is free.
  const std::vector<WarpInstruction> warp = {write(101),
                                             write(105),
                                             write(109),
                                             write(113),
                                             read({109}),
                                             write(117),
                                             read({113}),
                                             read({101}),
                                             write(121),
                                             write(125),
                                             read({105, 117, 121, 125})};
  CHECK(text(renamed(warp, 6)) == "1= 5= 9= 13= =9 9= =13 =1 1= 13= =5,9,1,13");
  CHECK(text(renamed({write(3)}, 3)) == "3=");  // a kernel of three registers has none in the bank of 3
  CHECK(text(renamed({write(2)}, 3)) == "2=");
  CHECK(text(renamed({write(255 - 4), write(3)}, 100000)) == "3= 7=");
}

TEST_CASE("255 registers that are all in use keep distinct numbers, none of them the zero register's") {
  std::vector<WarpInstruction> warp;
  for (unsigned number = 255; number-- > 0;) warp.push_back(write(static_cast<RegisterId>(number)));
  for (unsigned number = 0; number < 255; ++number) warp.push_back(read({static_cast<RegisterId>(number)}));
  std::set<unsigned> numbers;
  for (const WarpInstruction& each : renamed(warp, 10))
    if (each.destination != kNone) numbers.insert(each.destination);
  CHECK(numbers.size() == 255);
  CHECK(*numbers.rbegin() == 254);
}

TEST_CASE("Random warps wait for the same results and read the same values under their new numbers, in the same banks") {
  std::mt19937 random(5);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::size_t moved = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned own = 4 + below(60), count = 1 + below(64);
    std::vector<WarpInstruction> warp;
    for (unsigned i = 0, size = 1 + below(120); i < size; ++i) {
      const auto any = [&] { return static_cast<RegisterId>(below(4) == 0 ? kNone : 100 + below(own)); };
      const LaneMask masks[] = {kAllLanes, 0, 0xFFFF, static_cast<LaneMask>(random() & random()), ~LaneMask{0xFFFF}};
      warp.push_back(instruction(any(), {any(), any(), any(), any()}, masks[below(5)]));
    }
    const auto out = renamed(warp, count);
    CAPTURE(round, own, count, text(warp), text(out));
    REQUIRE(awaited(out) == awaited(warp));
    REQUIRE(values_read(out) == values_read(warp));
    for (std::size_t i = 0; i < warp.size(); ++i) {
      moved += out[i].destination != warp[i].destination;
      REQUIRE((out[i].destination == kNone) == (warp[i].destination == kNone));
      REQUIRE(out[i].destination % 4 == warp[i].destination % 4);
      for (unsigned s = 0; s < 4; ++s) {
        REQUIRE((out[i].sources[s] == kNone) == (warp[i].sources[s] == kNone));
        REQUIRE(out[i].sources[s] % 4 == warp[i].sources[s] % 4);
        for (unsigned t = 0; t < s; ++t) REQUIRE((out[i].sources[s] == out[i].sources[t]) == (warp[i].sources[s] == warp[i].sources[t]));
      }
    }
  }
  CHECK(moved > 5000);
}
