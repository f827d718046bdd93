#pragma once
// Combinations of designs: which ones fit on one GPU, alone and in pairs, and whether their gains multiply (`compare --combine`).

#include <string>
#include <vector>

#include "platforms/cli/sweeps/comparison.h"

namespace wharf::cli {

/// Private L1s, every design, every addition, and every pair of them on this GPU, as far as the configuration checks allow; a pair is left
/// out where one of its members does not fit alone. Throws InputError where the GPU itself is wrong.
Comparison combinations_on(const std::string& gpu, const std::vector<std::string>& settings);

/// One row per configuration, with means over the stimuli: speed, energy and traffic relative to the baseline, and for a combination also
/// speed and energy relative to the products of its designs' own ratios.
Table combination_table(const Comparison& comparison);
/// One row per combination, one column per stimulus: its speed-up relative to the product of its designs' speed-ups.
Table over_product_table(const Comparison& comparison);
/// The rows of combination_table as data.
Json combination_json(const Comparison& comparison);

}  // namespace wharf::cli
