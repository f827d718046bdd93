#pragma once
// Records waves of the RTL in a run, in one file for all instances.

#include <memory>
#include <string>

namespace wharf::rtl {

class Waves {
 public:
  virtual ~Waves() = default;
  /// Adds a sample of all signals to the file.
  virtual void sample() = 0;
  /// Completes the file. Throws InputError where it, or an earlier part of it, could not be written.
  virtual void close() = 0;
  /// True once a part of the file could not be written; nothing more is written then, and close() says why.
  virtual bool failed() const = 0;
};

/// Call after the platform has been built and before it runs; close() it when the run is over. Its time is in ps; each evaluation of a
/// model has its own instant, at its simulated time or, where several coincide, shortly after. Throws InputError where nothing in the
/// platform is RTL, for a name that does not end in .vcd, or for a file that cannot be written.
std::unique_ptr<Waves> open_waves(const std::string& file);

}  // namespace wharf::rtl
