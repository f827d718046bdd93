#include "stimuli/readable_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace wharf {

std::string readable_name(const std::string& kernel) {
  if (kernel.compare(0, 2, "_Z") != 0) return kernel;  // `f` is not the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return kernel;
  std::string name = demangled.get();
  // `void gemm<float>(float const*, int)`: the last bracket that opens on the outermost level begins the parameters, the last blank before
  // the name ends its type.
  int depth = 0;
  std::size_t begin = 0, end = name.size();
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(' && depth == 0 && name.compare(i, 21, "(anonymous namespace)") != 0) end = i;
    if (name[i] == ' ' && depth == 0 && end == name.size()) begin = i + 1;
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
  }
  return name.substr(begin, end - begin);
}

}  // namespace wharf
