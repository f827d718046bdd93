#pragma once
// What the example programs share: checked calls of the API, repeatable random numbers, and the verdict.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program with a message where a call of the API fails.
#define CHECK(call)                                                                                   \
  do {                                                                                                \
    const cudaError_t error_ = (call);                                                                \
    if (error_ != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                                   \
    }                                                                                                 \
  } while (false)

/// The n-th argument as a number, or `otherwise`.
inline int argument(int argc, char** argv, int n, int otherwise) { return argc > n ? std::atoi(argv[n]) : otherwise; }

/// A generator of its own, so that inputs are the same with every C++ library.
class Random {
 public:
  unsigned next() { return state_ = state_ * 1664525u + 1013904223u; }
  unsigned below(unsigned limit) { return (next() >> 8) % limit; }
  float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24f; }

 private:
  unsigned state_ = 12345;
};

/// Device memory that is freed at the end of its scope.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) { CHECK(cudaMalloc(&data_, count * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { copy_from(values); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  void copy_from(const std::vector<T>& values) { CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice)); }
  void clear() { CHECK(cudaMemset(data_, 0, bytes())); }
  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Number of elements that differ by more than `tolerance`, relative to the larger magnitude (or to 1).
template <class T>
int count_wrong(const std::vector<T>& got, const std::vector<T>& expected, double tolerance = 0) {
  int wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double a = static_cast<double>(got[i]), b = static_cast<double>(expected[i]);
    const double scale = std::fmax(1.0, std::fmax(std::fabs(a), std::fabs(b)));
    wrong += !(std::fabs(a - b) <= tolerance * scale);
  }
  return wrong;
}

/// Prints the verdict and returns the program's exit code.
inline int verdict(const char* what, int wrong) {
  if (wrong == 0)
    std::printf("%s: PASS\n", what);
  else
    std::printf("%s: FAIL, %d values are wrong\n", what, wrong);
  return wrong != 0;
}
