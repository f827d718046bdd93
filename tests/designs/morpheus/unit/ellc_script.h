#pragma once
// A cache-mode SM's kernel and the messages of a controller, for tests.

#include <memory>
#include <vector>

#include "model/designs/morpheus/cache_mode/ellc_kernel.h"
#include "tests/unit/counted.h"

namespace wharf::test {

/// Core cycles of the steps at 1710 MHz (morpheus section 9.4).
struct EllcStepCycles {
  static constexpr Cycle deliver = 77, tag = 17, result = 34;                 // 45, 10, 20 ns
  static constexpr Cycle rf_software = 19, rf_isa = 7, shared = 43, l1 = 58;  // 11, 4, 25, 34 ns
  static constexpr Cycle victim = 10, writeback = 34, atomic = 43;            // 6, 20, 25 ns
  static constexpr Cycle compress = 34, decompress = 14;                      // 20, 8 ns
  static constexpr Cycle fill = 1, l1_fetch = 17;                             // l1_fetch: 10 ns
};
using Steps = EllcStepCycles;

/// Of every operation, and of a read hit in a register-file set.
inline constexpr Cycle kAround = Steps::deliver + Steps::tag + Steps::result, kRead = kAround + Steps::rf_software;

class EllcScript {
 public:
  explicit EllcScript(const EllcKernelParams& params = {}, MissFetch miss_fetch = MissFetch::controller, LineContents contents = {})
      : group_(registry_, "ellc", 0), kernel(params, {1710, miss_fetch, true, 5, std::move(contents)}, group_) {}

  using Sends = std::vector<EllcSend>;

  Sends ask(unsigned warp, EllcOp op, std::uint64_t line, Cycle now = 0, SectorVersions versions = {}) {
    EllcWord word;
    word.row = static_cast<std::uint8_t>(warp);
    word.op = op;
    return ask(warp, word, an_access(op, line), now, versions);
  }
  Sends ask(unsigned warp, const EllcWord& word, const Access& access, Cycle now = 0, SectorVersions versions = {}) {
    return send(warp, MessageKind::ellc_request, word, access, now, versions);
  }
  Sends insert(unsigned warp, std::uint64_t line, bool dirty = false, Cycle now = 0, SectorVersions versions = {}) {
    EllcWord word;
    word.op = EllcOp::insert;
    word.dirty = dirty;
    return ask(warp, word, an_access(EllcOp::insert, line), now, versions);
  }
  Sends block(unsigned warp, std::uint64_t line, Cycle now = 0, SectorVersions versions = {}) {
    return send(warp, MessageKind::ellc_block, {}, an_access(EllcOp::read, line), now, versions);
  }
  Sends fill(unsigned warp, std::uint64_t line, Cycle now = 0, SectorVersions versions = {}) {
    return send(warp, MessageKind::ellc_fill, {}, an_access(EllcOp::read, line), now, versions);
  }

  /// The answer to a load of its row that found no message.
  Sends nothing(unsigned warp, Cycle now) {
    EllcWord word;
    word.nothing = true;
    return send(warp, MessageKind::ellc_poll, word, {}, now, {});
  }

  static Access an_access(EllcOp op, std::uint64_t line, SectorMask sectors = kAllSectors, SectorMask covered = kAllSectors) {
    Access access;
    access.line = {line};
    access.sectors = sectors;
    if (op == EllcOp::write) access.covered = covered;
    access.kind = op == EllcOp::write ? AccessKind::store : op == EllcOp::atomic ? AccessKind::atomic : AccessKind::load;
    return access;
  }
  std::uint64_t count(const char* name) const { return counted(registry_, std::string("ellc.") + name); }
  bool laws_hold() const { return registry_.broken_laws().empty(); }

 private:
  Sends send(unsigned warp, MessageKind kind, const EllcWord& word, const Access& access, Cycle now, const SectorVersions& versions) {
    messages_.push_back(std::make_unique<Transaction>());
    messages_.back()->access = access;
    messages_.back()->access.id = messages_.size();
    messages_.back()->versions = versions;
    return kernel.arrived(warp, kind, word, *messages_.back(), now);
  }

  stats::Registry registry_;
  stats::Group group_;
  std::vector<std::unique_ptr<Transaction>> messages_;

 public:
  EllcKernel kernel;
};

}  // namespace wharf::test
