#pragma once
// A launch file as a stimulus: kernels of PTX alone, with arrays that it fills and results that it checks (CU-64).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stimuli/ptx/launch_file/expression.h"
#include "stimuli/ptx/ptx_stimulus.h"

namespace wharf::ptx {

/// The initial or expected contents of an array: elements of a file, random elements, or those of an expression.
struct Values {
  std::string file;                   // little-endian elements; empty: none
  std::optional<std::uint64_t> seed;  // random: floats in [0, 1), integers over all values of their type
  Expression expression;              // where there is neither
  std::string place;                  // launch.yaml:4:7, for messages
};

struct LaunchArray {
  std::string name;
  Type type = Type::f32;
  std::uint64_t count = 0;  // elements
  Values fill;
  std::uint64_t bytes() const { return count * bytes_of(type); }
};

/// An array whose address stands in a kernel's arguments.
struct ArrayArgument {
  std::size_t array = 0;
  std::size_t offset = 0;  // in the arguments
};

struct FileLaunch {
  LaunchRequest request;
  std::vector<ArrayArgument> arrays;
};

/// The contents of an array when all kernels have ended.
struct ArrayCheck {
  std::size_t array = 0;
  Values values;
};

/// A launch file that has been read and is good.
struct LaunchFile {
  std::vector<SourceText> modules;
  std::vector<LaunchArray> arrays;
  std::vector<FileLaunch> launches;
  std::vector<ArrayCheck> checks;
  double tolerance = 0;            // of floats: |is - should| <= tolerance * max(1, |should|)
  std::vector<std::string> files;  // all that it is read from, itself first

  /// Device memory for its arrays and the modules' variables.
  static constexpr std::uint64_t kMemoryBytes = std::uint64_t{4} << 30;
  static constexpr double kDefaultTolerance = 1e-5;
};

/// Its memory, which must exist before the base class that uses it.
class LaunchMemory {
 protected:
  explicit LaunchMemory(const LaunchFile& file);

  DeviceMemory arrays_memory_;
  std::vector<Address> addresses_;  // of the arrays
};

class LaunchStimulus final : private LaunchMemory, public PtxStimulus {
 public:
  /// Fills the arrays. Throws InputError where a file of elements has another size, and where an expression has no value.
  explicit LaunchStimulus(LaunchFile file, const Options& options = {});

  /// When all kernels have ended: the first elements that are not as the file says; empty where all are.
  std::string wrong_results() const;

 private:
  std::vector<ArrayView> views() const;
  std::string difference(const ArrayCheck& check) const;

  LaunchFile file_;
  std::vector<std::vector<std::byte>> filled_;  // [array]: as it was filled, of those that checks name
};

}  // namespace wharf::ptx
