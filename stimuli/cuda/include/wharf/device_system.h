#pragma once
// Calls from device code into the system: printf, malloc, free and assert. The executor of PTX implements them (CU-45).

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ int printf(const char* format, ...);  // clang turns it into vprintf
__device__ void* malloc(size_t bytes) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void* pointer) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function, size_t char_bytes);
static __inline__ __device__ void __assert_fail(const char* message, const char* file, unsigned int line, const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
static __inline__ __device__ void* malloc(size_t bytes) { return ::malloc(bytes); }
static __inline__ __device__ void free(void* pointer) { ::free(pointer); }
}  // namespace std
