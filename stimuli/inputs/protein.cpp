#include "stimuli/inputs/protein.h"

#include <algorithm>
#include <cstddef>

#include "model/base/rng.h"

namespace wharf {
namespace {

constexpr int kSymbols = 10;

// BLOSUM62 (S. and J. G. Henikoff, 1992), the lower triangle for R N D C Q E G H I L.
constexpr std::int8_t kBlosum62[kSymbols][kSymbols] = {
    {5},                                     // R
    {0, 6},                                  // N
    {-2, 1, 6},                              // D
    {-3, -3, -3, 9},                         // C
    {1, 0, 0, -3, 5},                        // Q
    {0, 0, 2, -4, 2, 5},                     // E
    {-2, 0, -1, -3, -2, -2, 6},              // G
    {0, 1, -1, -3, 0, 0, -2, 8},             // H
    {-3, -3, -3, -1, -3, -3, -4, -3, 4},     // I
    {-2, -3, -4, -1, -2, -3, -4, -3, 2, 4},  // L
};

}  // namespace

std::vector<std::uint8_t> random_protein(int length, std::uint64_t seed, std::uint64_t stream) {
  Rng random(seed, stream);
  std::vector<std::uint8_t> symbols(static_cast<std::size_t>(length));
  for (auto& symbol : symbols) symbol = static_cast<std::uint8_t>(random.below(kSymbols));
  return symbols;
}

int similarity(std::uint8_t a, std::uint8_t b) { return kBlosum62[std::max(a, b)][std::min(a, b)]; }

}  // namespace wharf
