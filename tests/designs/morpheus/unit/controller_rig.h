#pragma once
// A controller's logic between scripted requests, a kernel that keeps lines in small LRU sets, and a DRAM, all without SystemC. The test
// chooses how many steps a message takes. Messages of one row stay in order, and so do DRAM's of one line.

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "model/designs/morpheus/controller/controller_logic.h"
#include "policies/hit_predictor/hit_predictor.h"
#include "tests/unit/counted.h"

namespace wharf::test {

struct ControllerRig : ControllerHost {
  struct Sent {
    Transaction* message;
    Cycle due;
  };
  struct Held {
    LineAddress line;
    SectorVersions versions{};
    bool dirty = false, pending = false;
  };
  struct Set {
    std::vector<Held> lines;         // most recently used first
    Transaction* waiting = nullptr;  // an operation that waits for its line
    std::size_t ways = 2;
  };
  struct Answered {
    Transaction* request;
    Answer how;
  };

  explicit ControllerRig(const MorpheusParams& params = {}, std::vector<EllcSet> sets = two_sets(), const char* predictor_name = "bloom",
                         bool stop_at_false_negatives = true)
      : rows(std::move(sets)), kernel(rows.size()) {
    HitPredictorOptions options;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      options.associativity.push_back(rows[row].blocks);
      kernel[row].ways = rows[row].blocks;
    }
    options.resident = [this](LineAddress line) { return directory.resident(line); };
    predictor = make_hit_predictor(predictor_name, options);
    logic =
        std::make_unique<ControllerLogic>(params, ControllerLogic::Partition{0, rows, directory, stop_at_false_negatives}, *this, group);
    spins = params.kernel.delivery == Delivery::spin;
    loads_blocks = params.miss_fetch == MissFetch::warp;
    if (spins) next_poll.assign(rows.size(), 1);
  }
  /// Row 0 is in a register file, row 1 in an L1, with two lines each.
  static std::vector<EllcSet> two_sets() { return {{0, 0, EllcUnit::register_file, 2}, {0, 1, EllcUnit::l1, 2}}; }

  // ControllerHost
  bool predicts_hit(const EllcOperation& operation) override {
    return predictor->predict_hit({operation.row, operation.tag, operation.line});
  }
  void accessed(const EllcOperation& operation, bool) override { updates.push_back({operation.row, operation.tag, operation.line}); }
  Transaction& make(const Access& access) override {
    storage.push_back(std::make_unique<Transaction>());
    storage.back()->access = access;
    ++alive;
    return *storage.back();
  }
  void release(Transaction& message) override { --(message.message.kind == MessageKind::ellc_poll ? polls : alive); }
  void answer(Transaction& request, const Transaction*, Answer how) override {
    answers.push_back({&request, how});
    if (how == Answer::from_buffer) ++buffered;
  }
  bool dram_room(LineAddress) const override { return dram_has_room; }
  void read_dram(const Transaction& cause, std::uint32_t code, SectorMask) override {
    Access access = cause.access;
    access.slot = code;
    access.kind = AccessKind::load;
    Transaction& read = make(access);
    dram_reads.push_back({&read, now + dram_steps(read)});
  }
  void send(Transaction& message, MessageKind kind, const EllcWord& word) override {
    message.message.kind = kind;
    message.message.tag = word.pack();
    to_warps.push_back({&message, now + way_steps()});
    if (kind == MessageKind::ellc_request) to_inject.push_back(word);
  }

  /// A request of the test, which keeps its ownership.
  Transaction& request(AccessKind kind, std::uint64_t line, SectorMask sectors = kAllSectors) {
    storage.push_back(std::make_unique<Transaction>());
    Access& access = storage.back()->access;
    access.kind = kind;
    access.line = {line};
    access.sectors = sectors;
    access.covered = kind == AccessKind::store ? sectors : SectorMask{0};
    return *storage.back();
  }
  stats::Counter* decide(Transaction& transaction, std::uint32_t row) {
    return logic->decide(transaction, row, static_cast<std::uint32_t>(transaction.access.line.number), now);
  }

