#pragma once
// Arguments of a kernel in a launch file: numbers, addresses of arrays, and structures of both (CU-64).

#include <string>
#include <vector>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/mistakes.h"
#include "stimuli/ptx/launch_file/launch_stimulus.h"

namespace wharf::cli {

class LaunchArguments {
 public:
  /// `arrays`: the names of the file's arrays, in their order.
  LaunchArguments(std::vector<std::string> arrays, config::Mistakes& mistakes) : arrays_(std::move(arrays)), mistakes_(mistakes) {}
  /// Fills the arguments of `launch` from a list with one for each parameter. `arguments` may be null; the launch stands at `at`.
  void read(const config::Node* arguments, const config::Node& at, const ptx::Function& kernel, ptx::FileLaunch& launch);

 private:
  /// A field of a structure, with its bytes counted from the structure's start.
  struct Field {
    const config::Node* node;
    std::size_t begin, bytes;
    ptx::Type type;  // of a number; Type::none for the address of an array
    std::size_t array;
  };
  struct Extent {
    std::size_t bytes = 0, alignment = 1;
  };

  void read_argument(const config::Node& node, const ptx::Variable& parameter, ptx::FileLaunch& launch);
  void read_structure(const config::Node& list, const ptx::Variable& parameter, std::size_t offset, ptx::FileLaunch& launch);
  Extent place_fields(const config::Node& list, std::vector<Field>& fields);
  Extent place_field(const config::Node& node, std::vector<Field>& fields);
  bool require_room(const config::Node& list, const std::vector<Field>& fields, std::size_t bytes, const ptx::Variable& parameter);
  /// The array's number where the text names one, arrays_.size() otherwise. A name of no array is a mistake, and `is_name` true.
  std::size_t find_array(const config::Node& node, bool& is_name);
  void complain(const config::Node& at, const std::string& what) { mistakes_.add(at.position(), what); }

  std::vector<std::string> arrays_;
  config::Mistakes& mistakes_;
};

}  // namespace wharf::cli
