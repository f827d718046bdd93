#pragma once
// Which module of a group defines a name that modules share: one strong definition, before which weak ones give way (CU-6).

#include <map>
#include <string_view>
#include <vector>

#include "stimuli/ptx/text/syntax.h"

namespace wharf::ptx {

class Definitions {
 public:
  /// Throws InputError where a name has two strong definitions, and where a group of several modules uses a name that none of them defines.
  explicit Definitions(const std::vector<Module>& modules);

  /// Modules see kernels, and what is not private to its file.
  static bool is_shared(const Function& function) { return function.is_kernel || function.linkage != Linkage::internal; }
  static bool is_shared(const Variable& variable) { return variable.linkage != Linkage::internal; }
  /// True unless another module's definition of the name counts. `what` is a definition.
  template <class What>
  bool counts(const What& what) const {
    return !is_shared(what) || definitions_.at(what.name).what == &what;
  }

 private:
  struct Definition {
    const void* what;  // a Function or a Variable
    const Module* module;
    Place place;
    bool is_weak;
  };
  template <class What>
  void add(const Module& module, const char* kind, const What& what);
  void require_defined(const std::vector<Module>& modules) const;

  std::map<std::string_view, Definition> definitions_;
};

}  // namespace wharf::ptx
