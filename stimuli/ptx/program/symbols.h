#pragma once
// Names of a program's modules: functions, and variables with their places.

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "model/base/types.h"
#include "stimuli/ptx/text/types.h"

namespace wharf::ptx {

struct Symbol {
  enum class Kind : std::uint8_t { function, memory, shared, texture };
  Kind kind = Kind::memory;
  std::uint32_t index = 0;  // of a function or a shared variable
  Address address = 0;      // of a variable in global or constant memory
};

/// The symbols of each module and those that modules share.
class Symbols {
 public:
  explicit Symbols(std::size_t modules) : local_(modules) {}
  void add(std::size_t module, std::string_view name, Symbol symbol, bool is_shared) {
    local_[module][name] = symbol;
    if (is_shared) shared_[name] = symbol;
  }
  /// The symbol as `module` sees it: its own one first.
  std::optional<Symbol> find(std::size_t module, std::string_view name) const {
    if (const auto it = local_[module].find(name); it != local_[module].end()) return it->second;
    if (const auto it = shared_.find(name); it != shared_.end()) return it->second;
    return std::nullopt;
  }
  bool shares(std::string_view name) const { return shared_.count(name) != 0; }

 private:
  std::vector<std::map<std::string_view, Symbol>> local_;
  std::map<std::string_view, Symbol> shared_;
};

}  // namespace wharf::ptx
