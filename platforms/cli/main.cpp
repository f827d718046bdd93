#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "model/rtl/catalogue.h"
#include "platforms/cli/program.h"
#include "platforms/cli/terminal/shell.h"

namespace {

/// A stream that the caller has closed refuses what is written to it; otherwise the next file opened would take its number and the text.
void keep_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// The exit code of a command that ended with `code`, once its output is written.
int after_output(int code) {
  if (std::cout.flush()) return code;
  std::fputs("wharf: the output cannot be written: stdout is closed or its disk is full\n", stderr);
  return code == wharf::cli::kDone ? wharf::cli::kBadInput : code;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond a limit of file sizes fails like one to a full disk
  wharf::rtl::add_to_catalogues();
  if (argc > 0) wharf::cli::set_program_name(argv[0]);
  return after_output(wharf::cli::run_program(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr));
}

// libsystemc refers to sc_main (with C linkage); the commands elaborate their simulations themselves.
extern "C" int sc_main(int, char**) { return 0; }
