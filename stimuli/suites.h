#pragma once
// Named lists of workloads from a YAML file (stimuli/suites.yaml). A suite is a list of workloads, or a group of a publication:
//
//   quick: [gemm@std, atax@std]
//   recorded: ['trace:traces/bfs:1-4']                                  # a path is relative to the file
//   d3_low: {named: [], fill_ins: [blackscholes@std, hotspot@std]}      # common section 15: which of them the source names
//   d3: {of: [d3_sharing, d3_low]}                                      # all of other suites

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/tree/mistakes.h"

namespace wharf {

struct Suite {
  struct Member {
    std::string workload;  // a spec that make_stimulus() takes, or a trace
    bool fill_in = false;  // completes a group whose source names only some of its members
    config::Position where;
  };

  std::string name;
  std::vector<Member> members;

  std::vector<std::string> workloads() const;
  /// Whether some members are fill-ins: an average over them is of a group that the source names only in part.
  bool partly_named() const;
};

/// All suites, in the file's order. Throws InputError with every mistake as file:line:column: not YAML, a suite of another form or empty,
/// a workload named twice, a part that is no suite above it. Whether the workloads exist is asked by check_workloads().
std::vector<Suite> load_suites(const std::filesystem::path& file);

/// Calls `check` with each workload; throws InputError with what it throws, each with its place in the file.
void check_workloads(const Suite& suite, const std::function<void(const std::string&)>& check);

/// The suite of that name. Throws InputError with the names that there are.
const Suite& find_suite(const std::vector<Suite>& suites, std::string_view name);

}  // namespace wharf
