#pragma once
// Opens stimuli and traces by their command-line names.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/cuda/device/device_options.h"
#include "stimuli/stimulus.h"
#include "stimuli/suites.h"
#include "stimuli/traces/trace_reader.h"

namespace wharf::cli {

/// How recorded stimuli are read.
struct StimulusOptions {
  traces::ReaderOptions traces;
  bool loose_replay = false;   // of recorded CUDA programs: what the host reads may differ from the recording
  cuda::DeviceOptions device;  // of recorded CUDA programs
};

/// Opens a stimulus of the catalogue, a synthetic one (`synthetic`, `chase`, `stream`), or one that is a file
/// (stimuli/recorded_names.h). Throws InputError.
std::unique_ptr<Stimulus> open_named_stimulus(const std::string& spec, std::uint64_t seed, const StimulusOptions& options = {});

/// Throws InputError where open_named_stimulus() would, without building large data or reading the CTAs of a trace.
void check_stimulus(const std::string& spec);

/// The argument limit_warp_instructions of a stimulus; kNever where it has none.
std::uint64_t limit_of_stimulus(const std::string& spec);
/// `stimulus` with runs that end after this number of warp instructions. Throws InputError if it already has a limit.
std::string limited_stimulus(const std::string& spec, std::uint64_t warp_instructions);

/// Prefix of the name, in results, of a CUDA program that `wharf cuda` ran.
inline constexpr const char* kProgramPrefix = "program:";

/// The workload whose `per_workload` values apply: "alexnet" of "alexnet@wide:seed=3", of a trace the folder that holds it, of a recording the
/// file's name without .wcr.
std::string workload_of(const std::string& spec);

/// The suites of stimuli/suites.yaml. Throws InputError with every mistake in it.
std::vector<Suite> all_suites();

/// The members of a suite as specs, in the suite's order. Throws InputError for an unknown suite, or a suite with an unknown stimulus.
std::vector<std::string> stimuli_of_suite(const std::string& name);

/// Name and one line of help of every stimulus, sorted.
std::vector<std::pair<std::string, std::string>> stimulus_names();

/// The number of kernels that have run before the measured ones.
std::size_t warm_up_of(const Stimulus& stimulus);

/// Identifies the contents of a trace and the kernels that run of it, or the contents of a recording.
std::string hash_of_recorded(const std::string& spec);
/// The inputs of the stimulus that a run has opened: the parts of a trace that the run read were fingerprinted as they were read.
std::string hash_of_recorded(const std::string& spec, const Stimulus& ran);

}  // namespace wharf::cli
