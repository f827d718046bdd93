#include <iostream>
#include <string>
#include <vector>

#include "model/rtl/catalogue.h"
#include "platforms/cli/program.h"

int main(int argc, char** argv) {
  wharf::rtl::add_to_catalogues();
  return wharf::cli::run_program(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}

// libsystemc refers to sc_main (with C linkage); the commands elaborate their simulations themselves.
extern "C" int sc_main(int, char**) { return 0; }
