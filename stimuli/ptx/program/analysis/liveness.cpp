// Liveness by backward data flow over the blocks, and linear scans over the resulting ranges.
#include "stimuli/ptx/program/analysis/liveness.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

namespace {

class Analysis {
 public:
  Analysis(const DraftFunction& function, const FlowGraph& graph, const std::vector<CallSite>& calls)
      : function_(function), graph_(graph), calls_(calls), live_in_(graph.blocks.size(), RegisterSet(function.registers.size())) {}

  Liveness run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = graph_.blocks.size(); i-- > 0;) {
        RegisterSet live = live_out(graph_.blocks[i]);
        walk(graph_.blocks[i], live, [](std::uint32_t, const RegisterSet&) {});
        changed |= live_in_[i].add(live);
      }
    }
    result_.ranges.resize(function_.registers.size());
    for (const FlowGraph::Block& block : graph_.blocks) measure(block);
    for (std::uint32_t i = 0; i < function_.registers.size(); ++i)
      if (function_.pinned[i]) result_.ranges[i] = {0, static_cast<std::uint32_t>(function_.drafts.size())};
    result_.live_in = std::move(live_in_);
    return std::move(result_);
  }

 private:
  RegisterSet live_out(const FlowGraph::Block& block) const {
    RegisterSet live(function_.registers.size());
    for (const std::uint32_t next : block.successors)
      if (next < graph_.exit()) live.add(live_in_[next]);
    return live;
  }

  /// Goes backward through the block; `live` is what lives behind it, and in the end what lives before it. Calls visit(draft, what lives
  /// behind the draft).
  template <class Visit>
  void walk(const FlowGraph::Block& block, RegisterSet& live, Visit visit) const {
    for (std::uint32_t i = block.end; i-- > block.begin;) {
      visit(i, live);
      const Draft& draft = function_.drafts[i];
      // A guarded write keeps the old value in the other lanes.
      if (!draft.operation.guard.present())
        for_each_definition(draft, calls_, [&](std::uint32_t r) { live.erase(r); });
      else
        for_each_definition(draft, calls_, [&](std::uint32_t r) { live.insert(r); });
      for_each_use(draft, calls_, [&](std::uint32_t r) { live.insert(r); });
    }
  }

  std::uint32_t count(const RegisterSet& live) const {
    std::uint32_t sum = 0;
    live.for_each([&](std::uint32_t r) {
      sum += function_.registers[r] == RegisterClass::wide ? 2u : function_.registers[r] == RegisterClass::narrow ? 1u : 0u;
    });
    return sum;
  }

  void extend(std::uint32_t r, std::uint32_t draft) {
    LiveRange& range = result_.ranges[r];
    range.first = std::min(range.first, draft);
    range.last = std::max(range.last, draft);
  }

  void measure(const FlowGraph::Block& block) {
    RegisterSet live = live_out(block);
    walk(block, live, [&](std::uint32_t i, const RegisterSet& behind) {
      const Draft& draft = function_.drafts[i];
      behind.for_each([&](std::uint32_t r) { extend(r, i + 1); });
      for_each_definition(draft, calls_, [&](std::uint32_t r) { extend(r, i + 1); });
      const std::uint32_t registers = count(behind);
      result_.most_registers = std::max(result_.most_registers, registers);
      if (draft.operation.action == Action::call || draft.operation.action == Action::call_indirect)
        result_.most_at_calls = std::max(result_.most_at_calls, registers);
    });
    live.for_each([&](std::uint32_t r) { extend(r, block.begin); });
    for (std::uint32_t i = block.begin; i < block.end; ++i)
      for_each_use(function_.drafts[i], calls_, [&](std::uint32_t r) { extend(r, i); });
  }

  const DraftFunction& function_;
  const FlowGraph& graph_;
  const std::vector<CallSite>& calls_;
  std::vector<RegisterSet> live_in_;
  Liveness result_;
};

/// Registers in the order in which their ranges begin.
std::vector<std::uint32_t> by_first(const Liveness& live) {
  std::vector<std::uint32_t> order(live.ranges.size());
  std::iota(order.begin(), order.end(), 0u);
  order.erase(std::remove_if(order.begin(), order.end(), [&](std::uint32_t r) { return !live.ranges[r].used(); }), order.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return live.ranges[a].first < live.ranges[b].first; });
  return order;
}

