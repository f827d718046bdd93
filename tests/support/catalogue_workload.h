#pragma once
// The arrays of a workload of the catalogue, and the message that refuses a specification.

#include <stdexcept>
#include <string>

#include "model/base/error.h"
#include "stimuli/catalogue.h"
#include "stimuli/spmd/spmd_stimulus.h"

namespace wharf::test {

inline spmd::SpmdStimulus& spmd_of(Stimulus& stimulus) { return dynamic_cast<spmd::SpmdStimulus&>(stimulus); }

inline const spmd::Memory::Region& region(Stimulus& stimulus, const std::string& name) {
  for (const auto& r : spmd_of(stimulus).memory().regions()) {
    if (r.name == name) return r;
  }
  throw std::runtime_error("no array " + name);
}

inline std::string refusal(const std::string& spec) {
  try {
    make_stimulus(spec, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace wharf::test
