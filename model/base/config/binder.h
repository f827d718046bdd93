#pragma once
// The interface between a Params struct and YAML. A struct's one `bind()` names every key once, with unit, help and range. Reading a YAML
// file, `wharf describe`, the dump of the resolved configuration and `wharf describe --markdown` are four Binders that run this function.
//
//   struct L1Params {
//     std::uint32_t capacity_kib = 16;
//     StorePolicy store_hit = StorePolicy::update;
//     std::uint32_t mshr_targets = kUnlimited;
//     std::string replacement = "lru";
//     void bind(config::Binder& b) {
//       b.integer("capacity_kib", capacity_kib, Unit::kib, "data capacity of one L1", 1, 65536);
//       b.choice("store_hit", store_hit, {{"update", StorePolicy::update}, {"evict", StorePolicy::evict}}, "what a store does ...");
//       b.limit("mshr_targets", mshr_targets, Unit::accesses, "accesses merged into one entry", 1, 1u << 20);
//       b.policy("replacement", replacement, replacement_catalogue_names(), "victim choice");
//       b.require(capacity_kib % ways == 0, "capacity_kib", "is not a multiple of ways", "choose ...");
//     }
//   };

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/arguments.h"

namespace wharf::config {

/// Unit of a value, as help texts and results print it.
enum class Unit {
  none,
  cycles,
  mhz,
  bytes,
  kib,
  count,
  accesses,
  flits,
  percent,
  ratio,
  nanoseconds,
  warps,
  ctas,
  threads,
  registers,
  picojoules,
  nanojoules,
  milliwatts,
  watts,
  millimetres
};
const char* name_of(Unit unit);

/// A policy that a registry offers: its name in YAML, one line of help, and the arguments that may follow the name as `name:key=value,...`.
struct PolicyName {
  std::string name, help;
  std::vector<Argument> arguments = {};
};

class Binder {
 public:
  virtual ~Binder() = default;

  virtual void integer(std::string_view key, std::uint32_t& value, Unit, std::string_view help, std::uint64_t min, std::uint64_t max) = 0;
  virtual void integer(std::string_view key, std::uint64_t& value, Unit, std::string_view help, std::uint64_t min, std::uint64_t max) = 0;
  /// An integer, or `word` for kUnlimited.
  virtual void integer_or(std::string_view word, std::string_view key, std::uint32_t& value, Unit, std::string_view help, std::uint64_t min,
                          std::uint64_t max) = 0;
  virtual void real(std::string_view key, double& value, Unit, std::string_view help, double min, double max) = 0;
  virtual void flag(std::string_view key, bool& value, std::string_view help) = 0;
  virtual void text(std::string_view key, std::string& value, std::string_view help) = 0;
  /// One name of a registry, followed by arguments if the policy has any. An unknown name is an error that suggests the nearest one.
  virtual void policy(std::string_view key, std::string& value, const std::vector<PolicyName>& offered, std::string_view help) = 0;
  /// A list of integers, e.g. the shared-memory sizes an SM can be split into.
  virtual void integers(std::string_view key, std::vector<std::uint32_t>& values, Unit, std::string_view help, std::uint64_t min,
                        std::uint64_t max) = 0;

  void limit(std::string_view key, std::uint32_t& value, Unit unit, std::string_view help, std::uint64_t min, std::uint64_t max) {
    integer_or("unlimited", key, value, unit, help, min, max);
  }

  /// One of several words, each of which names an enumerator.
  template <class Enum>
  void choice(std::string_view key, Enum& value, std::initializer_list<std::pair<const char*, Enum>> words, std::string_view help) {
    std::vector<std::string> names;
    std::size_t index = 0, i = 0;
    for (const auto& [word, enumerator] : words) {
      names.emplace_back(word);
      if (enumerator == value) index = i;
      ++i;
    }
    index = choose(key, index, names, help);
    value = (words.begin() + index)->second;
  }

  /// A nested mapping, bound by the bind() of its Params struct.
  template <class Params>
  void group(std::string_view key, Params& params, std::string_view help) {
    if (begin_group(key, help)) params.bind(*this);
    end_group();
  }

  /// Checks a condition over several keys. Only the Reader evaluates it; its message is `path.key <what>; <remedy>` at the position of the
  /// key in the file, or of the group if the key has its default.
  virtual void require(bool holds, std::string_view key, std::string_view what, std::string_view remedy) = 0;

  /// Declares that the key or group has an effect only if `effective`; `reason` completes "has no effect because ...". Setting it anyway is
  /// an error, unless an extended file set it or an outer layer (workload, --set) removed its effect. A dump omits the key. Call it in the
  /// bind() that names the key, before or after naming it.
  virtual void ineffective_unless(bool effective, std::string_view key, std::string_view reason) {
    static_cast<void>(effective);
    static_cast<void>(key);
    static_cast<void>(reason);
  }

 protected:
  /// Returns the index of the chosen word; binders that do not read return `current`.
  virtual std::size_t choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view help) = 0;
  virtual bool begin_group(std::string_view key, std::string_view help) = 0;
  virtual void end_group() = 0;
};

}  // namespace wharf::config
