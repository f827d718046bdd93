#pragma once
// Kernels, CTAs, phases and rates over time, as Chrome trace JSON for chrome://tracing and Perfetto. The process `run` shows the kernels,
// their phases and the rates. One process per SM has one thread per CTA slot and one for the phases of its cache.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/types.h"

namespace wharf {

class Timeline {
 public:
  /// `file`: output of write(); if empty, nothing is recorded. `mhz`: the core clock.
  Timeline(std::string file, std::uint32_t mhz) : file_(std::move(file)), mhz_(mhz) {}

  bool recorded() const { return !file_.empty(); }
  /// Adds a kernel that has ended, and its phases: `launch` until its first CTA starts, `work` until the first SM has no CTA left, `tail`
  /// until the last CTA ends, and `drain` until nothing is in flight.
  void kernel(const std::string& name, Cycle begin, Cycle end);
  /// Adds a kernel that ran together with others and has ended. It has no phases, because they would not be its own alone. `place`: its
  /// place among the running kernels.
  void kernel_together(const std::string& name, unsigned place, Cycle begin, Cycle end);
  void cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now);
  void cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle now);
  /// Adds a phase of an SM's cache, next to its CTAs.
  void phase(std::uint32_t sm, const char* name, Cycle begin, Cycle end);
  /// Adds the cause to which the interval lost most issue slots.
  void cause(const std::string& name, Cycle begin, Cycle end);
  /// Adds values that are valid from `at` on to the track `track`.
  void rates(const char* track, Cycle at, std::vector<std::pair<std::string, double>> values);
  /// Throws InputError if the file cannot be written.
  void write() const;

 private:
  struct Span {
    std::string name;
    std::uint32_t process, thread;
    Cycle begin, end;
  };
  struct Open {
    std::uint32_t sm, slot;
    std::uint64_t cta;
    Cycle begin;
  };

  std::string file_;
  std::uint32_t mhz_;
  struct Rates {
    const char* track;
    Cycle at;
    std::vector<std::pair<std::string, double>> values;
  };
  void phases_of_kernel(Cycle begin, Cycle end);

  std::vector<Span> spans_;
  std::vector<Open> open_;
  std::vector<Rates> rates_;
  std::size_t kernel_spans_ = 0;  // number of spans before those of the present kernel
};

}  // namespace wharf
