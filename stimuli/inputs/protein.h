#pragma once
// The input of sequence alignment (workloads section 2.7).

#include <cstdint>
#include <vector>

namespace wharf {

/// `length` symbols, uniform in 0..9: the amino acids R N D C Q E G H I L.
std::vector<std::uint8_t> random_protein(int length, std::uint64_t seed, std::uint64_t stream);

/// The similarity of two of these symbols, -4 to 9: their entry in the BLOSUM62 matrix. Symmetric.
int similarity(std::uint8_t a, std::uint8_t b);

}  // namespace wharf