constexpr std::uint32_t bytes_of_row(RegisterClass kind) {
  return kind == RegisterClass::wide ? kRow64 : kind == RegisterClass::narrow ? kRow32 : sizeof(LaneMask);
}

}  // namespace

Liveness liveness(const DraftFunction& function, const FlowGraph& graph, const std::vector<CallSite>& calls) {
  return Analysis(function, graph, calls).run();
}

FrameLayout lay_out_frame(const DraftFunction& function, const Liveness& live) {
  // Rows of a class are numbered first, then placed: wide rows, narrow rows, predicates.
  using Ending = std::pair<std::uint32_t, std::uint32_t>;  // last draft, row
  std::vector<std::uint32_t> rows(function.registers.size(), 0);
  std::uint32_t counts[3] = {};
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy[3];
  std::vector<std::uint32_t> free[3];
  for (const std::uint32_t r : by_first(live)) {
    const auto kind = static_cast<unsigned>(function.registers[r]);
    // A row is free again behind its last use: the operation there may write it, since lanes are computed before they are written.
    while (!busy[kind].empty() && busy[kind].top().first < live.ranges[r].first) {
      free[kind].push_back(busy[kind].top().second);
      busy[kind].pop();
    }
    if (free[kind].empty()) free[kind].push_back(counts[kind]++);
    rows[r] = free[kind].back();
    free[kind].pop_back();
    busy[kind].push({live.ranges[r].last, rows[r]});
  }
  FrameLayout layout;
  const auto wide = static_cast<unsigned>(RegisterClass::wide), narrow = static_cast<unsigned>(RegisterClass::narrow);
  std::uint32_t begins[3] = {};
  begins[wide] = 0;
  begins[narrow] = counts[wide] * kRow64;
  begins[static_cast<unsigned>(RegisterClass::predicate)] = begins[narrow] + counts[narrow] * kRow32;
  for (std::size_t r = 0; r < rows.size(); ++r)
    layout.offsets.push_back(begins[static_cast<unsigned>(function.registers[r])] + rows[r] * bytes_of_row(function.registers[r]));
  for (std::uint32_t r = 0; r < rows.size(); ++r)
    if (function.pinned[r] || live.live_in.front().has(r))
      layout.cleared.push_back({layout.offsets[r], bytes_of_row(function.registers[r])});
  constexpr std::uint32_t kAlignment = 64;
  const std::uint32_t end = begins[0] + counts[0] * static_cast<std::uint32_t>(sizeof(LaneMask));
  // A register that is never used may point at row 0 of a class that has none.
  layout.bytes = (std::max(end, kRow64) + kRow64 + kAlignment - 1) / kAlignment * kAlignment;
  return layout;
}

std::vector<RegisterId> scoreboard_names(const DraftFunction& function, const Liveness& live) {
  constexpr std::uint32_t kNames = 254;
  std::vector<RegisterId> names(function.registers.size(), kNoRegister);
  // The registers that one vector load, or one instruction on matrices, writes are one group, and take the name of the first.
  std::vector<std::uint32_t> leader(function.registers.size());
  std::iota(leader.begin(), leader.end(), 0u);
  for (const Draft& draft : function.drafts) {
    const bool loads_vector = draft.operation.action == Action::load || draft.operation.action == Action::texture;
    if (!loads_vector && !draft.writes_fragment) continue;
    std::uint32_t first = kNone;
    for_each_definition(draft, {}, [&](std::uint32_t r) {
      if (first == kNone) first = leader[r];
      leader[r] = first;
    });
  }
  std::vector<std::uint32_t> busy_until(kNames, 0);
  std::uint32_t next = 0;
  for (const std::uint32_t r : by_first(live)) {
    if (leader[r] != r && names[leader[r]] != kNoRegister) {
      names[r] = names[leader[r]];
      busy_until[names[r]] = std::max(busy_until[names[r]], live.ranges[r].last);
      continue;
    }
    std::uint32_t tried = 0;
    while (tried < kNames && busy_until[next] > live.ranges[r].first) {
      next = (next + 1) % kNames;
      ++tried;
    }
    names[r] = static_cast<RegisterId>(next);
    busy_until[next] = std::max(busy_until[next], live.ranges[r].last);
    next = (next + 1) % kNames;
  }
  return names;
}

}  // namespace wharf::ptx
