#pragma once
// A kernel that a host program launches by name on arrays in its own memory: a benchmark's device code without its host code.
// docs/virtual.md says how to add one.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

struct DeviceParameter {
  enum class Kind : std::uint8_t { array, integer, real };
  const char* name;
  Kind kind;
  std::uint32_t element_bytes;  // array: element size; the largest power of two that divides it is the alignment of the address
  double low, high;             // number: smallest and largest value
  const char* help;
};

/// The host's value for one parameter, already checked on its own.
struct DeviceArgument {
  Address base = 0;            // array
  std::byte* data = nullptr;
  std::uint64_t elements = 0;
  double number = 0;           // integer or real
};

/// The reason why arguments cannot be launched.
struct BadArgument {
  std::size_t index;           // of the parameter
  bool too_small;              // true: the array is too small; false: a number is out of range
  std::string why;
};

struct DeviceKernel;

/// The arguments of one launch by name. The functions throw std::logic_error for a name that the kernel does not declare.
class DeviceArguments {
 public:
  /// `values` has one value per parameter of the kernel, in the kernel's order. The kernel must outlive this object.
  DeviceArguments(const DeviceKernel& kernel, std::vector<DeviceArgument> values) : kernel_(kernel), values_(std::move(values)) {}

  template <class T>
  Array<T> array(std::string_view name) const {
    const DeviceArgument& value = values_[index_of(name)];
    return {value.base, reinterpret_cast<T*>(value.data), static_cast<std::uint32_t>(value.elements)};
  }
  int integer(std::string_view name) const { return static_cast<int>(values_[index_of(name)].number); }
  float real(std::string_view name) const { return static_cast<float>(values_[index_of(name)].number); }

  /// Throws BadArgument if `holds` is false.
  void require(bool holds, std::string_view name, const std::string& why) const;
  /// Throws BadArgument if the array has fewer than `least` elements.
  void require_elements(std::string_view name, std::uint64_t least) const;

 private:
  std::size_t index_of(std::string_view name) const;

  const DeviceKernel& kernel_;
  std::vector<DeviceArgument> values_;
};

struct DeviceKernel {
  const char *name, *help;
  std::vector<DeviceParameter> parameters;
  /// Makes the launch. Throws BadArgument if the arguments contradict each other.
  Kernel (*make)(const DeviceArguments& arguments);
};

/// All device kernels, in the order in which they are listed.
const std::vector<DeviceKernel>& device_kernels();

/// The kernel of this name; nullptr if no kernel has it.
const DeviceKernel* find_device_kernel(std::string_view name);

/// A workload whose launches are given from outside, one at a time.
class DeviceWorkload final : public Workload {
 public:
  /// Adds a launch. The previous one must have drained().
  void launch(Kernel kernel) {
    kernel_ = std::move(kernel);
    pending_ = true;
  }
  /// Ends the workload: no launch will follow.
  void close() { closed_ = true; }
  /// Called when the front end has drained the last launch and asks for the next one.
  std::function<void()> drained;

  const Kernel* next() override;
  bool waiting() const override { return !closed_; }
  std::size_t launch_count() const override { return 0; }
  bool check(std::string&) const override { return true; }  // only the host program knows the right result

 private:
  Kernel kernel_;
  bool pending_ = false, running_ = false, closed_ = false;
};

}  // namespace wharf::spmd
