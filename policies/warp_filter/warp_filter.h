#pragma once
// Decides which warps of an SM may issue, and which go first (CM-24). The warp scheduler orders them.

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

class Archive;

/// One bit per warp slot of the SM.
struct WarpMasks {
  WarpMask may_issue = ~WarpMask{0};       // any instruction
  WarpMask may_issue_load = ~WarpMask{0};  // a load needs this bit and the one in may_issue
  WarpMask prefer = 0;                     // these issue first; another warp issues only in a cycle in which none of them is ready
  WarpMask isolated = 0;                   // their global loads and stores go to the shared-memory cache (ciao section 6)
  WarpMask no_install = 0;                 // their loads install nothing in the L1 (ciao section 3.4)
};

/// An event of a warp of the SM.
struct WarpEvent {
  enum class Kind : std::uint8_t {
    launched,
    finished,
    waiting,    // stopped at a barrier or fence
    resumed,    // has passed the barrier or fence
    predictor,  // belongs to the CTA that predicts for the others
    predicted,  // no CTA predicts any longer; names no warp
  };
  Kind kind = Kind::launched;
  std::uint32_t warp = 0;  // slot, < kMaxWarps
  std::uint64_t age = 0;   // launched: order of assignment to the SM, lower is older
  std::uint32_t cta = 0;   // launched: CTA slot, < kMaxWarps
};

/// A warp has missed on a line that it had and lost: a hit in its victim tags (ciao section 4.1).
struct LostLine {
  static constexpr std::uint32_t kNobody = kMaxWarps;  // no warp of this SM
  std::uint32_t victim = 0;
  std::uint32_t interferer = kNobody;  // the warp whose line replaced it
};

/// The calls that a filter requires. Other calls cost the host nothing.
struct WarpFilterNeeds {
  bool issues = false;           // issued()
  bool losses = false;           // lost()
  bool losses_at_once = false;   // masks may change with a loss, so the host must not sleep past one
  bool bandwidth = false;        // bandwidth()
  bool kernels = false;          // kernel_started()
  bool hints = false;            // sets the masks that accesses carry: isolated, no_install
  std::uint32_t victim_sets = 1; // sets per warp's victim tags
};

/// The actions of a filter so far.
struct WarpFilterActions {
  std::uint64_t isolations = 0, stalls = 0, undos = 0;
  std::uint64_t forced = 0;  // stalls ended to prevent a standstill (CIAO-O17)
};

/// Decides eligibility only; a filter never sees the SM. Its masks change only in the calls below. Where time alone changes them, due()
/// says when advance() must be called, so that a host can sleep until then.
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
  /// A kernel starts, before its first warp arrives. `region`: it leaves room for a shared-memory cache.
  virtual void kernel_started(bool region) { static_cast<void>(region); }

  /// The cycle in which advance() must be called before any warp issues; a past cycle means as soon as possible.
  Cycle due() const { return due_; }
  virtual void advance(Cycle now) { static_cast<void>(now); }

  virtual WarpFilterNeeds needs() const { return {}; }
  /// Saves or loads its state between kernels (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
  /// False if every warp may issue any instruction at any time; the filter may still prefer some.
  virtual bool restricts() const { return true; }

  /// From now on, warps of the predictor CTA go first: another CTA's warp issues only in a cycle in which none of them is ready and allowed
  /// (loscache section 5.3). Within each class, the warp scheduler's order holds.
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
  std::uint32_t schedulers = 1;     // of the SM; they share the limit, and warp slot w belongs to scheduler w mod schedulers
  bool predictor_first = false;     // see WarpFilter::put_predictor_first
  CcwsParams ccws = {};
  PcalParams pcal = {};
  CiaoParams ciao = {};
  Arguments arguments = {};  // of an added member: those that follow its name
};

/// Throws InputError for an unknown name or an option out of its range.
std::unique_ptr<WarpFilter> make_warp_filter(std::string_view name, WarpFilterOptions options);

std::vector<config::PolicyName> warp_filter_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct WarpFilterEntry {
  const char* name;
  const char* help;
  std::unique_ptr<WarpFilter> (*make)(const WarpFilterOptions&);
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_warp_filter(const WarpFilterEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
