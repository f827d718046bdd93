#pragma once
// Executes a stimulus of untrusted input briefly: kernels in order, the first CTA of each, its warps in turn.

#include <cstdint>
#include <memory>
#include <vector>

#include "stimuli/stimulus.h"

namespace wharf::test {

/// Stops after `most` instructions in total. Passes on the stimulus's exceptions.
inline void execute_briefly(Stimulus& stimulus, std::uint64_t most) {
  while (most != 0 && stimulus.next_kernel() != nullptr) {
    const std::vector<std::unique_ptr<WarpStream>> warps = stimulus.open_cta(0);
    for (bool any = true; any && most != 0;) {
      any = false;
      for (const auto& warp : warps) {
        constexpr unsigned kTurn = 16;  // barriers never block: a warp that would wait continues
        for (unsigned turn = 0; turn < kTurn && most != 0 && warp->peek() != nullptr; ++turn, --most) {
          warp->advance();
          any = true;
        }
      }
    }
  }
}

}  // namespace wharf::test
