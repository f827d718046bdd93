#pragma once
// An SM's logic between scripted warps and a scripted L1, for the sm_* tests.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/sm/sm_logic.h"
#include "tests/unit/counted.h"

namespace wharf::test {

using Program = std::vector<WarpInstruction>;

inline WarpInstruction instruction(Unit unit, std::uint32_t pc, RegisterId destination = kNoRegister,
                                   std::vector<RegisterId> sources = {}) {
  WarpInstruction i;
  i.unit = unit;
  i.pc = pc;
  i.destination = destination;
  std::copy(sources.begin(), sources.end(), i.sources.begin());
  return i;
}
inline WarpInstruction alu(std::uint32_t pc, RegisterId destination = kNoRegister, std::vector<RegisterId> sources = {}) {
  return instruction(Unit::alu, pc, destination, std::move(sources));
}
/// Lane l accesses `base` + `stride` * l.
inline WarpInstruction memory(Unit unit, std::uint32_t pc, Address base, std::uint64_t stride, RegisterId destination = kNoRegister) {
  WarpInstruction i = instruction(unit, pc, destination);
  for (unsigned lane = 0; lane < kLanes; ++lane) i.addresses[lane] = base + stride * lane;
  return i;
}
inline WarpInstruction load(std::uint32_t pc, RegisterId destination, Address base = 0, std::uint64_t stride = 4) {
  return memory(Unit::load, pc, base, stride, destination);
}

/// Records the issue of an instruction's last repeat.
struct Issue {
  unsigned warp;
  std::uint32_t pc;
  Cycle cycle;
  friend bool operator==(const Issue& a, const Issue& b) { return a.warp == b.warp && a.pc == b.pc && a.cycle == b.cycle; }
  friend std::ostream& operator<<(std::ostream& out, const Issue& i) {
    return out << "warp " << i.warp << " pc " << i.pc << " cycle " << i.cycle;
  }
};
struct Sent {
  Access access;
  Cycle arrival;  // at the L1
};

class SmRig : private SmLogic::Port {
 public:
  explicit SmRig(const SmParams& params, TransactionUnit unit = TransactionUnit::line, std::uint32_t l1_banks = 1)
      : group_(registry, "sm", 0), logic(params, unit, l1_banks, 0, group_, *this) {}

  /// Launches a CTA in cycle `now`, before act().
  void launch(std::vector<Program> programs, Cycle now = 1, std::uint32_t slot = 0, std::uint64_t age = 0) {
    std::vector<std::unique_ptr<WarpStream>> warps;
    const auto first = slot * static_cast<unsigned>(programs.size());
    for (unsigned w = 0; w < programs.size(); ++w) warps.push_back(std::make_unique<Stream>(*this, first + w, std::move(programs[w])));
    now_ = now;
    logic.launch(slot + 100, slot, age, std::move(warps), now);
  }

  /// Runs cycles up to `last`: all of them if `ticking`, otherwise only those that the logic asks for.
  void run(Cycle last, bool ticking = true) {
    while (now_ <= last) {
      logic.act(now_);
      ++acts;
      logic.visit_finished([&](std::uint32_t slot) { finished.emplace_back(slot, now_); });
      // An arrival in a cycle is announced in the cycle before.
      Cycle next = ticking ? now_ + 1 : logic.next_event(now_);
      for (const auto& answer : answers_) next = std::min(next, std::max(answer.second - 1, now_ + 1));
      if (resume_at && !ticking) next = std::min(next, *resume_at);
      for (std::size_t i = 0; i < answers_.size();) {
        if (answers_[i].second > std::max(now_ + 1, next)) {
          ++i;
          continue;
        }
        next = std::min(next, logic.answered(answers_[i].first, answers_[i].second));
        answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (resume_at && *resume_at <= next) {
        logic.resume(*resume_at);
        next = std::min(next, *resume_at);
        resume_at.reset();
      }
      now_ = next;
    }
  }

  /// The cycles of all issues of `pc` by `warp`.
  std::vector<Cycle> cycles_of(std::uint32_t pc, unsigned warp = 0) const {
    std::vector<Cycle> cycles;
    for (const Issue& issue : issues)
      if (issue.pc == pc && issue.warp == warp) cycles.push_back(issue.cycle);
    return cycles;
  }
  Cycle cycle_of(std::uint32_t pc, unsigned warp = 0) const {
    const auto cycles = cycles_of(pc, warp);
    return cycles.size() == 1 ? cycles[0] : kNever;
  }
  std::vector<Cycle> arrivals() const {
    std::vector<Cycle> cycles;
    for (const Sent& s : sent) cycles.push_back(s.arrival);
    return cycles;
  }
  /// Answers access number `index` by hand.
  void answer(std::size_t index, Cycle at, ReplyHint reply = {}, const StageTimes& stages = {}) {
    Transaction transaction;
    transaction.stages = stages;
    transaction.access = sent[index].access;
    transaction.reply = reply;
    answers_.emplace_back(transaction, at);
  }
  std::uint64_t count(const char* metric) const { return counted(registry, std::string("sm.") + metric); }

  stats::Registry registry;

 private:
  stats::Group group_;

 public:
  SmLogic logic;
  std::vector<Issue> issues;
  std::vector<Sent> sent;
  std::vector<std::pair<std::uint32_t, Cycle>> finished;  // CTA slot, cycle
  /// Data arrive this long after the access reaches the L1. Without a value, accesses are answered by hand.
  std::optional<Cycle> latency;
  /// Whether the L1 accepts more after the n-th access.
  std::function<bool(std::size_t n)> open = [](std::size_t) { return true; };
  std::optional<Cycle> resume_at;
  std::uint64_t acts = 0;

 private:
  class Stream final : public WarpStream {
   public:
    Stream(SmRig& rig, unsigned warp, Program program) : rig_(rig), warp_(warp), program_(std::move(program)) {}
    const WarpInstruction* peek() override {
      if (next_ == program_.size()) return nullptr;
      shown_ = program_[next_];
      return &shown_;
    }
    void advance() override {
      rig_.issues.push_back({warp_, program_[next_++].pc, rig_.now_});
      shown_ = WarpInstruction();  // the SM must not read an instruction after its issue
      shown_.pc = 0xBAD;
    }

   private:
    WarpInstruction shown_;
    SmRig& rig_;
    unsigned warp_;
    Program program_;
    std::size_t next_ = 0;
  };

  Access& next(const Access& like) override { return sent.emplace_back(Sent{like, now_ + 1}).access; }
  void copy_reply(const Access&) override {}
  bool send() override {
    if (latency) answer(sent.size() - 1, now_ + 1 + *latency);
    return open(sent.size() - 1);
  }

  Cycle now_ = 1;
  std::vector<std::pair<Transaction, Cycle>> answers_;
};

/// One scheduler, all units free in the next cycle, short and different latencies.
inline SmParams plain_sm() {
  SmParams p;
  p.schedulers = 1;
  p.warp_scheduler = "lrr";
  p.units.alu = {8, 1};
  p.units.fp32 = {9, 1};
  p.units.fp64 = {16, 1};
  p.units.sfu = {40, 1};
  p.issue_to_execute_cycles = 1;
  p.writeback_cycles = 0;
  return p;
}

}  // namespace wharf::test
