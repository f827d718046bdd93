#pragma once
// IEEE halves: conversion, and arithmetic of f16 and f16x2.

#include <cstdint>

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

enum class Rounding : std::uint8_t { nearest, zero, down, up };

/// The exact value.
double value_of(Half half);
/// Rounds once; NaN becomes 0x7fff.
Half half_of(double value, Rounding rounding = Rounding::nearest);

namespace half {

// Of two halves, as of rows.
Half sum(Half a, Half b);
Half lesser(Half a, Half b);
Half greater(Half a, Half b);

Compute add(const Form& form);
Compute sub(const Form& form);
Compute mul(const Form& form);
Compute fma(const Form& form);
Compute neg(const Form& form);
Compute abs(const Form& form);
Compute min(const Form& form);
Compute max(const Form& form);
/// Approximate: computed in double and rounded once.
Compute ex2(const Form& form);
Compute tanh(const Form& form);

}  // namespace half
}  // namespace wharf::ptx
