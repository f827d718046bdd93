#pragma once
// Decides whether an SM's L1 serves that SM alone, or is one of the homes of all SMs (shared_l1 sections 3 and 8). Decided per parity
// of the set index, because the dynamic organisations try both at once.

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/cache_organisation/dynamic_params.h"

namespace wharf {

/// An event at an SM, for a line of a set with an even or odd index.
struct OrganisationEvent {
  enum class Kind : std::uint8_t {
    own_access,       // the SM has made an access, of any path
    own_remote,       // of them, an access that goes to the home
    own_lookup,       // of them, one that has looked up the SM's own L1
    incoming_lookup,  // another SM's access has looked up this L1
    own_l2_reply,     // L2 has answered this L1 for an access of the SM: data or write acknowledgement
    incoming_l2_reply,
    home_reply,    // a home has answered
    direct_reply,  // L2 has answered an access that bypassed the L1s (Min(H,L2))
  };
  Kind kind = Kind::own_access;
  bool odd = false;           // LSB of the set index
  bool hit = false;           // lookups: the tag matched (SL-24)
  bool merged = false;        // lookups: it joined an MSHR entry
  std::uint32_t latency = 0;  // replies to the SM, and lookups that hit: cycles from the access to its data
};

class Archive;

class CacheOrganisation {
 public:
  enum class Phase : std::uint8_t { sampling, executes_private, executes_shared };
  struct PhaseStart {
    Phase phase;
    Cycle begin;
  };

  virtual ~CacheOrganisation() = default;
  /// True if the SM's own accesses to sets of this parity go to their homes.
  bool shared(bool odd) const { return shared_[odd]; }
  /// False if the organisation never changes; observe() and advance() then have no effect.
  bool dynamic() const { return dynamic_; }
  /// True if advance() has work in cycle `now`.
  bool due(Cycle now) const { return over_at_ < now; }

  /// Reports an event of cycle `now`, after advance(now).
  virtual void observe(const OrganisationEvent&, Cycle) {}
  /// Performs what is due by the end of cycle `now` - 1. `stores_in_flight` counts the SM's own stores at the end of that cycle.
  virtual void advance(Cycle now, std::uint64_t stores_in_flight) {
    static_cast<void>(now);
    static_cast<void>(stores_in_flight);
  }
  /// A kernel starts in cycle `now`. `stores_in_flight` as for advance().
  virtual void kernel_starts(Cycle now, std::uint64_t stores_in_flight) {
    static_cast<void>(now);
    static_cast<void>(stores_in_flight);
  }
  /// All phases so far; empty for a static organisation.
  virtual const std::vector<PhaseStart>& phases() const;
  /// Between kernels (model/base/archive.h). A static organisation keeps nothing.
  virtual void archive(Archive&) {}

 protected:
  std::array<bool, 2> shared_{};  // by parity
  bool dynamic_ = false;
  Cycle over_at_ = kNever;  // cycle that ended the phase
};

/// Throws InputError for an unknown name. Only dynamic organisations use `params`.
std::unique_ptr<CacheOrganisation> make_cache_organisation(std::string_view name, const DynamicParams& params);

std::vector<config::PolicyName> cache_organisation_catalogue_names();
/// True if an SM may ever use homes, and whether that may change during a run.
bool ever_shares(std::string_view organisation);
bool is_dynamic(std::string_view organisation);

}  // namespace wharf
