#pragma once
// Products of matrices in the registers of a warp (wmma.mma, mma).

#include "stimuli/ptx/lanes/matrices/fragment.h"

namespace wharf::ptx {

/// The bits of an element of a lane. `registers` are the fragment's own.
std::uint64_t read_element(const Fragment& fragment, const Operand* registers, const Rows& rows, unsigned lane, unsigned element);
/// Writes an element, and all its repetitions in further registers.
void write_element(const Fragment& fragment, const Operand* registers, const Rows& rows, unsigned lane, unsigned element,
                   std::uint64_t bits);

/// Executes a function for all 32 lanes. Products are exact. They are added to the element of C in the order of the summed dimension, each time
/// rounded to the type of D (PTX leaves order and rounding open). tf32 ignores the low 13 bits of f32.
void compute_matrix(const MatrixOperation& matrix, const Rows& rows);

}  // namespace wharf::ptx
