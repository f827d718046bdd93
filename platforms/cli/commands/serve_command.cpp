// serve: runs what programs ask for, line by line.

#include <fmt/ostream.h>

#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/program_fingerprint.h"
#include "platforms/cli/runs/records/run_database.h"
#include "platforms/cli/serve/server.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

int serve_command(const Context& context) {
  CommandLine arguments(
      "serve [options]",
      "Answers requests, one JSON object per line: describe, run, cancel; docs/serve.md has the protocol. Reads stdin and writes\n"
      "stdout until the end of the input, or serves every client of a Unix socket. Finished runs are kept and not run again.");
  arguments.output("socket", "serve clients of this Unix socket instead of stdin, until Ctrl-C or SIGTERM")
      .output_folder("out", "folder of the finished runs", "out/serve", {"runs.sqlite"})
      .value("jobs", "N", "runs at a time (default: one per processor)");
  if (!parse_with_plugins(arguments, context)) return kDone;
  const RunStore store{std::filesystem::absolute(arguments.text("out")), program_fingerprint()};
  const auto jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  RunDatabase{store.folder};  // a database that cannot be used is reported now
  Server server(store, jobs);
  if (!arguments.has("socket")) return server.serve_standard_streams() ? kDone : kInterrupted;
  UnixSocket socket(arguments.text("socket"));
  fmt::print(context.err, "wharf: serving on {}\n", arguments.text("socket"));
  context.err.flush();
  server.serve(socket);
  return kInterrupted;
}

}  // namespace wharf::cli
