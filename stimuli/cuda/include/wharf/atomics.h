#pragma once
// The atomic functions as overloads of one name per operation, on top of clang's typed builtins. `_block` and `_system` give the scope.

#define WHARF_ATOMIC static __inline__ __device__
WHARF_ATOMIC int atomicAdd(int* address, int value) { return __iAtomicAdd(address, value); }
WHARF_ATOMIC unsigned int atomicAdd(unsigned int* address, unsigned int value) { return __uAtomicAdd(address, value); }
WHARF_ATOMIC unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) { return __ullAtomicAdd(address, value); }
WHARF_ATOMIC float atomicAdd(float* address, float value) { return __fAtomicAdd(address, value); }
WHARF_ATOMIC double atomicAdd(double* address, double value) { return __dAtomicAdd(address, value); }
WHARF_ATOMIC int atomicAdd_block(int* address, int value) { return __iAtomicAdd_block(address, value); }
WHARF_ATOMIC unsigned int atomicAdd_block(unsigned int* address, unsigned int value) { return __uAtomicAdd_block(address, value); }
WHARF_ATOMIC unsigned long long atomicAdd_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicAdd_block(address, value);
}
WHARF_ATOMIC float atomicAdd_block(float* address, float value) { return __fAtomicAdd_block(address, value); }
WHARF_ATOMIC double atomicAdd_block(double* address, double value) { return __dAtomicAdd_block(address, value); }
WHARF_ATOMIC int atomicAdd_system(int* address, int value) { return __iAtomicAdd_system(address, value); }
WHARF_ATOMIC unsigned int atomicAdd_system(unsigned int* address, unsigned int value) { return __uAtomicAdd_system(address, value); }
WHARF_ATOMIC unsigned long long atomicAdd_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicAdd_system(address, value);
}
WHARF_ATOMIC float atomicAdd_system(float* address, float value) { return __fAtomicAdd_system(address, value); }
WHARF_ATOMIC double atomicAdd_system(double* address, double value) { return __dAtomicAdd_system(address, value); }
WHARF_ATOMIC int atomicExch(int* address, int value) { return __iAtomicExch(address, value); }
WHARF_ATOMIC unsigned int atomicExch(unsigned int* address, unsigned int value) { return __uAtomicExch(address, value); }
WHARF_ATOMIC unsigned long long atomicExch(unsigned long long* address, unsigned long long value) {
  return __ullAtomicExch(address, value);
}
WHARF_ATOMIC float atomicExch(float* address, float value) { return __fAtomicExch(address, value); }
WHARF_ATOMIC int atomicExch_block(int* address, int value) { return __iAtomicExch_block(address, value); }
WHARF_ATOMIC unsigned int atomicExch_block(unsigned int* address, unsigned int value) { return __uAtomicExch_block(address, value); }
WHARF_ATOMIC unsigned long long atomicExch_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicExch_block(address, value);
}
WHARF_ATOMIC float atomicExch_block(float* address, float value) { return __fAtomicExch_block(address, value); }
WHARF_ATOMIC int atomicExch_system(int* address, int value) { return __iAtomicExch_system(address, value); }
WHARF_ATOMIC unsigned int atomicExch_system(unsigned int* address, unsigned int value) { return __uAtomicExch_system(address, value); }
WHARF_ATOMIC unsigned long long atomicExch_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicExch_system(address, value);
}
WHARF_ATOMIC float atomicExch_system(float* address, float value) { return __fAtomicExch_system(address, value); }
WHARF_ATOMIC int atomicMin(int* address, int value) { return __iAtomicMin(address, value); }
WHARF_ATOMIC unsigned int atomicMin(unsigned int* address, unsigned int value) { return __uAtomicMin(address, value); }
WHARF_ATOMIC unsigned long long atomicMin(unsigned long long* address, unsigned long long value) { return __ullAtomicMin(address, value); }
WHARF_ATOMIC long long atomicMin(long long* address, long long value) { return __illAtomicMin(address, value); }
WHARF_ATOMIC int atomicMin_block(int* address, int value) { return __iAtomicMin_block(address, value); }
WHARF_ATOMIC unsigned int atomicMin_block(unsigned int* address, unsigned int value) { return __uAtomicMin_block(address, value); }
WHARF_ATOMIC unsigned long long atomicMin_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicMin_block(address, value);
}
WHARF_ATOMIC long long atomicMin_block(long long* address, long long value) { return __illAtomicMin_block(address, value); }
WHARF_ATOMIC int atomicMin_system(int* address, int value) { return __iAtomicMin_system(address, value); }
WHARF_ATOMIC unsigned int atomicMin_system(unsigned int* address, unsigned int value) { return __uAtomicMin_system(address, value); }
WHARF_ATOMIC unsigned long long atomicMin_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicMin_system(address, value);
}
WHARF_ATOMIC long long atomicMin_system(long long* address, long long value) { return __illAtomicMin_system(address, value); }
WHARF_ATOMIC int atomicMax(int* address, int value) { return __iAtomicMax(address, value); }
WHARF_ATOMIC unsigned int atomicMax(unsigned int* address, unsigned int value) { return __uAtomicMax(address, value); }
WHARF_ATOMIC unsigned long long atomicMax(unsigned long long* address, unsigned long long value) { return __ullAtomicMax(address, value); }
WHARF_ATOMIC long long atomicMax(long long* address, long long value) { return __illAtomicMax(address, value); }
WHARF_ATOMIC int atomicMax_block(int* address, int value) { return __iAtomicMax_block(address, value); }
WHARF_ATOMIC unsigned int atomicMax_block(unsigned int* address, unsigned int value) { return __uAtomicMax_block(address, value); }
WHARF_ATOMIC unsigned long long atomicMax_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicMax_block(address, value);
}
WHARF_ATOMIC long long atomicMax_block(long long* address, long long value) { return __illAtomicMax_block(address, value); }
WHARF_ATOMIC int atomicMax_system(int* address, int value) { return __iAtomicMax_system(address, value); }
WHARF_ATOMIC unsigned int atomicMax_system(unsigned int* address, unsigned int value) { return __uAtomicMax_system(address, value); }
WHARF_ATOMIC unsigned long long atomicMax_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicMax_system(address, value);
}
WHARF_ATOMIC long long atomicMax_system(long long* address, long long value) { return __illAtomicMax_system(address, value); }
WHARF_ATOMIC int atomicAnd(int* address, int value) { return __iAtomicAnd(address, value); }
WHARF_ATOMIC unsigned int atomicAnd(unsigned int* address, unsigned int value) { return __uAtomicAnd(address, value); }
WHARF_ATOMIC unsigned long long atomicAnd(unsigned long long* address, unsigned long long value) { return __ullAtomicAnd(address, value); }
WHARF_ATOMIC long long atomicAnd(long long* address, long long value) { return __llAtomicAnd(address, value); }
WHARF_ATOMIC int atomicAnd_block(int* address, int value) { return __iAtomicAnd_block(address, value); }
WHARF_ATOMIC unsigned int atomicAnd_block(unsigned int* address, unsigned int value) { return __uAtomicAnd_block(address, value); }
WHARF_ATOMIC unsigned long long atomicAnd_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicAnd_block(address, value);
}
WHARF_ATOMIC long long atomicAnd_block(long long* address, long long value) { return __llAtomicAnd_block(address, value); }
WHARF_ATOMIC int atomicAnd_system(int* address, int value) { return __iAtomicAnd_system(address, value); }
WHARF_ATOMIC unsigned int atomicAnd_system(unsigned int* address, unsigned int value) { return __uAtomicAnd_system(address, value); }
WHARF_ATOMIC unsigned long long atomicAnd_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicAnd_system(address, value);
}
WHARF_ATOMIC long long atomicAnd_system(long long* address, long long value) { return __llAtomicAnd_system(address, value); }
WHARF_ATOMIC int atomicOr(int* address, int value) { return __iAtomicOr(address, value); }
WHARF_ATOMIC unsigned int atomicOr(unsigned int* address, unsigned int value) { return __uAtomicOr(address, value); }
WHARF_ATOMIC unsigned long long atomicOr(unsigned long long* address, unsigned long long value) { return __ullAtomicOr(address, value); }
WHARF_ATOMIC long long atomicOr(long long* address, long long value) { return __llAtomicOr(address, value); }
WHARF_ATOMIC int atomicOr_block(int* address, int value) { return __iAtomicOr_block(address, value); }
WHARF_ATOMIC unsigned int atomicOr_block(unsigned int* address, unsigned int value) { return __uAtomicOr_block(address, value); }
WHARF_ATOMIC unsigned long long atomicOr_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicOr_block(address, value);
}
WHARF_ATOMIC long long atomicOr_block(long long* address, long long value) { return __llAtomicOr_block(address, value); }
WHARF_ATOMIC int atomicOr_system(int* address, int value) { return __iAtomicOr_system(address, value); }
WHARF_ATOMIC unsigned int atomicOr_system(unsigned int* address, unsigned int value) { return __uAtomicOr_system(address, value); }
WHARF_ATOMIC unsigned long long atomicOr_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicOr_system(address, value);
}
WHARF_ATOMIC long long atomicOr_system(long long* address, long long value) { return __llAtomicOr_system(address, value); }
WHARF_ATOMIC int atomicXor(int* address, int value) { return __iAtomicXor(address, value); }
WHARF_ATOMIC unsigned int atomicXor(unsigned int* address, unsigned int value) { return __uAtomicXor(address, value); }
WHARF_ATOMIC unsigned long long atomicXor(unsigned long long* address, unsigned long long value) { return __ullAtomicXor(address, value); }
WHARF_ATOMIC long long atomicXor(long long* address, long long value) { return __llAtomicXor(address, value); }
WHARF_ATOMIC int atomicXor_block(int* address, int value) { return __iAtomicXor_block(address, value); }
WHARF_ATOMIC unsigned int atomicXor_block(unsigned int* address, unsigned int value) { return __uAtomicXor_block(address, value); }
WHARF_ATOMIC unsigned long long atomicXor_block(unsigned long long* address, unsigned long long value) {
  return __ullAtomicXor_block(address, value);
}
WHARF_ATOMIC long long atomicXor_block(long long* address, long long value) { return __llAtomicXor_block(address, value); }
WHARF_ATOMIC int atomicXor_system(int* address, int value) { return __iAtomicXor_system(address, value); }
WHARF_ATOMIC unsigned int atomicXor_system(unsigned int* address, unsigned int value) { return __uAtomicXor_system(address, value); }
WHARF_ATOMIC unsigned long long atomicXor_system(unsigned long long* address, unsigned long long value) {
  return __ullAtomicXor_system(address, value);
}
WHARF_ATOMIC long long atomicXor_system(long long* address, long long value) { return __llAtomicXor_system(address, value); }
WHARF_ATOMIC unsigned int atomicInc(unsigned int* address, unsigned int value) { return __uAtomicInc(address, value); }
WHARF_ATOMIC unsigned int atomicInc_block(unsigned int* address, unsigned int value) { return __uAtomicInc_block(address, value); }
WHARF_ATOMIC unsigned int atomicInc_system(unsigned int* address, unsigned int value) { return __uAtomicInc_system(address, value); }
WHARF_ATOMIC unsigned int atomicDec(unsigned int* address, unsigned int value) { return __uAtomicDec(address, value); }
WHARF_ATOMIC unsigned int atomicDec_block(unsigned int* address, unsigned int value) { return __uAtomicDec_block(address, value); }
WHARF_ATOMIC unsigned int atomicDec_system(unsigned int* address, unsigned int value) { return __uAtomicDec_system(address, value); }
WHARF_ATOMIC int atomicCAS(int* address, int expected, int value) { return __iAtomicCAS(address, expected, value); }
WHARF_ATOMIC unsigned int atomicCAS(unsigned int* address, unsigned int expected, unsigned int value) {
  return __uAtomicCAS(address, expected, value);
}
WHARF_ATOMIC unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected, unsigned long long value) {
  return __ullAtomicCAS(address, expected, value);
}
WHARF_ATOMIC int atomicCAS_block(int* address, int expected, int value) { return __iAtomicCAS_block(address, expected, value); }
WHARF_ATOMIC unsigned int atomicCAS_block(unsigned int* address, unsigned int expected, unsigned int value) {
  return __uAtomicCAS_block(address, expected, value);
}
WHARF_ATOMIC unsigned long long atomicCAS_block(unsigned long long* address, unsigned long long expected, unsigned long long value) {
  return __ullAtomicCAS_block(address, expected, value);
}
WHARF_ATOMIC int atomicCAS_system(int* address, int expected, int value) { return __iAtomicCAS_system(address, expected, value); }
WHARF_ATOMIC unsigned int atomicCAS_system(unsigned int* address, unsigned int expected, unsigned int value) {
  return __uAtomicCAS_system(address, expected, value);
}
WHARF_ATOMIC unsigned long long atomicCAS_system(unsigned long long* address, unsigned long long expected, unsigned long long value) {
  return __ullAtomicCAS_system(address, expected, value);
}
WHARF_ATOMIC int atomicSub(int* address, int value) { return __iAtomicAdd(address, -value); }
WHARF_ATOMIC unsigned int atomicSub(unsigned int* address, unsigned int value) { return __uAtomicAdd(address, 0u - value); }
WHARF_ATOMIC int atomicSub_block(int* address, int value) { return __iAtomicAdd_block(address, -value); }
WHARF_ATOMIC unsigned int atomicSub_block(unsigned int* address, unsigned int value) { return __uAtomicAdd_block(address, 0u - value); }
WHARF_ATOMIC int atomicSub_system(int* address, int value) { return __iAtomicAdd_system(address, -value); }
WHARF_ATOMIC unsigned int atomicSub_system(unsigned int* address, unsigned int value) { return __uAtomicAdd_system(address, 0u - value); }
WHARF_ATOMIC unsigned short atomicCAS(unsigned short* address, unsigned short expected, unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(address), "h"(expected), "h"(value) : "memory");
  return old;
}
#undef WHARF_ATOMIC
