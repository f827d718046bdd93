#pragma once
// The arguments that a workload or a policy declares, and the parser of `name[@size][:key=value,...]`.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wharf {

/// One argument of a workload or a policy.
struct Argument {
  enum class Kind : std::uint8_t { integer, real };
  std::string name;
  std::string preset;  // the default: a number, or the name of an earlier argument whose value it takes
  double low, high;    // the legal range, both ends included
  std::string help;
  Kind kind = Kind::integer;
};

/// A name that sets several arguments at once, e.g. gemm's n.
struct Shorthand {
  std::string name;
  std::vector<std::string> argument_names;
};

/// A named set of values (common section 15): tiny, std or paper. Some workloads have further sizes for the GPU of one publication. `wide`
/// does the work of std in more CTAs, for 80 SMs (CM-37); `llc` has larger data, for Morpheus; `ciao` has 16 to 48 warps on each of 15 SMs.
struct WorkloadSize {
  std::string name;
  std::vector<std::pair<std::string, double>> values;
};

/// What a user may write for a workload: its name, arguments, shorthands and sizes.
struct WorkloadInfo {
  std::string name, help;
  std::vector<Argument> arguments;
  std::vector<Shorthand> shorthands;
  std::vector<WorkloadSize> sizes;
};

/// The argument values of one run.
class Arguments {
 public:
  Arguments() = default;
  Arguments(std::string spec, std::map<std::string, double, std::less<>> values) : spec_(std::move(spec)), values_(std::move(values)) {}

  /// Throws std::logic_error for a name that the workload did not declare.
  double real(std::string_view name) const;
  std::int64_t integer64(std::string_view name) const { return static_cast<std::int64_t>(real(name)); }
  int operator()(std::string_view name) const { return static_cast<int>(real(name)); }

  /// Checks a condition over several arguments: throws InputError "<spec>: <what>" unless it holds.
  void require(bool holds, const std::string& what) const;

 private:
  std::string spec_;  // as the user wrote it
  std::map<std::string, double, std::less<>> values_;
};

/// A spec split into its parts, not yet checked.
struct Spec {
  std::string text, name, size;  // size is empty if the spec names none
  std::vector<std::pair<std::string, std::string>> settings;
};

/// Splits `text`. Throws InputError unless it has the form name[@size][:key=value,...].
Spec split_spec(std::string_view text);

/// Gives every argument its value: from the settings, else from the size, else its default. A name without size and settings means size
/// std. Throws InputError for an unknown size or argument, a number that cannot be read or is out of range, and a key given twice; the
/// message lists the legal choices.
Arguments resolve(const Spec& spec, const WorkloadInfo& workload);

/// As above, for a policy, which has arguments but no sizes.
Arguments resolve(std::string_view text, const std::string& name, const std::vector<Argument>& arguments);

}  // namespace wharf
