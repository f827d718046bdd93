// RESIDENCY: a table that is read again and again while a stream passes, the case for which L2 can set lines aside (modern_gpus section 7). In
// each lookup a warp reads one row of the table, and then `stream` rows that nobody has read before in the launch. A row is one line.

#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace residency {
namespace {
constexpr int kRow = kLineBytes / sizeof(int), kThreads = 256, kWarps = kThreads / kLanes;
static_assert(kRow == kLanes, "a warp reads a row at once");

struct Data {
  Array<int> table, stream, sums;
  int rows, lookups, passing, warps;
  bool in_turn;
  Eviction hint;

  /// The row that the warp looks up.
  int table_row(int warp, int lookup) const {
    const std::uint64_t number = static_cast<std::uint64_t>(lookup) * static_cast<std::uint64_t>(warps) + static_cast<std::uint64_t>(warp);
    const auto all = static_cast<std::uint64_t>(rows);
    return static_cast<int>(in_turn ? number % all : Rng(number).below(all));
  }
  int stream_row(int warp, int lookup, int passing_row) const { return (lookup * passing + passing_row) * warps + warp; }
};

void look_up(Warp& w, const Data& k) {
  const auto i = w.global_x();
  const int warp = i[0] / int(kLanes);
  const auto lane = i - i[0];
  w.alu(6);
  Lanes<int> sum = 0;
  for (const int lookup : w.trips(k.lookups)) {
    const auto found = w.load(k.table, lane + k.table_row(warp, lookup) * kRow);
    w.set(sum, w.compute(3, sum + found));
    for (const int passing_row : w.trips(k.passing)) {
      const auto passed = w.load_hinted(k.stream, lane + k.stream_row(warp, lookup, passing_row) * kRow, k.hint);
      w.set(sum, w.compute(2, sum + passed));
    }
  }
  w.store(k.sums, i, sum);
}

class Residency final : public Workload {
 public:
  Residency(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    constexpr Eviction kHints[] = {Eviction::unhinted, Eviction::first, Eviction::none};
    Data& d = data_;
    d.rows = arguments("rows");
    d.lookups = arguments("lookups");
    d.passing = arguments("stream");
    d.warps = arguments("ctas") * kWarps;
    d.in_turn = arguments("in_turn") != 0;
    d.hint = kHints[arguments("hint")];
    const std::int64_t elements = std::int64_t{d.lookups} * d.passing * d.warps * kRow;
    arguments.require(elements < std::int64_t{1} << 31, "lookups * stream * ctas make a stream of 8 GiB or more");
    d.table = memory.array<int>("table", static_cast<std::uint64_t>(d.rows) * kRow);
    d.stream = memory.array<int>("stream", static_cast<std::uint64_t>(elements) + 1);
    d.sums = memory.array<int>("sums", static_cast<std::uint64_t>(d.warps) * kLanes);
    Rng random(seed);
    for (std::uint32_t e = 0; e < d.table.size; ++e) d.table.data[e] = static_cast<int>(random.below(256));
    for (std::uint32_t e = 0; e < d.stream.size; ++e) d.stream.data[e] = static_cast<int>(random.below(256));
    for (int repeat = 0; repeat < arguments("repeats"); ++repeat) {
      KernelLaunch& launch = add_launch("look_up", {static_cast<std::uint32_t>(arguments("ctas"))}, {kThreads}, 16, [d](Warp& w) { look_up(w, d); });
      if (arguments("window") != 0)
        launch.l2_window = {d.table.base, std::uint64_t{d.table.size} * sizeof(int), arguments("ratio") / 100.0};
      launch.resets_persisting = arguments("reset") != 0;
    }
  }

  bool check(std::string& why) const override {
    std::vector<int> sums(data_.sums.size, 0);
    for (int warp = 0; warp < data_.warps; ++warp)
      for (int lookup = 0; lookup < data_.lookups; ++lookup) add_rows(warp, lookup, &sums[static_cast<std::size_t>(warp) * kLanes]);
    return equal("sums", data_.sums, sums, why);
  }

 private:
  void add_rows(int warp, int lookup, int* sums) const {
    const auto add = [&](const Array<int>& from, int row) {
      for (int lane = 0; lane < kRow; ++lane) sums[lane] += from.data[static_cast<std::size_t>(row) * kRow + static_cast<std::size_t>(lane)];
    };
    add(data_.table, data_.table_row(warp, lookup));
    for (int row = 0; row < data_.passing; ++row) add(data_.stream, data_.stream_row(warp, lookup, row));
  }

  Data data_{};
};

}  // namespace
}  // namespace residency

Entry residency_entry() {
  return {{"residency",
           "lookups in a table that L2 can keep while a stream passes (modern_gpus section 7)",
           {{"rows", "8192", 1, 1 << 22, "rows of the table, 128 B each"},
            {"lookups", "32", 1, 1 << 16, "of a warp"},
            {"stream", "4", 0, 64, "rows of the stream that a warp reads after each lookup"},
            {"ctas", "160", 1, 65535, "of 8 warps"},
            {"repeats", "2", 1, 64, "launches, all over the same arrays"},
            {"in_turn", "0", 0, 1, "1: rows are looked up in turn; 0: at random"},
            {"window", "0", 0, 1, "1: the table is an access-policy window"},
            {"ratio", "100", 0, 100, "% of the window's rows that persist; the others are normal"},
            {"hint", "0", 0, 2, "of the stream. 0: none; 1: evict first; 2: install nothing"},
            {"reset", "0", 0, 1, "1: each launch makes persisting lines normal"}},
           {},
           {{"tiny", {{"rows", 512}, {"lookups", 8}, {"ctas", 16}}},
            {"std", {{"rows", 8192}, {"lookups", 32}, {"ctas", 160}}},
            {"paper", {{"rows", 65536}, {"lookups", 64}, {"ctas", 640}}}}},
          make_workload<residency::Residency>};
}

}  // namespace wharf::spmd
