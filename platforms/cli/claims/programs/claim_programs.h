#pragma once
// A user's own programs for applications that claims are measured over:
//
//   programs:
//     bfs: cuda:bfs.wcr                      # a recording, or some of its kernels: cuda:bfs.wcr:3-7
//     lud: bin/lud                           # a program, or a CUDA source
//     gemm: {program: [gemm.cu, io.cu], arguments: [256], compile: [-DTILE=16], kernels: 'gemm*'}
//
// Files are named from the folder of this file. `kernels` are those that are timed, in the words of a recording's name.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "platforms/cli/claims/claims.h"

namespace wharf::cli {

struct ClaimProgram {
  std::string application;         // as workload_of() has it: "bfs" means bfs@std and bfs@wide
  std::string recording;           // the file of cuda:FILE; empty: the program is recorded
  std::vector<std::string> files;  // a program, or its sources
  std::vector<std::string> arguments, compile;
  std::string kernels;  // that are timed; empty: all
  std::string folder;   // where it runs; empty: where the command does
  config::Position where;

  /// The command as the file names it.
  std::string text() const;
};

/// The applications that claims are measured over, each once, in the order of the claims.
std::vector<std::string> applications_of(const std::vector<Claim>& claims);

/// Reads the file, or the programs.yaml of a folder. Throws InputError with every mistake as file:line:column: an application that is none of
/// `known` or stands there twice, files that are missing or of another kind, kernels that cannot be selected.
std::vector<ClaimProgram> load_claim_programs(const std::filesystem::path& file_or_folder, const std::vector<std::string>& known);

/// The stimuli that represent applications, by application.
using ProgramStimuli = std::map<std::string, std::string>;

/// The claim over the programs alone. Members of one application, such as two inputs of bfs, become one member. A limit of warp instructions
/// holds for the program too, unless its stimulus has one of its own.
Claim over_programs(const Claim& claim, const ProgramStimuli& programs);

/// The applications of the claim that are not in `with_program`.
std::vector<std::string> without_program(const Claim& claim, const std::vector<std::string>& with_program);

}  // namespace wharf::cli
