#pragma once
// Floats of 16 bits: conversion, and arithmetic of f16, bf16 and their pairs.

#include <cstdint>

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

enum class Rounding : std::uint8_t { nearest, zero, down, up };

/// The exact value.
double value_of(Half half);
double value_of(Bfloat bfloat);
/// Rounds once to Half or Bfloat; NaN becomes 0x7fff.
template <class T>
T rounded_to(double value, Rounding rounding = Rounding::nearest);
inline Half half_of(double value, Rounding rounding = Rounding::nearest) { return rounded_to<Half>(value, rounding); }
/// Subnormals become zeros of their sign.
Half flushed(Half half);
Bfloat flushed(Bfloat bfloat);

namespace half {

// Of two values, as of rows. T: Half or Bfloat.
template <class T>
T sum(T a, T b);
template <class T>
T lesser(T a, T b);
template <class T>
T greater(T a, T b);

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
