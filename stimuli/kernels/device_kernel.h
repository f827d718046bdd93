#pragma once
// A kernel that a host program launches by name, on arrays that lie in its own memory: the program of a benchmark without its host side.
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
  std::uint32_t element_bytes;  // of an array; its address must be a multiple of it, as far as that is a power of two
  double low, high;             // of a number, both ends included
  const char* help;
};

/// What the host gave for one parameter, checked for itself.
struct DeviceArgument {
  Address base = 0;            // of an array
  std::byte* data = nullptr;
  std::uint64_t elements = 0;
  double number = 0;           // of an integer or real
};

/// Why arguments cannot be launched.
struct BadArgument {
  std::size_t index;           // of the parameter
  bool too_small;              // an array; otherwise a number out of range
  std::string why;
};

struct DeviceKernel;

/// The arguments of one launch by name. The functions throw std::logic_error for a name that the kernel does not declare.
class DeviceArguments {
 public:
  /// As many values as the kernel has parameters, in their order. The kernel must outlive this.
  DeviceArguments(const DeviceKernel& kernel, std::vector<DeviceArgument> values) : kernel_(kernel), values_(std::move(values)) {}

  template <class T>
  Array<T> array(std::string_view name) const {
    const DeviceArgument& value = values_[index_of(name)];
    return {value.base, reinterpret_cast<T*>(value.data), static_cast<std::uint32_t>(value.elements)};
  }
  int integer(std::string_view name) const { return static_cast<int>(values_[index_of(name)].number); }
  float real(std::string_view name) const { return static_cast<float>(values_[index_of(name)].number); }

  /// Throws BadArgument unless it holds.
  void require(bool holds, std::string_view name, const std::string& why) const;
  /// Throws BadArgument where the array has fewer.
  void require_elements(std::string_view name, std::uint64_t least) const;

 private:
  std::size_t index_of(std::string_view name) const;

  const DeviceKernel& kernel_;
  std::vector<DeviceArgument> values_;
};

struct DeviceKernel {
  const char *name, *help;
  std::vector<DeviceParameter> parameters;
  /// The launch. Throws BadArgument for arguments that contradict each other.
  Kernel (*make)(const DeviceArguments& arguments);
};

/// All of them, in the order in which they are listed.
const std::vector<DeviceKernel>& device_kernels();

/// nullptr where there is none of that name.
const DeviceKernel* find_device_kernel(std::string_view name);

/// Launches that come from outside, one at a time.
class DeviceWorkload final : public Workload {
 public:
  /// Not while an earlier one has not drained().
  void launch(Kernel kernel) {
    kernel_ = std::move(kernel);
    pending_ = true;
  }
  /// No launch will follow.
  void close() { closed_ = true; }
  /// Called when the front end has drained the last launch and asks for another.
  std::function<void()> drained;

  const Kernel* next() override;
  bool waiting() const override { return !closed_; }
  std::size_t launch_count() const override { return 0; }
  bool check(std::string&) const override { return true; }  // what is right, only the host program knows

 private:
  Kernel kernel_;
  bool pending_ = false, running_ = false, closed_ = false;
};

}  // namespace wharf::spmd
