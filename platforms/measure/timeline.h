#pragma once
// Kernels, CTAs and cache phases over time, as Chrome trace JSON for chrome://tracing and Perfetto: one process per SM, one thread per CTA
// slot and one for the phases.

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/types.h"

namespace wharf {

class Timeline {
 public:
  /// `file` is the output of write(); empty = nothing is recorded. `mhz` is the core clock.
  Timeline(std::string file, std::uint32_t mhz) : file_(std::move(file)), mhz_(mhz) {}

  void kernel(const std::string& name, Cycle begin, Cycle end);
  void cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now);
  void cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle now);
  /// Adds a phase of an SM's cache, beside its CTAs.
  void phase(std::uint32_t sm, const char* name, Cycle begin, Cycle end);
  /// Throws InputError where the file cannot be written.
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
  std::vector<Span> spans_;
  std::vector<Open> open_;
};

}  // namespace wharf
