#pragma once
// A controller's logic with a service by rate, the kernel of its one cache-mode SM, and a DRAM of sectors, all without SystemC. Networks
// take 77 cycles, DRAM 400.

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "model/designs/morpheus/controller/controller_logic.h"
#include "tests/unit/counted.h"

namespace wharf::test {

struct RateRig : ControllerHost {
  static constexpr Cycle kNetwork = 77, kDram = 400;
  static constexpr StoreId kInDram = 900'000;  // version of sectors that nobody has written

  static MorpheusParams rate() {
    MorpheusParams params;
    params.kernel.service = EllcService::rate;
    params.kernel.rf_warps = 1;
    params.kernel.l1_warps = 0;
    params.kernel.register_file_kib = 2;  // six blocks
    params.mshr_merges = 64;
    return params;
  }
  explicit RateRig(const MorpheusParams& params = rate())
      : kernel(std::make_unique<EllcKernel>(params.kernel, EllcKernel::Environment{1710, MissFetch::controller, true, 5, {}}, sm_group)),
        rows{{0, 0, EllcUnit::register_file, params.kernel.data_blocks(EllcUnit::register_file)}} {
    ControllerLogic::Partition partition{0, rows, directory};
    partition.kernel_of = [this](unsigned) -> EllcKernel& { return *kernel; };
    partition.sectored = true;
    partition.write_miss = WriteMiss::lazy;
    logic = std::make_unique<ControllerLogic>(params, partition, *this, group);
  }
  std::uint64_t ways() const { return rows[0].blocks; }

  // ControllerHost: predicts from the known contents of the set; the test sets the answers for other lines.
  bool predicts_hit(const EllcOperation& operation) override { return says_hit || directory.resident(operation.line); }
  void accessed(const EllcOperation&, bool) override {}
  Transaction& make(const Access& access) override {
    storage.push_back(std::make_unique<Transaction>());
    storage.back()->access = access;
    return *storage.back();
  }
  void release(Transaction&) override {}
  void answer(Transaction& request, const Transaction*, Answer how) override {
    if (how == Answer::from_buffer) ++buffered;
    done.insert(&request);
    const auto expected = least.find(&request);
    if (expected == least.end() || how == Answer::ack) return;
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if ((request.access.sectors >> s & 1) != 0 && order(request.versions[s]) < order(expected->second[s])) ++wrong;
  }
  bool dram_room(LineAddress) const override { return true; }
  void read_dram(const Transaction& cause, std::uint32_t code, SectorMask sectors) override {
    Access access = cause.access;
    access.slot = code;
    access.kind = AccessKind::load;
    access.sectors = sectors;
    dram_reads.push_back(sectors);
    Transaction& read = make(access);
    read.versions = stored(access.line.number);  // memory reads in the order of requests
    due.emplace(now + kDram, [this, &read] { logic->filled(read, now); });
  }
  void send(Transaction& message, MessageKind kind, const EllcWord& word) override {
    message.message.kind = kind;
    message.message.tag = word.pack();
    logic->note_sent(message);
    due.emplace(now + kNetwork, [this, &message] { arrive(message); });
  }

  /// A request of the test. The identity of a store or an atomic is its number.
  Transaction& request(AccessKind kind, std::uint64_t line, SectorMask sectors = kAllSectors) {
    Access access;
    access.kind = kind;
    access.line = {line};
    access.sectors = sectors;
    access.covered = kind == AccessKind::store ? sectors : SectorMask{0};
    Transaction& made = make(access);
    if (kind != AccessKind::load) made.versions.fill(++stores);
    asked.insert(&made);
    return made;
  }
  /// The request must find the stores so far, or later ones.
  void expect(Transaction& request) {
    SectorVersions& newest = newest_of[request.access.line.number];
    if (request.access.kind != AccessKind::load)
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (request.access.sectors >> s & 1) newest[s] = request.versions[s];
    least[&request] = newest;
  }
  stats::Counter* decide(Transaction& request) {
    return logic->decide(request, 0, static_cast<std::uint32_t>(request.access.line.number), now);
  }
  /// Puts a line from DRAM into the set.
  void fill(std::uint64_t line) {
    decide(request(AccessKind::load, line));
    run(2000);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      ++now;
      while (!due.empty() && due.begin()->first <= now) {
        const auto call = due.begin()->second;
        due.erase(due.begin());
        call();
      }
      for (; buffered > 0; --buffered) logic->free_read_buffer_entry();
    }
  }
  bool answered(const Transaction& request) const { return done.count(&request) != 0; }
  std::size_t unanswered() const {
    return static_cast<std::size_t>(
        std::count_if(asked.begin(), asked.end(), [this](const Transaction* one) { return done.count(one) == 0; }));
  }
  std::uint64_t count(const char* name) const { return counted(registry, std::string("morpheus.") + name); }

  stats::Registry registry;
  stats::Group group{registry, "morpheus", 0}, sm_group{registry, "ellc", 0};
  EllcDirectory directory{1, 64};
  std::unique_ptr<EllcKernel> kernel;
  std::vector<EllcSet> rows;
  std::unique_ptr<ControllerLogic> logic;
  std::vector<SectorMask> dram_reads;
  bool says_hit = false;
  Cycle now = 0;
  StoreId stores = 0;
  int wrong = 0, buffered = 0;

 private:
  static StoreId order(StoreId version) { return version == kInDram ? 0 : version; }
  SectorVersions& stored(std::uint64_t line) {
    const auto [place, fresh] = dram.try_emplace(line);
    if (fresh) place->second.fill(kInDram);
    return place->second;
  }
  void arrive(Transaction& message) {
    const EllcWord word = EllcWord::unpack(message.message.tag);
    for (const EllcSend& sent : std::vector<EllcSend>(kernel->arrived(0, MessageKind::ellc_request, word, message, now))) {
      if (sent.kind == MessageKind::ellc_writeback) {
        due.emplace(sent.ready + kNetwork, [this, sent] {
          for (unsigned s = 0; s < kSectorsPerLine; ++s)
            if (sent.sectors >> s & 1) stored(sent.line.number)[s] = sent.versions[s];
          logic->written_back(0, sent.line);
        });
      } else {
        message.message.tag = sent.word.pack();
        due.emplace(sent.ready + kNetwork, [this, &message] { logic->result(message, now); });
      }
    }
  }

  std::vector<std::unique_ptr<Transaction>> storage;
  std::multimap<Cycle, std::function<void()>> due;
  std::map<std::uint64_t, SectorVersions> dram, newest_of;
  std::map<const Transaction*, SectorVersions> least;
  std::set<const Transaction*> asked, done;
};

}  // namespace wharf::test
