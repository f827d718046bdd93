#pragma once
// Functions that clang calls for what the C++ language does in device code, where no header defines them: new and delete without <new>, and
// the entry of a pure virtual function.

#if defined(__NVPTX__)
#include "stimuli/cuda/device_math/primitives.h"

extern "C" void* malloc(__SIZE_TYPE__ bytes);
extern "C" void free(void* memory);

WHARF_DEVICE void* _Znwm(__SIZE_TYPE__ bytes) { return malloc(bytes); }   // operator new
WHARF_DEVICE void* _Znam(__SIZE_TYPE__ bytes) { return malloc(bytes); }   // operator new[]
WHARF_DEVICE void _ZdlPv(void* memory) { free(memory); }                  // operator delete
WHARF_DEVICE void _ZdaPv(void* memory) { free(memory); }                  // operator delete[]
WHARF_DEVICE void _ZdlPvm(void* memory, __SIZE_TYPE__) { free(memory); }  // operator delete with the size
WHARF_DEVICE void _ZdaPvm(void* memory, __SIZE_TYPE__) { free(memory); }  // operator delete[] with the size
WHARF_DEVICE void __cxa_pure_virtual() { __builtin_trap(); }
WHARF_DEVICE void __cxa_deleted_virtual() { __builtin_trap(); }
#endif
