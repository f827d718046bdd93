#pragma once
// All commands of the program; program.cpp holds the table of their names.

#include <vector>

#include "platforms/cli/context.h"

namespace wharf::cli {

/// A command of the table in program.cpp.
struct Command {
  const char* name;
  const char* help;
  int (*run)(const Context&);
};
const std::vector<Command>& all_commands();

int run_command(const Context&);
int compare_command(const Context&);
int explain_command(const Context&);
int sweep_command(const Context&);
int serve_command(const Context&);
int reproduce_command(const Context&);
int list_command(const Context&);
int describe_command(const Context&);
int check_command(const Context&);
int trace_command(const Context&);
int validate_command(const Context&);
int bench_command(const Context&);
int vp_command(const Context&);
int cuda_command(const Context&);
int nvcc_command(const Context&);
int completion_command(const Context&);
int man_command(const Context&);

}  // namespace wharf::cli
