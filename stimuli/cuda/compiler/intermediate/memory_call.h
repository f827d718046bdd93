#pragma once
// Calls of llvm.memcpy and llvm.memset in the text of a module, of LLVM 14 or later, and the accesses that may replace them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wharf::cuda {

/// A pointer among the arguments of a call, such as `i8 addrspace(3)* nonnull align 16 dereferenceable(16) %5` or `ptr align 16 %5`.
struct MemoryPointer {
  std::string_view space;    // such as " addrspace(3)"
  std::string_view operand;  // such as "%5"
  std::uint64_t alignment = 1;
  bool is_opaque = false;
};

/// A call that is not volatile and whose size is known. Refers to the line.
struct MemoryCall {
  MemoryPointer to, from;  // `from` of a fill is `to`
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> byte;  // of a fill
  std::string_view indent;
  std::string_view location;     // such as ", !dbg !32"
  std::string_view member_list;  // such as "!34", the metadata that names the members which are copied; empty if there is none

  /// Reads a line of a module. No value if it has no such call, or one that is not understood.
  static std::optional<MemoryCall> read(std::string_view line);
};

/// Appends the accesses that replace a call.
class ReplacingAccesses {
 public:
  /// The values of a module that the accesses name.
  struct Names {
    std::string_view prefix;  // such as "wide"
    unsigned count = 0;
  };
  ReplacingAccesses(std::string& out, const MemoryCall& call, Names& names) : out_(out), call_(call), names_(names) {}

  /// Loads a value of a type such as "i32" from an offset of the call's source, and returns its name. Accesses say nothing of the types that
  /// they may alias: programs copy a float4 to an array of halves.
  std::string load(std::uint64_t offset, std::string_view type);
  void store(std::uint64_t offset, std::string_view type, std::string_view value);

 private:
  std::string place(const MemoryPointer& pointer, std::uint64_t offset, std::string_view type);
  std::string named(const std::string& instruction);

  std::string& out_;
  const MemoryCall& call_;
  Names& names_;
};

}  // namespace wharf::cuda
