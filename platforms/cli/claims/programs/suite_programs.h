#pragma once
// Which program of which benchmark suite an application of the publications is, in the part `applications` of stimuli/suites.yaml:
//
//   applications:
//     without_source: [synthetic]               # this project's own: no suite has it
//     rodinia:                                  # the suite's folder in the user's folder of suites
//       source: Rodinia 3.1, https://...        # where the user has it from
//       programs:
//         bfs: {folder: cuda/bfs, program: bfs.cu, compile: -O2, arguments: [../../data/bfs/graph65536.txt],
//               data: ../../data/bfs/graph65536.txt, stated_by: run_script}
//         lud: {folder: cuda/lud/cuda, ..., stated_by: run_script, published: {ciao: {arguments: [-s, 80], table: 'table II: 25 KB'}}}
//
// A program runs in its folder, as by its suite's own script; sources, data and -I are named from there. Without `program` the suite's
// folder must have a recording or a program of the application's name. `stated_by` names the source of the arguments and sizes: the suite's
// run_script, the program's own defaults, or, if neither gives them, this project (`chosen`). `published` has the arguments that a
// publication states, with the place.

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/cli/claims/programs/claim_programs.h"

namespace wharf::cli {

struct SuiteProgram {
  std::string application;
  std::string suite, suite_source;  // its folder, and where the user has it from
  std::string folder;               // in the suite's
  std::vector<std::string> sources, compile, arguments, data;
  config::Position where;
};

/// The names in claims.
struct ClaimNames {
  std::vector<std::string> applications, publications;
};

ClaimNames names_of(const std::vector<Claim>& claims);

/// The applications' programs, in the file's order, with the sizes that `publication` states; empty: none's. Throws InputError with every
/// mistake as file:line:column: an application that no claim names or that stands there twice, one that is missing, a publication that no
/// claim names, a suite without source, unknown keys.
std::vector<SuiteProgram> load_suite_programs(const std::filesystem::path& file, const ClaimNames& known, const std::string& publication);

/// load_suite_programs() of stimuli/suites.yaml.
std::vector<SuiteProgram> suite_programs(const ClaimNames& known, const std::string& publication);

struct FoundPrograms {
  std::vector<ClaimProgram> programs;
  std::vector<std::string> missing;  // a line each: what is not there, and what belongs where
};

/// Looks for the programs of `applications` in a folder of suites: FOLDER/SUITE/APPLICATION.wcr, a recording, before
/// FOLDER/SUITE/APPLICATION, a program, before the suite's sources.
FoundPrograms find_programs(const std::vector<SuiteProgram>& suites, const std::vector<std::string>& applications,
                            const std::filesystem::path& folder);

}  // namespace wharf::cli
