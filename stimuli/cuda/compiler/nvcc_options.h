#pragma once
// The command line of `wharf nvcc`: nvcc's options, as far as clang can honour them (CU-62).

#include <string>
#include <vector>

namespace wharf::cuda {

enum class Language { cuda, cpp, c, object };  // `object` also covers libraries: what goes to the linker

struct Input {
  std::string path;
  Language language = Language::cuda;
};

struct NvccOptions {
  enum class Action { link, device_link, compile, ptx, dependencies };

  Action action = Action::link;
  std::vector<Input> inputs;
  std::string output;                      // -o; empty for the default of the action
  std::vector<std::string> preprocessor;   // -I, -isystem, -D, -U, -include, as clang takes them
  std::vector<std::string> linker;         // -L, -l and -Xlinker, in order
  std::vector<std::string> host_compiler;  // -Xcompiler
  std::vector<std::string> warnings;       // -W...
  std::vector<std::string> dependencies;   // -M, -MM, -MD, -MMD, -MP, -MF, -MT, -MQ
  std::string standard;                    // of -std; empty for our default
  std::string optimisation = "-O3";
  std::string host_compiler_program;  // -ccbin; empty for clang itself
  bool debug = false;                 // -g: of the host
  bool relocatable = false;           // -dc, -rdc: device code may use that of other files
  bool fast_math = false, flush_subnormals = false;
  bool precise_division = true, precise_root = true, contract = true;
  bool report_registers = false;     // -Xptxas -v (CU-52)
  bool verbose = false;              // -v: print the commands
  unsigned register_limit = 0;       // -maxrregcount; 0 for none
  unsigned architecture = 70;        // 80 for -arch=sm_80 or compute_80: what __CUDA_ARCH__ says if it is above 70
  std::vector<std::string> ignored;  // accepted without effect, for a message
  std::vector<std::string> notes;    // other messages about options
};

/// Reads the arguments behind `wharf nvcc`. Throws InputError for an option that cannot be honoured, by its name and with the remedy, and
/// for one that is not known.
NvccOptions parse_nvcc_options(const std::vector<std::string>& arguments);

}  // namespace wharf::cuda
