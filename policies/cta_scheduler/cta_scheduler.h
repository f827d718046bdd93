#pragma once
// Which CTA goes to which SM next (CM-27). CTAs are numbered linearly, x fastest.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"

namespace wharf {

class CtaScheduler {
 public:
  struct Dispatch {
    std::uint32_t sm = 0;
    std::uint64_t cta = 0;
  };
  /// Indexed by SM: not 0 where one more CTA of the running kernel fits. SMs that are not eligible are never looked at.
  using Room = std::vector<std::uint8_t>;

  virtual ~CtaScheduler() = default;
  /// A kernel of `ctas` CTAs starts on the SMs `eligible`: at least one, ascending, each once.
  virtual void start_kernel(std::uint64_t ctas, std::vector<std::uint32_t> eligible) = 0;
  /// The next CTA and its SM, which has room; none while no SM that may take a CTA has room, or when every CTA has been given out.
  /// An answer counts as given out. The host asks until there is none.
  virtual std::optional<Dispatch> next(const Room& room) = 0;
};

/// Throws InputError for an unknown name.
std::unique_ptr<CtaScheduler> make_cta_scheduler(std::string_view name);

std::vector<config::PolicyName> cta_scheduler_catalogue_names();

/// A member of the family. The texts are kept as they are given.
struct CtaSchedulerEntry {
  const char* name;
  const char* help;
  std::unique_ptr<CtaScheduler> (*make)(const Arguments&);  // what follows the name of one that has been added
};
/// Before the first configuration is read. Throws InputError where the name is taken.
void add_cta_scheduler(const CtaSchedulerEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