  /// One cycle of everything but new requests. They must be decided after begin().
  void begin() {
    ++now;
    for (std::size_t row = 0; row < next_poll.size(); ++row)
      if (next_poll[row] <= now) poll(static_cast<std::uint8_t>(row));
    logic->serve_arrived();
  }
  void end() {
    receive_results();
    receive_lines();
    logic->dispatch(now);
    logic->answer_polls(now);
    for (const EllcWord& word : to_inject) logic->injected(word);
    to_inject.clear();
    while (!to_warps.empty() && to_warps.front().due <= now) {
      perform(*to_warps.front().message);
      to_warps.pop_front();
    }
    for (; buffered > 0; --buffered) logic->free_read_buffer_entry();
    for (const auto& block : updates) predictor->accessed(block, false);
    updates.clear();
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      begin();
      end();
    }
  }
  bool quiet() const {
    return logic->idle() && to_warps.size() + results.size() == polls_in_transit() && dram_reads.empty() && dram_writes.empty();
  }
  std::uint64_t count(const char* name) const { return counted(registry, std::string("morpheus.") + name); }
  bool answered(const Transaction& request) const {
    return std::any_of(answers.begin(), answers.end(), [&](const Answered& one) { return one.request == &request; });
  }

  std::function<Cycle()> way_steps = [] { return 3; };
  std::function<Cycle(const Transaction&)> dram_steps = [](const Transaction&) { return 10; };
  std::function<Cycle()> poll_steps = [] { return 7; };  // from the answer of an empty row to the next load
  bool dram_has_room = true;
  Cycle now = 0;
  long alive = 0, polls = 0;  // transactions: all except loads of rows; loads of rows
  std::uint64_t empty_polls = 0;
  std::vector<EllcSet> rows;
  stats::Registry registry;
  stats::Group group{registry, "morpheus", 0};
  EllcDirectory directory{1, 64};
  std::unique_ptr<HitPredictor> predictor;
  std::unique_ptr<ControllerLogic> logic;
  std::vector<Answered> answers;
  std::vector<Set> kernel;
  std::map<std::uint64_t, SectorVersions> dram;
  std::deque<Sent> to_warps, results, dram_reads, dram_writes;
  std::vector<EllcOp> performed;

 private:
  std::size_t polls_in_transit() const {
    const auto is_poll = [](const Sent& sent) { return sent.message->message.kind == MessageKind::ellc_poll; };
    return static_cast<std::size_t>(std::count_if(to_warps.begin(), to_warps.end(), is_poll) +
                                    std::count_if(results.begin(), results.end(), is_poll));
  }
  void poll(std::uint8_t row) {
    next_poll[row] = kNever;
    storage.push_back(std::make_unique<Transaction>());
    ++polls;
    EllcWord word;
    word.row = row;
    reply(*storage.back(), MessageKind::ellc_poll, word);
  }
  void receive_results() {
    while (!results.empty() && results.front().due <= now) {
      Transaction& message = *results.front().message;
      if (message.message.kind == MessageKind::ellc_result && !logic->result_fits(EllcWord::unpack(message.message.tag))) return;
      results.pop_front();
      if (message.message.kind == MessageKind::ellc_result) {
        logic->result(message, now);
      } else if (message.message.kind == MessageKind::ellc_poll) {
        logic->polled(message);
      } else if (message.message.kind == MessageKind::ellc_fetch) {
        logic->fetch(message);
      } else {
        dram_writes.push_back({&message, now + 1});
      }
    }
  }
  /// Reads and writes of one line in the order of arrival. Writes are done at once, because none follows an older read of its line.
  void receive_lines() {
    for (; !dram_writes.empty(); dram_writes.pop_front()) {
      dram[dram_writes.front().message->access.line.number] = dram_writes.front().message->versions;
      release(*dram_writes.front().message);
    }
    for (auto read = dram_reads.begin(); read != dram_reads.end();) {
      if (read->due > now) {
        ++read;
        continue;
      }
      Transaction& reply = *read->message;
      reply.versions = dram[reply.access.line.number];
      read = dram_reads.erase(read);
      logic->filled(reply, now);
      release(reply);
      read = dram_reads.begin();
    }
  }

  // The kernel.
  void reply(Transaction& message, MessageKind kind, EllcWord word) {
    message.message.kind = kind;
    message.message.tag = word.pack();
    const Cycle due = std::max(now + way_steps(), results.empty() ? 0 : results.back().due);
    results.push_back({&message, due});
  }
  Held* find(Set& set, LineAddress line) {
    for (Held& held : set.lines)
      if (held.line == line) return &held;
    return nullptr;
  }
  Held& use(Set& set, LineAddress line) {
    auto held = std::find_if(set.lines.begin(), set.lines.end(), [&](const Held& one) { return one.line == line; });
    std::rotate(set.lines.begin(), held, held + 1);
    return set.lines.front();
  }
  Held& take_in(Set& set, const EllcWord& word, LineAddress line) {
    directory.report(0, word.row, line, true);
    if (set.lines.size() == set.ways) {
      const auto oldest = std::find_if(set.lines.rbegin(), set.lines.rend(), [](const Held& one) { return !one.pending; });
      const Held victim = *oldest;
      set.lines.erase(oldest.base() - 1);
      directory.report(0, word.row, victim.line, false);
      if (victim.dirty) {
        Access access;
        access.line = victim.line;
        Transaction& writeback = make(access);
        writeback.versions = victim.versions;
        reply(writeback, MessageKind::ellc_writeback, word);
      }
    }
    set.lines.insert(set.lines.begin(), Held{line});
    return set.lines.front();
  }
  void perform(Transaction& message) {
    EllcWord word = EllcWord::unpack(message.message.tag);
    Set& set = kernel[word.row];
    if (message.message.kind == MessageKind::ellc_poll) {
      CHECK(word.nothing);
      ++empty_polls;
      next_poll[word.row] = now + poll_steps();
      release(message);
      return;
    }
    if (message.message.kind == MessageKind::ellc_request) performed.push_back(word.op);
    if (message.message.kind == MessageKind::ellc_fill) {
      fill(set, message);
      return;
    }
    const LineAddress line = message.access.line;
    if (message.message.kind == MessageKind::ellc_block) {
      Held& held = take_in(set, word, line);
      held.versions = message.versions;
      if (set.waiting != nullptr) {
        write(held, *set.waiting);
        release(*set.waiting);
      }
      set.waiting = nullptr;
      finish(message, word, word.op == EllcOp::atomic ? &held : nullptr, EllcResult::done);
      return;
    }
    operate(set, message, word);
  }
  void operate(Set& set, Transaction& message, EllcWord word) {
    const LineAddress line = message.access.line;
    const bool l1 = rows[word.row].unit == EllcUnit::l1, here = find(set, line) != nullptr;
    const bool full =
        set.lines.size() == set.ways && std::all_of(set.lines.begin(), set.lines.end(), [](const Held& one) { return one.pending; });
    if ((!here && full) || (here && find(set, line)->pending && word.op != EllcOp::touch)) {
      set.waiting = &message;
    } else if (word.op == EllcOp::insert || (word.op == EllcOp::write && !here && message.access.covered == kAllSectors)) {
      if (here && !word.dirty) {
        finish(message, word, nullptr, EllcResult::dropped);
        return;
      }
      Held& held = here ? use(set, line) : take_in(set, word, line);
      held.versions = message.versions;
      held.dirty = word.dirty || word.op == EllcOp::write;
      finish(message, word, nullptr, EllcResult::done);
    } else if (here) {
      Held& held = use(set, line);
      if (word.op != EllcOp::read && word.op != EllcOp::touch) write(held, message);
      finish(message, word, word.op == EllcOp::read || word.op == EllcOp::atomic ? &held : nullptr,
             word.op == EllcOp::read    ? EllcResult::hit
             : word.op == EllcOp::touch ? EllcResult::dropped
                                        : EllcResult::done);
    } else if (l1) {
      take_in(set, word, line).pending = true;
      Access access;
      access.line = line;
      reply(make(access), MessageKind::ellc_fetch, word);
      if (word.op == EllcOp::touch)
        finish(message, word, nullptr, EllcResult::done);
      else
        set.waiting = &message;
    } else {
      if (word.op != EllcOp::read) {
        set.waiting = &make(message.access);
        set.waiting->versions = message.versions;
      }
      finish(message, word, nullptr, EllcResult::miss);
    }
  }
  void fill(Set& set, Transaction& message) {
    Held* held = find(set, message.access.line);
    REQUIRE(held != nullptr);
    held->pending = false;
    held->versions = message.versions;
    // It waits for this line, or for any way of the set.
    if (set.waiting != nullptr && (set.waiting->access.line == message.access.line || find(set, set.waiting->access.line) == nullptr)) {
      Transaction& waiting = *std::exchange(set.waiting, nullptr);
      operate(set, waiting, EllcWord::unpack(waiting.message.tag));
    }
    release(message);
  }
  static void write(Held& held, const Transaction& message) {
    held.dirty = true;
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (message.access.sectors >> s & 1) held.versions[s] = message.versions[s];
  }
  void finish(Transaction& message, EllcWord word, const Held* data, EllcResult result) {
    if (data != nullptr) message.versions = data->versions;
    word.result = result;
    word.data = data != nullptr;
    reply(message, MessageKind::ellc_result, word);
    if (spins && !(result == EllcResult::miss && loads_blocks)) poll(word.row);
  }

  bool spins = false, loads_blocks = false;
  std::vector<Cycle> next_poll;  // [row], kNever while one is in flight or the warp is busy
  std::vector<EllcWord> to_inject;
  int buffered = 0;
  std::vector<HitPredictor::Block> updates;
  std::vector<std::unique_ptr<Transaction>> storage;
};

}  // namespace wharf::test
