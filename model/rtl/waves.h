#pragma once
// Waves of the RTL in a run: one file for all instances.

#include <memory>
#include <string>

namespace wharf::rtl {

/// Puts a sample of all signals into the file.
class Waves {
 public:
  virtual ~Waves() = default;
  virtual void sample() = 0;
};

/// After the platform has been built, before it runs; the file is complete when what is returned has been destroyed. Its time is in ps; each
/// evaluation of a model has an instant of its own, at or, where several fall together, shortly after its time in the simulation.
/// Throws InputError where nothing in the platform is RTL, for a file that is no .vcd, or one that cannot be written.
std::unique_ptr<Waves> open_waves(const std::string& file);

}  // namespace wharf::rtl
