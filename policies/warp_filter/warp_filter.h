#pragma once
// Which warps of an SM may issue, and which go first (CM-24). The order among them is the warp scheduler's business.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/warp_filter/warp_filter_params.h"
#include "policies/warp_scheduler/age_order.h"

namespace wharf {

/// One bit a warp slot of the SM.
struct WarpMasks {
  WarpMask may_issue = ~WarpMask{0};       // any instruction
  WarpMask may_issue_load = ~WarpMask{0};  // a load, beside may_issue
  WarpMask prefer = 0;                     // these issue first: another warp only in a cycle in which none of them is ready
  WarpMask isolated = 0;                   // their loads and stores of global space go to the shared-memory cache (ciao section 6)
  WarpMask no_install = 0;                 // their loads leave no line in the L1 (ciao section 3.4)
};

/// What happened to a warp of the SM.
struct WarpEvent {
  enum class Kind : std::uint8_t {
    launched,
    finished,
    waiting,    // stopped at a barrier or fence
    resumed,    // the barrier or fence is passed
    predictor,  // it belongs to the CTA that predicts for the others
    predicted,  // no CTA does any more; of no warp
  };
  Kind kind = Kind::launched;
  std::uint32_t warp = 0;  // slot, < kMaxWarps
  std::uint64_t age = 0;   // launched: order of assignment to the SM, lower is older
  std::uint32_t cta = 0;   // launched: CTA slot, < kMaxWarps
};

/// A warp has missed a line that it had and lost: a hit in its victim tags (ciao section 4.1).
struct LostLine {
  static constexpr std::uint32_t kNobody = kMaxWarps;  // no warp of this SM
  std::uint32_t victim = 0;
  std::uint32_t interferer = kNobody;  // whose line took its place
};

/// What a filter has to be told. What it does not need costs its host nothing.
struct WarpFilterNeeds {
  bool issues = false;           // issued()
  bool losses = false;           // lost()
  bool losses_at_once = false;   // its masks may change with a loss: a host must not sleep over one
  bool bandwidth = false;        // bandwidth()
  bool kernels = false;          // kernel_started()
  bool hints = false;            // it sets the masks that go with accesses: isolated, no_install
  std::uint32_t victim_sets = 1; // of each warp's victim tags
};

/// What a filter has done to warps so far.
struct WarpFilterActions {
  std::uint64_t isolations = 0, stalls = 0, undos = 0;
  std::uint64_t forced = 0;  // stalls ended because nothing would have moved (CIAO-O17)
};

/// Eligibility only: a filter never sees the SM. Its masks change in the calls below and at no other time; where they are to change by
/// themselves, due() says when advance() must be called. So a host may sleep on them.
class WarpFilter {
 public:
  virtual ~WarpFilter() = default;
  const WarpMasks& masks() const { return masks_; }
  const WarpFilterActions& actions() const { return actions_; }

  void observe(const WarpEvent& event) {
    if (predictor_first_) prefer(event);
    changed(event);
  }
  /// `warp` has issued an instruction in cycle `now`.
  virtual void issued(unsigned warp, Cycle now) {
    static_cast<void>(warp);
    static_cast<void>(now);
  }
  virtual void lost(const LostLine& loss, Cycle now) {
    static_cast<void>(loss);
    static_cast<void>(now);
  }
  /// Busy fractions, 0..1, of the last measurement.
  virtual void bandwidth(double l2, double dram) {
    static_cast<void>(l2);
    static_cast<void>(dram);
  }
  /// No warp of the kernel is here yet. `region`: it leaves room for a shared-memory cache.
  virtual void kernel_started(bool region) { static_cast<void>(region); }

  /// When advance() must be called, before anything is issued in that cycle; a cycle of the past: as soon as possible.
  Cycle due() const { return due_; }
  virtual void advance(Cycle now) { static_cast<void>(now); }

  virtual WarpFilterNeeds needs() const { return {}; }
  /// False where every warp may issue everything at any time; it may prefer some all the same.
  virtual bool restricts() const { return true; }

  /// From now on warps of the predictor CTA go first: a warp of another CTA issues only in a cycle in which none of its warps is ready
  /// and allowed (loscache section 5.3). Within each class the warp scheduler's order holds.
  void put_predictor_first() { predictor_first_ = true; }

 protected:
  virtual void changed(const WarpEvent& event) = 0;

  WarpMasks masks_;
  WarpFilterActions actions_;
  Cycle due_ = kNever;

 private:
  void prefer(const WarpEvent& event) {
    if (event.kind == WarpEvent::Kind::predictor) masks_.prefer |= warp_bit(event.warp);
    if (event.kind == WarpEvent::Kind::finished) masks_.prefer &= ~warp_bit(event.warp);
    if (event.kind == WarpEvent::Kind::predicted) masks_.prefer = 0;
  }

  bool predictor_first_ = false;
};

struct WarpFilterOptions {
  std::uint32_t limit = kMaxWarps;  // swl: warps of the SM that may issue; statpcal: tokens; 1..kMaxWarps
  std::uint32_t schedulers = 1;     // of the SM, which share the limit; warp slot w belongs to scheduler w mod schedulers
  bool predictor_first = false;     // see WarpFilter::put_predictor_first
  CcwsParams ccws = {};
  PcalParams pcal = {};
  CiaoParams ciao = {};
  Arguments arguments = {};  // of one that has been added: what follows its name
};

/// Throws InputError for an unknown name or an option out of its range.
std::unique_ptr<WarpFilter> make_warp_filter(std::string_view name, WarpFilterOptions options);

std::vector<config::PolicyName> warp_filter_catalogue_names();

/// A member of the family. The texts are kept as they are given.
struct WarpFilterEntry {
  const char* name;
  const char* help;
  std::unique_ptr<WarpFilter> (*make)(const WarpFilterOptions&);
};
/// Before the first configuration is read. Throws InputError where the name is taken.
void add_warp_filter(const WarpFilterEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
