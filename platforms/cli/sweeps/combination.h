#pragma once
// Designs together: which stand on one GPU, alone and two by two, and whether what they gain adds up (`compare --combine`).

#include <string>
#include <vector>

#include "platforms/cli/sweeps/comparison.h"

namespace wharf::cli {

/// Private L1s, every design, every addition and every two of them on this GPU, as far as the checks of the configuration let them stand
/// there; a pair of which one cannot stand there alone is left out. Throws InputError where the GPU itself is wrong.
Comparison combinations_on(const std::string& gpu, const std::vector<std::string>& settings);

/// A row a configuration, means over the stimuli: speed, energy and traffic by the baseline's, and of a combination speed and energy
/// by the products of what its designs have alone.
Table combination_table(const Comparison& comparison);
/// A row a combination, a column a stimulus: its speed-up by the product of those of its designs.
Table over_product_table(const Comparison& comparison);
/// The rows of combination_table for programs.
Json combination_json(const Comparison& comparison);

}  // namespace wharf::cli
