#include "platforms/cli/stimuli.h"

#include <fmt/core.h>

#include <filesystem>
#include <map>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "platforms/cli/cuda/launch_file.h"
#include "platforms/inputs/files.h"
#include "stimuli/catalogue.h"
#include "stimuli/cuda/device/cuda_stimulus.h"
#include "stimuli/cuda/recording/recording_name.h"
#include "stimuli/ptx/launch_file/launch_name.h"
#include "stimuli/synthetic/micro_kernels.h"
#include "stimuli/synthetic/synthetic.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace {

/// A stimulus that is not in the catalogue, because it is not a program.
struct Synthetic {
  const char *name, *help, *example;
  void (*check)(const std::string& arguments);
  std::unique_ptr<Stimulus> (*make)(const std::string& arguments, std::uint64_t seed);
};

template <auto Parse, auto Make>
constexpr Synthetic synthetic(const char* name, const char* help, const char* example) {
  return {name, help, example, [](const std::string& arguments) { Parse(arguments); },
          [](const std::string& arguments, std::uint64_t seed) { return Make(Parse(arguments), seed); }};
}

constexpr Synthetic kSynthetics[] = {
    synthetic<parse_synthetic, make_synthetic>("synthetic", "coalesced loads with a chosen share and locality, to measure the simulator",
                                               "loads=50,ctas=640"),
    synthetic<parse_chase, make_chase>("chase", "dependent loads by one thread, to measure a latency (stimuli/synthetic/micro_kernels.h)",
                                       "loads=64,warm=1,half=0"),
    synthetic<parse_stream, make_stream>(
        "stream", "independent accesses by chosen SMs, to measure a bandwidth (stimuli/synthetic/micro_kernels.h)", "ctas=16,bytes=16")};

/// nullptr where `spec` names none of them.
const Synthetic* find_synthetic(const std::string& spec) {
  const std::string name = spec.substr(0, spec.find_first_of("@:"));
  for (const Synthetic& one : kSynthetics)
    if (name == one.name) return &one;
  return nullptr;
}

std::string arguments_of(const Synthetic& one, const std::string& spec) {
  const std::size_t name_end = std::string(one.name).size();
  if (spec.size() == name_end) return {};
  if (spec[name_end] != ':') throw InputError(fmt::format("{0} has no sizes; write {0} or {0}:{1}", one.name, one.example));
  return spec.substr(name_end + 1);
}

/// fingerprint_of_file(), read once while the file stays as it is: many runs of a plan have the same trace.
std::string fingerprint_once(const std::string& file) {
  struct Known {
    std::uintmax_t size;
    std::filesystem::file_time_type time;
    std::string fingerprint;
  };
  static std::map<std::string, Known> known;
  const std::uintmax_t size = std::filesystem::file_size(file);
  const std::filesystem::file_time_type time = std::filesystem::last_write_time(file);
  const auto found = known.find(file);
  if (found != known.end() && found->second.size == size && found->second.time == time) return found->second.fingerprint;
  return (known[file] = {size, time, fingerprint_of_file(file)}).fingerprint;
}

/// Also refuses files that are not recordings, and names their kind.
RecordedName name_of_recording(const std::string& spec) {
  RecordedName name = split_recorded(spec);
  if (name.path.empty())
    throw InputError("'" + spec + "' does not name a file; write cuda:FILE with a recording that `wharf cuda --record FILE` wrote");
  expect_path(name.path, PathKind::recording);
  limit_of_recorded(spec);
  return name;
}

std::unique_ptr<Stimulus> open_recording(const std::string& spec, const StimulusOptions& options) {
  using Mismatch = cuda::RecordedProgram::Mismatch;
  const RecordedName name = name_of_recording(spec);
  auto stimulus = std::make_unique<cuda::RecordedStimulus>(name.path, options.loose_replay ? Mismatch::count : Mismatch::stop);
  stimulus->device().use(options.device);
  if (name.kernels) stimulus->choose(KernelChoice(spec, *name.kernels), name.warm);
  return stimulus;
}

void check_recording(const std::string& spec) {
  const RecordedName name = name_of_recording(spec);
  if (name.kernels) return cuda::require_kernels(name.path, KernelChoice(spec, *name.kernels));
  cuda::RecordingReader(name.path);
}

/// For a whole trace the list counts too; for a selection only its kernels count, however it names them.
std::string hash_of(const std::string& spec, const traces::TraceList& list, const std::vector<std::string>& kernels) {
  const bool is_single_kernel = list.path == list.kernels.front().path;
  const auto of_list = [&] { return is_single_kernel ? kernels.front() : fingerprint_of_file(list.path); };
  const RecordedName trace = split_recorded(spec);
  std::string digest = trace.kernels ? std::to_string(list.warm_up) : of_list();
  if (!trace.limit.empty()) digest += "limit " + trace.limit + ' ';
  for (const std::string& kernel : kernels) digest += kernel;
  return hash_text(digest);
}

/// Hashes the file and the selection that runs.
std::string hash_of_recording(const std::string& spec) {
  const RecordedName name = split_recorded(spec);
  const std::string fingerprint = fingerprint_once(name.path);
  return name.selection.empty() ? fingerprint : hash_text(fingerprint + name.selection);
}

