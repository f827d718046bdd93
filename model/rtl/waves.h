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
  /// Completes the file. Throws InputError if it, or an earlier part of it, could not be written.
  virtual void close() = 0;
  /// True once a part of the file could not be written. Then nothing more is written, and close() reports why.
  virtual bool failed() const = 0;
};

/// Opens a wave file. Call it after the platform has been built and before it runs, and call close() when the run is over. The file's time
/// is in ps. Each evaluation of a model has its own instant: its simulated time or, if several coincide, shortly after. Throws InputError
/// if nothing in the platform is RTL, if the name does not end in .vcd, or if the file cannot be written.
std::unique_ptr<Waves> open_waves(const std::string& file);

}  // namespace wharf::rtl
