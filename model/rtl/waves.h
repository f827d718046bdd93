#pragma once
// Records waves of the RTL in a run, in one file for all instances.

#include <memory>
#include <string>

namespace wharf::rtl {

/// Adds a sample of all signals to the file.
class Waves {
 public:
  virtual ~Waves() = default;
  virtual void sample() = 0;
};

/// Call after the platform has been built and before it runs. The file is complete when the returned object has been destroyed. Its time is
/// in ps; each evaluation of a model has its own instant, at its simulated time or, where several coincide, shortly after. Throws
/// InputError where nothing in the platform is RTL, for a name that does not end in .vcd, or for a file that cannot be written.
std::unique_ptr<Waves> open_waves(const std::string& file);

}  // namespace wharf::rtl