/// Hashes the launch file, its modules and its elements.
std::string hash_of_launches(const std::string& spec) {
  std::string digest;
  for (const std::string& file : read_launch_file(spec).files) digest += fingerprint_once(file);
  return hash_text(digest + split_recorded(spec).limit);
}

/// Also refuses files that are not traces, and names their kind.
traces::TraceList kernels_of_trace(const std::string& spec) {
  expect_path(split_recorded(spec).path, PathKind::trace);
  return traces::kernels_of(spec);
}

}  // namespace

std::unique_ptr<Stimulus> open_named_stimulus(const std::string& spec, std::uint64_t seed, const StimulusOptions& options) {
  if (traces::is_trace(spec)) return std::make_unique<traces::TraceStimulus>(kernels_of_trace(spec), options.traces);
  if (cuda::is_recording(spec)) return open_recording(spec, options);
  if (ptx::is_launch_file(spec)) return std::make_unique<ptx::LaunchStimulus>(read_launch_file(spec), options.device.program);
  if (const Synthetic* one = find_synthetic(spec)) return one->make(arguments_of(*one, spec), seed);
  return make_stimulus(spec, seed);
}

void check_stimulus(const std::string& spec) {
  if (spec.rfind(kProgramPrefix, 0) == 0)
    throw InputError(spec + ": is a program, which only `wharf cuda` runs; record it with `wharf cuda --record FILE` and use cuda:FILE");
  if (traces::is_trace(spec)) {
    kernels_of_trace(spec);
  } else if (cuda::is_recording(spec)) {
    check_recording(spec);
  } else if (ptx::is_launch_file(spec)) {
    read_launch_file(spec);
  } else if (const Synthetic* one = find_synthetic(spec)) {
    one->check(arguments_of(*one, spec));
  } else {
    wharf::check_stimulus(spec);
  }
}

std::uint64_t limit_of_stimulus(const std::string& spec) {
  if (is_recorded_name(spec)) return limit_of_recorded(spec);
  return find_synthetic(spec) != nullptr ? kNever : limit_warp_instructions(spec);
}

std::string limited_stimulus(const std::string& spec, std::uint64_t warp_instructions) {
  if (find_synthetic(spec) != nullptr) throw InputError(spec + ": has no limit; give it fewer instructions");
  return is_recorded_name(spec) ? recorded_with_limit(spec, warp_instructions) : with_limit(spec, warp_instructions);
}

std::string workload_of(const std::string& spec) {
  if (is_recorded_name(spec) && !traces::is_trace(spec)) return std::filesystem::path(split_recorded(spec).path).stem().string();
  return traces::is_trace(spec) ? traces::workload_of_trace(spec) : spec.substr(0, spec.find_first_of("@:"));
}

std::vector<std::pair<std::string, std::string>> stimulus_names() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const WorkloadInfo& workload : list_stimuli()) names.emplace_back(workload.name, workload.help);
  for (const Synthetic& one : kSynthetics) names.emplace_back(one.name, one.help);
  const std::string selection = "[:KERNELS[:warm]][:limit_warp_instructions=N]";
  names.emplace_back("trace", "a recorded trace or some of its kernels: trace:PATH" + selection + ", docs/howto-traces.md");
  names.emplace_back("cuda", "a recorded CUDA program or some of its kernels: cuda:FILE" + selection + ", docs/howto-cuda.md");
  names.emplace_back("ptx",
                     "kernels of PTX without a host program: ptx:FILE.yaml[:MODULE.ptx][:limit_warp_instructions=N], docs/howto-cuda.md");
  return names;
}

std::vector<Suite> all_suites() { return load_suites(project_root() / "stimuli" / "suites.yaml"); }

std::vector<std::string> stimuli_of_suite(const std::string& name) {
  const std::vector<Suite> suites = all_suites();
  const Suite& suite = find_suite(suites, name);
  check_workloads(suite, check_stimulus);
  return suite.workloads();
}

std::size_t warm_up_of(const Stimulus& stimulus) {
  if (const auto* program = dynamic_cast<const cuda::CudaStimulus*>(&stimulus)) return program->warm_up();
  const auto* trace = dynamic_cast<const traces::TraceStimulus*>(&stimulus);
  return trace == nullptr ? 0 : trace->warm_up();
}

std::string hash_of_recorded(const std::string& spec) {
  if (cuda::is_recording(spec)) return hash_of_recording(spec);
  if (ptx::is_launch_file(spec)) return hash_of_launches(spec);
  const traces::TraceList list = traces::kernels_of(spec);
  std::vector<std::string> kernels;
  for (const traces::ListedKernel& kernel : list.kernels) kernels.push_back(fingerprint_once(kernel.path));
  return hash_of(spec, list, kernels);
}

std::string hash_of_recorded(const std::string& spec, const Stimulus& ran) {
  const auto* trace = dynamic_cast<const traces::TraceStimulus*>(&ran);
  // A sample has read some kernels only.
  const bool is_whole = trace != nullptr && trace->list().kernels.size() == traces::kernels_of(spec).kernels.size();
  return is_whole ? hash_of(spec, trace->list(), trace->kernel_fingerprints()) : hash_of_recorded(spec);
}

}  // namespace wharf::cli
