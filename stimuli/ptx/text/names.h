#pragma once
// The names of a function's registers, variables and labels, block by block: inner blocks hide names of outer ones.

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stimuli/ptx/text/syntax.h"
#include "stimuli/ptx/text/token_reader.h"

namespace wharf::ptx {

/// Of one function.
inline constexpr std::uint32_t kMostRegisters = 1 << 20;

class Names {
 public:
  struct Found {
    bool is_register = false;
    std::uint32_t index = 0;
  };

  Names(const TokenReader& reader, Function& function) : reader_(reader), function_(function), open_(1) {}

  /// Each throws InputError where the block has the name already.
  std::uint32_t add_register(std::string_view name, Type type, Place place);
  /// name0, name1, ... up to `count`.
  void add_range(std::string_view name, std::uint32_t count, Type type, Place place);
  std::uint32_t add_variable(Variable variable);
  void add_label(std::string_view name, Place place);

  void open(Place place, std::uint32_t most_nested);
  void close() { open_.pop_back(); }
  /// True once the body itself is closed.
  bool closed() const { return open_.empty(); }
  std::uint32_t block() const { return open_.back().number; }

  /// The register or variable of that name in the innermost block that has it.
  std::optional<Found> find(std::string_view name) const;

 private:
  struct Range {
    std::string_view prefix;
    std::uint32_t first, count;
  };
  struct Block {
    std::uint32_t number = 0;
    std::unordered_map<std::string_view, Found> names;
    std::vector<Range> ranges;
  };
  void require_new(std::string_view name, Place place) const;
  static std::optional<Found> in_range(const Block& block, std::string_view name);

  const TokenReader& reader_;
  Function& function_;
  std::vector<Block> open_;  // the innermost last
};

}  // namespace wharf::ptx
