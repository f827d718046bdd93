#pragma once
// A run of `wharf serve` in a process of its own: a fork of the server without exec, which saves the start of a program and lets SystemC
// elaborate once more. The server must have no threads, and must not have elaborated anything itself.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/serve/line_buffer.h"

namespace wharf::cli {

/// Where runs are kept: `folder`/runs.sqlite and a folder for each run, named by its key (RunIdentity::key).
struct RunStore {
  std::filesystem::path folder;
  std::string program;  // program_fingerprint()
};

class RunProcess {
 public:
  /// Throws InputError where no process can be started.
  RunProcess(const RunSpec& spec, const RunStore& store);
  /// Ends the process at once, where it still runs.
  ~RunProcess();
  RunProcess(const RunProcess&) = delete;
  RunProcess& operator=(const RunProcess&) = delete;

  /// Becomes readable when read() has something to return.
  int descriptor() const { return descriptor_; }
  /// The messages of the run: objects with `progress`, and at the end one with `result` or `error`.
  std::vector<Json> read();

 private:
  Json how_it_ended();

  pid_t pid_ = -1;
  int descriptor_ = -1;
  LineBuffer lines_;
  bool has_answered_ = false;
};

/// {"error": {"kind": ..., "message": ...}}. Kinds: bad_request, bad_input, simulation_failed, cancelled, crashed (docs/serve.md).
Json error_json(const char* kind, const std::string& message);

}  // namespace wharf::cli
