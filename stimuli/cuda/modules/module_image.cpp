#include "stimuli/cuda/modules/module_image.h"

#include "model/base/error.h"
#include "stimuli/cuda/modules/container.h"
#include "stimuli/cuda/modules/fat_binary.h"

namespace wharf::cuda {
namespace {

/// PTX begins with `.version`, after blanks and comments.
bool is_ptx(std::string_view text) {
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return false;
    text.remove_prefix(begin);
    std::size_t end = std::string_view::npos;
    if (text.substr(0, 2) == "//")
      end = text.find('\n');
    else if (text.substr(0, 2) == "/*")
      end = text.find("*/");
    else
      return text.substr(0, 8) == ".version";
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + (text[0] == '/' && text[1] == '*' ? 2 : 1));
  }
}

}  // namespace

std::vector<PtxText> read_module_image(std::string_view image, const std::string& name) {
  if (is_container(image)) return unpack_container(image, name);
  if (is_fat_binary(image)) return {{name, "nvcc", ptx_of_fat_binary(image, name)}};
  if (is_ptx(image)) return {{name, "", std::string(image)}};
  throw InputError(
      name + ": the device code is neither PTX, nor a container of `wharf nvcc`, nor a fat binary of nvcc; rebuild with `wharf nvcc`");
}

}  // namespace wharf::cuda
