#pragma once
// Assigns CTAs to SMs (CM-27). CTAs are numbered linearly, x fastest.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"

namespace wharf {

class Archive;

class CtaScheduler {
 public:
  struct Dispatch {
    std::uint32_t sm = 0;
    std::uint64_t cta = 0;
  };
  /// Indexed by SM: nonzero where one more CTA of the running kernel fits. Entries of ineligible SMs are not read.
  using Room = std::vector<std::uint8_t>;

  virtual ~CtaScheduler() = default;
  /// A kernel of `ctas` CTAs starts on the SMs `eligible`: at least one, ascending, without duplicates.
  virtual void start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) = 0;
  /// The next CTA and its SM, which has room. Returns none when no SM that may take a CTA has room, or when every CTA has been dispatched.
  /// A returned CTA counts as dispatched; the host calls until there is none.
  virtual std::optional<Dispatch> next(const Room& room) = 0;
  /// True if an SM never holds more CTAs of a kernel at once than its share of the grid, CTAs / eligible SMs rounded up. A machine that lays
  /// out local memory then has no place for more, even where more fit an SM (CM-43), and a dispatch beyond it ends the run.
  virtual bool keeps_to_shares() const { return false; }
  /// Saves or loads its state between kernels (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

/// Throws InputError for an unknown name.
std::unique_ptr<CtaScheduler> make_cta_scheduler(std::string_view name);

std::vector<config::PolicyName> cta_scheduler_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct CtaSchedulerEntry {
  const char* name;
  const char* help;
  std::unique_ptr<CtaScheduler> (*make)(const Arguments&);  // those that follow the name of an added member
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_cta_scheduler(const CtaSchedulerEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
