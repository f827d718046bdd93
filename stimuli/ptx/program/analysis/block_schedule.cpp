// List scheduling of the parts of a block between instructions that stay in place.
#include "stimuli/ptx/program/analysis/block_schedule.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace wharf::ptx {

namespace {

/// Memory that an access touches: an offset from a base whose value is not known, but known to be one value.
struct Place {
  StateSpace space = StateSpace::generic;
  Operand base;               // absent: a fixed address
  std::uint32_t version = 0;  // of the base register
  std::int64_t offset = 0, bytes = 0;
  bool is_known = true;  // false: anywhere in the space
};

bool share_memory(StateSpace a, StateSpace b) {
  const auto is_generic = [](StateSpace space) { return space == StateSpace::generic; };
  const auto has_window = [](StateSpace space) { return space != StateSpace::param && space != StateSpace::constant; };
  return a == b || ((is_generic(a) || is_generic(b)) && has_window(a) && has_window(b));
}

bool may_overlap(const Place& a, const Place& b) {
  if (!share_memory(a.space, b.space)) return false;
  if (!a.is_known || !b.is_known || a.space != b.space || !(a.base == b.base) || a.version != b.version) return true;
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/// A register's value between one definition and the next.
struct Value {
  std::uint32_t readers = 0;      // drafts
  std::uint32_t weight = 0;       // 32-bit registers
  bool live_after_block = false;  // behind the block
};

struct Node {
  std::vector<std::uint32_t> reads, writes;  // values, each once
  std::vector<std::uint32_t> followers;      // nodes that must come later
  std::uint32_t open = 0;                    // nodes that must come before and have not
  std::uint32_t part = 0;                    // of the block; fixed nodes end parts
  bool is_fixed = false, is_load = false, feeds_load = false;
};

bool is_fixed(const Draft& draft) {
  const Operation& operation = draft.operation;
  switch (operation.action) {
    case Action::load:
    case Action::store:
      return draft.is_ordered;
    case Action::texture:
    case Action::prefetch:
    case Action::matrix_product:
    case Action::matrix_load:
    case Action::matrix_store:
      return false;
    case Action::compute:
      break;
    default:
      return true;
  }
  if (operation.waits_for_lanes) return true;
  const std::string_view opcode = draft.row->opcode;
  return opcode == "membar" || opcode == "fence" || opcode == "nanosleep" || opcode == "bar" || opcode == "activemask";
}

/// True for a load that an assembler moves ahead: one that waits for memory.
bool waits_for_memory(const Draft& draft) {
  const Operation& operation = draft.operation;
  if (operation.action == Action::texture || operation.action == Action::matrix_load) return true;
  return operation.action == Action::load && operation.space != StateSpace::param && operation.space != StateSpace::constant;
}

/// The dependences within a block.
class BlockGraph {
 public:
  BlockGraph(const DraftFunction& function, const FlowGraph::Block& block, const RegisterSet& live_in, const RegisterSet& live_out,
             const std::vector<CallSite>& calls)
      : function_(function), block_(block), calls_(calls), registers_(function.registers.size()), nodes_(block.end - block.begin) {
    live_in.for_each([&](std::uint32_t r) {
      registers_[r].value = add_value(r);
      live_before_ += values_.back().weight;
    });
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) add_node(i);
    live_out.for_each([&](std::uint32_t r) {
      if (registers_[r].value != kNone) values_[registers_[r].value].live_after_block = true;
    });
    for (std::uint32_t i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;)
      for (const std::uint32_t next : nodes_[i].followers)
        nodes_[i].feeds_load |= nodes_[next].part == nodes_[i].part && (nodes_[next].is_load || nodes_[next].feeds_load);
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Value>& values() const { return values_; }
  std::uint32_t live_before() const { return live_before_; }

 private:
  struct RegisterState {
    std::uint32_t value = kNone, version = 0, writer = kNone;
    std::vector<std::uint32_t> readers;  // of the present value
  };

  std::uint32_t add_value(std::uint32_t r) {
    const RegisterClass kind = function_.registers[r];
    values_.push_back({0, kind == RegisterClass::wide ? 2u : kind == RegisterClass::narrow ? 1u : 0u, false});
    return static_cast<std::uint32_t>(values_.size()) - 1;
  }

  void order(std::uint32_t before, std::uint32_t after) {
    std::vector<std::uint32_t>& followers = nodes_[before].followers;
    if (before == after || (!followers.empty() && followers.back() == after)) return;
    followers.push_back(after);
    ++nodes_[after].open;
  }

  void read(std::uint32_t i, std::uint32_t r) {
    RegisterState& state = registers_[r];
    if (state.value == kNone) state.value = add_value(r);  // read before it is written
    if (state.writer != kNone) order(state.writer, i);
    if (!state.readers.empty() && state.readers.back() == i) return;
    state.readers.push_back(i);
    nodes_[i].reads.push_back(state.value);
    ++values_[state.value].readers;
  }

  void write(std::uint32_t i, std::uint32_t r) {
    RegisterState& state = registers_[r];
    for (const std::uint32_t reader : state.readers) order(reader, i);
    if (state.writer != kNone) order(state.writer, i);
    state.readers.clear();
    state.writer = i;
    ++state.version;
    state.value = add_value(r);
    nodes_[i].writes.push_back(state.value);
  }

  Place place_of(const Draft& draft) const {
    const Operation& operation = draft.operation;
    Place place;
    place.space = operation.space;
    if (operation.action == Action::texture) place.space = StateSpace::global;
    place.is_known = operation.action != Action::texture && !is_matrix_access(operation.action);
    if (!place.is_known) return place;
    place.base = operation.operands[address_slot(draft)];
    if (place.base.present() && place.base.bank() == static_cast<unsigned>(Bank::frame))
      place.version = registers_[place.base.offset()].version;
    place.offset = operation.immediate;
    place.bytes = std::int64_t{operation.elements} * bytes_of(operation.type);
    return place;
  }

  /// Stores keep their order, and a load keeps its place among the stores that it may overlap.
  void access(std::uint32_t i, const Draft& draft) {
    const Place place = place_of(draft);
    const Action action = draft.operation.action;
    const bool is_store = action == Action::store || action == Action::matrix_store;
    if (place.space == StateSpace::param && draft.operation.reads_arguments) return;  // nobody writes them
    for (const auto& [store, other] : stores_)
      if (is_store || may_overlap(place, other)) order(store, i);
    if (!is_store) {
      loads_.emplace_back(i, place);
      return;
    }
    for (const auto& [load, other] : loads_)
      if (may_overlap(place, other)) order(load, i);
    stores_.emplace_back(i, place);
  }

  void add_node(std::uint32_t i) {
    const Draft& draft = function_.drafts[block_.begin + i];
    nodes_[i].is_fixed = is_fixed(draft);
    nodes_[i].part = i == 0 ? 0 : nodes_[i - 1].part + (nodes_[i - 1].is_fixed ? 1 : 0);
    nodes_[i].is_load = !nodes_[i].is_fixed && waits_for_memory(draft);
    const Action action = draft.operation.action;
    if (nodes_[i].is_fixed) {
      stores_.clear();
      loads_.clear();
    } else if (action == Action::load || action == Action::store || action == Action::texture || is_matrix_access(action)) {
      access(i, draft);
    }
    for_each_use(draft, calls_, [&](std::uint32_t r) { read(i, r); });
    for_each_definition(draft, calls_, [&](std::uint32_t r) {
      if (draft.operation.guard.present()) read(i, r);  // other lanes keep the old value
    });
    for_each_definition(draft, calls_, [&](std::uint32_t r) { write(i, r); });
  }

  const DraftFunction& function_;
  const FlowGraph::Block& block_;
  const std::vector<CallSite>& calls_;
  std::vector<RegisterState> registers_;
  std::vector<Node> nodes_;
  std::vector<Value> values_;
  std::uint32_t live_before_ = 0;                                // 32-bit registers that live where the block begins
  std::vector<std::pair<std::uint32_t, Place>> loads_, stores_;  // since the last fixed node
};

/// One attempt at an order of a block.
class Attempt {
 public:
  Attempt(const BlockGraph& graph, std::uint32_t limit)
      : nodes_(graph.nodes()), values_(graph.values()), limit_(limit), live_(graph.live_before()) {
    for (std::uint32_t begin = 0; begin < nodes_.size();) {
      std::uint32_t end = begin;
      while (end < nodes_.size() && !nodes_[end].is_fixed) ++end;
      schedule_part(begin, end);
      if (end < nodes_.size()) take(end);
      begin = end + 1;
    }
  }

  const std::vector<std::uint32_t>& order() const { return order_; }
  std::uint32_t most_live() const { return most_live_; }

 private:
  void schedule_part(std::uint32_t begin, std::uint32_t end) {
    end_ = end;
    done_.assign(end - begin, false);
    for (std::uint32_t i = begin; i < end; ++i)
      if (nodes_[i].open == 0) make_ready(i);
    std::uint32_t next = begin;  // the first that has not been taken
    for (std::uint32_t taken = begin; taken < end; ++taken) {
      while (done_[next - begin]) ++next;
      const std::uint32_t node = fits(loads_) ? *loads_.begin() : fits(feeders_) ? *feeders_.begin() : next;
      loads_.erase(node);
      feeders_.erase(node);
      done_[node - begin] = true;
      take(node);
    }
  }

  void make_ready(std::uint32_t node) {
    if (nodes_[node].is_load) loads_.insert(node);
    if (nodes_[node].feeds_load) feeders_.insert(node);
  }

  bool fits(const std::set<std::uint32_t>& ready) const { return !ready.empty() && live_after(*ready.begin()) <= limit_; }

  std::uint32_t live_after(std::uint32_t node) const {
    std::uint32_t live = live_;
    for (const std::uint32_t value : nodes_[node].writes)
      if (values_[value].readers != 0 || values_[value].live_after_block) live += values_[value].weight;
    for (const std::uint32_t value : nodes_[node].reads)
      if (values_[value].readers == 1 && !values_[value].live_after_block) live -= values_[value].weight;
    return live;
  }

  void take(std::uint32_t node) {
    live_ = live_after(node);
    most_live_ = std::max(most_live_, live_);
    for (const std::uint32_t value : nodes_[node].reads) --values_[value].readers;
    order_.push_back(node);
    for (const std::uint32_t next : nodes_[node].followers)
      if (--nodes_[next].open == 0 && next < end_) make_ready(next);
  }

  std::vector<Node> nodes_;
  std::vector<Value> values_;
  std::uint32_t limit_, live_, most_live_ = 0;
  std::uint32_t end_ = 0;                    // of the present part
  std::set<std::uint32_t> loads_, feeders_;  // nodes of the present part that may come next
  std::vector<bool> done_;
  std::vector<std::uint32_t> order_;
};

/// The best order within the bound. A lower limit for what moves ahead leaves room for what stays behind.
std::vector<std::uint32_t> order_of(const BlockGraph& graph, std::uint32_t most_registers) {
  constexpr unsigned kAttempts = 4;
  std::uint32_t limit = most_registers;
  for (unsigned i = 0; i < kAttempts; ++i) {
    const Attempt attempt(graph, limit);
    if (attempt.most_live() <= most_registers) return attempt.order();
    limit -= std::min(limit, attempt.most_live() - most_registers);
  }
  return Attempt(graph, 0).order();  // that of the text, since nothing fits
}

}  // namespace

std::vector<std::uint32_t> hoist_loads(DraftFunction& function, const FlowGraph& graph, const Liveness& live,
                                       const std::vector<CallSite>& calls, std::uint32_t most_registers) {
  std::vector<std::uint32_t> former(function.drafts.size());
  std::iota(former.begin(), former.end(), 0u);
  std::vector<Draft> drafts = function.drafts;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const FlowGraph::Block& block = graph.blocks[b];
    const auto begin = function.drafts.begin() + block.begin, end = function.drafts.begin() + block.end;
    if (std::none_of(begin, end, waits_for_memory)) continue;
    RegisterSet live_out(function.registers.size());
    for (const std::uint32_t next : block.successors)
      if (next < graph.exit()) live_out.add(live.live_in[next]);
    const std::vector<std::uint32_t> order = order_of(BlockGraph(function, block, live.live_in[b], live_out, calls), most_registers);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      former[block.begin + i] = block.begin + order[i];
      drafts[block.begin + i] = function.drafts[block.begin + order[i]];
    }
  }
  function.drafts = std::move(drafts);
  return former;
}

}  // namespace wharf::ptx
