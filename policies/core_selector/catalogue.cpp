#include "policies/catalogue.h"

#include <utility>

#include "policies/core_selector/core_selector.h"
#include "policies/core_selector/supplier.h"

namespace wharf {
namespace {

/// The sub-stream of an SM's random numbers that draws its targets (RS-21).
constexpr std::uint64_t kDrawStream = 0x5E1E'0000;

/// Selects the lowest SM numbers other than its own, ascending (RS-17).
class IndexSelector final : public CoreSelector {
 public:
  explicit IndexSelector(const CoreSelectorOptions& options) : cores_(options.cores), self_(options.self) {}

  void select(unsigned count, const HolderMask&, Cycle, CoreList& out) override {
    out.count = 0;
    for (unsigned core = 0; core < cores_ && out.count < count; ++core)
      if (core != self_) out.add(core);
  }
  bool archive(Archive&) override { return true; }

 private:
  unsigned cores_, self_;
};

/// Selects the SMs behind its own on a ring, in order (ATA-O29).
class NextSelector final : public CoreSelector {
 public:
  explicit NextSelector(const CoreSelectorOptions& options) : cores_(options.cores), self_(options.self) {}

  void select(unsigned count, const HolderMask&, Cycle, CoreList& out) override {
    out.count = 0;
    for (unsigned step = 1; step < cores_ && out.count < count; ++step) out.add((self_ + step) % cores_);
  }
  bool archive(Archive&) override { return true; }

 private:
  unsigned cores_, self_;
};

/// Selects the nearest SM that holds the line, whatever the count, and the lowest of equals (RS-12); none if no SM holds it.
class NearestSelector final : public CoreSelector {
 public:
  explicit NearestSelector(const CoreSelectorOptions& options) : self_(options.self), hops_(options.hops) {}

  void select(unsigned, const HolderMask& holders, Cycle, CoreList& out) override {
    out.count = 0;
    unsigned nearest = self_;
    for (unsigned core = 0; core < hops_.size(); ++core)
      if (core != self_ && holders.test(core) && (nearest == self_ || hops_[core] < hops_[nearest])) nearest = core;
    if (nearest != self_) out.add(nearest);
  }
  bool archive(Archive&) override { return true; }

 private:
  unsigned self_;
  std::vector<std::uint16_t> hops_;
};

std::unique_ptr<CoreSelector> make_index(const CoreSelectorOptions& options) { return std::make_unique<IndexSelector>(options); }

std::unique_ptr<CoreSelector> make_next(const CoreSelectorOptions& options) { return std::make_unique<NextSelector>(options); }

std::unique_ptr<CoreSelector> make_supplier(const CoreSelectorOptions& options) {
  if (options.supplier.period_cycles == 0) throw InputError("the core selector supplier needs a period of at least one cycle");
  return std::make_unique<SupplierSelector>(options.cores, options.self, options.supplier, Rng(options.seed, kDrawStream + options.self));
}

std::unique_ptr<CoreSelector> make_nearest(const CoreSelectorOptions& options) {
  if (options.hops.size() != options.cores) throw InputError("the core selector nearest needs the distance of every SM");
  return std::make_unique<NearestSelector>(options);
}

constexpr CoreSelectorEntry kTable[] = {
    {"index", "the other SMs in ascending order, from SM 0 on (RS-17)", make_index},
    {"next", "the other SMs in ascending order, starting behind its own, as on a ring (ATA-O29)", make_next},
    {"supplier", "drawn at random, SMs that have supplied data with a higher probability (RS-18 to RS-21)", make_supplier},
    {"nearest", "the nearest SM that holds the line, by the oracle (direct probing, RS-12)", make_nearest},
};

Catalogue<CoreSelectorEntry>& catalogue() {
  static Catalogue<CoreSelectorEntry> members("core selector", kTable);
  return members;
}

}  // namespace

void SupplierParams::bind(config::Binder& b) {
  b.integer("period_cycles", period_cycles, config::Unit::cycles, "core cycles between two resets of the counts (RS-22)", 1, 1u << 30);
  b.choice("mode", mode, {{"previous_period", SelectorMode::previous_period}, {"running", SelectorMode::running}},
           "weights come from the last finished period, or from the running one so far (RS-18)");
}

std::unique_ptr<CoreSelector> make_core_selector(std::string_view name, CoreSelectorOptions options) {
  options.arguments = catalogue().arguments_in(name);
  if (options.cores < 2 || options.cores > CoreList::kMost + 1 || options.self >= options.cores)
    throw InputError("a core selector chooses among 2 to 160 SMs, one of which is its own");
  return catalogue().make(name, options);
}

std::vector<config::PolicyName> core_selector_catalogue_names() { return catalogue().names(); }

void add_core_selector(const CoreSelectorEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
