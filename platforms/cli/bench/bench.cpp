#include "platforms/cli/bench/bench.h"

#include <sstream>
#include <string_view>
#include <systemc>

#include "model/base/error.h"
#include "model/rtl/catalogue.h"
#include "platforms/cli/bench/bench_hierarchy.h"
#include "platforms/cli/firmware.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/results/run_output.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "platforms/simulation.h"
#include "platforms/virtual/riscv_core.h"
#include "platforms/virtual/virtual_platform.h"
#include "stimuli/functional_run.h"
#include "stimuli/recorded_names.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace {

/// Two methods that wake each other: the cheapest activity of a SystemC model, and thus a measure of the host.
class PingPong : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(PingPong);
  explicit PingPong(const sc_core::sc_module_name& name) : sc_module(name), step_(1, sc_core::SC_NS) {
    SC_METHOD(ping);
    sensitive << ping_event_;
    dont_initialize();
    SC_METHOD(pong);
    sensitive << pong_event_;
    dont_initialize();
  }
  void start() { ping_event_.notify(step_); }
  std::uint64_t activations() const { return activations_; }

 private:
  void ping() { ++activations_, pong_event_.notify(step_); }
  void pong() { ++activations_, ping_event_.notify(step_); }

  sc_core::sc_time step_;
  sc_core::sc_event ping_event_, pong_event_;
  std::uint64_t activations_ = 0;
};

/// Recorded stimuli are measured from their opening on, because a run pays for reading them. For other stimuli only the simulation is
/// measured.
Json measure_run(const BenchPart& part, const std::string& stimulus_name) {
  const Configuration configuration = load_configuration(part.configuration, part.settings, "");
  const double opening = process_cpu_seconds();
  const std::unique_ptr<Stimulus> stimulus = open_named_stimulus(stimulus_name, 1);
  RunOptions options;
  if (part.counted == nullptr) options.limit_cycles = 1;
  Simulation simulation(configuration.params, *stimulus, options);
  const double built = process_cpu_seconds();
  simulation.run();
  if (part.counted == nullptr) return {{"simulated_at_s", wall_seconds()}};
  const double end = process_cpu_seconds(), seconds = end - (is_recorded_name(stimulus_name) ? opening : built);
  const Json result = result_json(Json(), measurement_of(simulation, ""), Json()), &run = result["run"];
  if (!run.contains(part.counted)) throw SimulationError(std::string("the platform does not count ") + part.counted);
  return {
      {"rate", run[part.counted].get<double>() / seconds}, {"rss_mb", peak_rss_mb()}, {"build_s", built - opening}, {"run_s", end - built}};
}

/// A stimulus without a machine.
Json measure_execution(const BenchPart& part) {
  const std::unique_ptr<Stimulus> stimulus = open_named_stimulus(part.stimulus, 1);
  const double begin = process_cpu_seconds();
  const FunctionalRun run = run_functionally(*stimulus, [](const FunctionalRun&) { return true; });
  return {{"rate", static_cast<double>(run.warp_instructions) / (process_cpu_seconds() - begin)}, {"rss_mb", peak_rss_mb()}};
}

/// A recording of tests/data/cuda.
std::string recording(const char* name) {
  return as_named_in(project_root() / "tests" / "data" / "cuda", std::string("cuda:") + name + ".wcr");
}

/// Recorded CUDA programs: the cost of executing their instructions without a machine, and each program on a machine next to its own
/// exported trace.
void add_programs(std::vector<BenchPart>& parts) {
  for (const char* name : {"arithmetic", "loads"})
    parts.push_back({std::string("ptx_") + name, nullptr, recording(name), "warp_instructions",
                     std::string("ptx_") + name + "_warp_instructions_per_s"});
  for (const char* name : {"stencil", "vector_addition_1m"}) {
    BenchPart trace;
    trace.name = std::string("exported_") + name;
    trace.configuration = "private";
    trace.stimulus = recording(name);
    trace.counted = "warp_instructions";
    trace.key = trace.name + "_warp_instructions_per_s";
    trace.trace = name;
    trace.packed = true;
    BenchPart program = trace;
    program.name = std::string("cuda_") + name;
    program.key = program.name + "_warp_instructions_per_s";
    program.trace = nullptr;
    program.plain = parts.emplace_back(trace).key;
    parts.push_back(program);
  }
}

/// The reference traces and three exported stimuli, on the machine of the reference: each as text, and packed.
void add_traces(std::vector<BenchPart>& parts) {
  constexpr struct {
    const char* name;
    const char* stimulus;  // "": the folder is one of tests/data/accelsim/traces
  } kTraces[] = {{"bfs", ""},
                 {"gemm", ""},
                 {"gesummv", ""},
                 {"spmv", ""},
                 {"vectoradd", ""},
                 {"matrixmul", "matrixmul@tiny"},
                 {"reduction", "reduction@tiny"},
                 {"histogram64", "histogram64@tiny"}};
  for (const auto& trace : kTraces) {
    for (const bool packed : {false, true}) {
      BenchPart part;
      part.name = std::string(packed ? "packed_" : "trace_") + trace.name;
      part.configuration = "gpus/volta_qv100";
      part.stimulus = trace.stimulus;
      part.counted = "warp_instructions";
      part.key = part.name + "_warp_instructions_per_s";
      part.trace = trace.name;
      part.packed = packed;
      parts.push_back(part);
    }
  }
}

/// The traces of a folder, which are run where they are.
void add_traces_in(const std::string& folder, std::vector<BenchPart>& parts) {
  const std::vector<std::string> traces = traces::traces_in(folder), names = short_names(traces);
  for (std::size_t i = 0; i < traces.size(); ++i)
    parts.push_back(
        {"given_" + names[i], "gpus/volta_qv100", traces[i], "warp_instructions", "given_" + names[i] + "_warp_instructions_per_s"});
}

Json measure_firmware(const BenchPart& part) {
  const std::filesystem::path file = firmware_file(part.firmware);
  const vp::Elf firmware(file.string(), read_file(file));
  std::ostringstream uart;
  vp::VirtualPlatform platform(load_configuration(part.configuration, {"data=bytes"}, "").params, firmware, {}, {}, uart);
  const double begin = process_cpu_seconds();
  platform.run();
  if (platform.exit_code() != 0) throw SimulationError("the firmware of " + part.name + " failed: " + uart.str());
  if (part.counted == nullptr) return {{"simulated_at_s", wall_seconds()}};
  const bool kernels = std::string_view(part.counted) == "kernels";
  const double done = static_cast<double>(kernels ? platform.gpu().kernels().size() : platform.instructions());
  return {{"rate", done / (process_cpu_seconds() - begin)}};
}

}  // namespace

double kernel_activations_per_second() {
  constexpr int kActivations = 2'000'000;
  PingPong bench("ping_pong");
  bench.start();
  const double begin = process_cpu_seconds();
  sc_core::sc_start(sc_core::sc_time(kActivations, sc_core::SC_NS));
  return static_cast<double>(bench.activations()) / (process_cpu_seconds() - begin);
}

double hierarchy_transactions_per_second(const char* configuration) {
  LineMix mix;
  mix.transactions = 40'000;  // one to two seconds
  HierarchyBench bench(load_configuration(configuration, {}, "").params, mix);
  const double begin = process_cpu_seconds();
  bench.run();
  return static_cast<double>(bench.transactions()) / (process_cpu_seconds() - begin);
}

std::vector<BenchPart> bench_parts(const std::string& traces) {
  // 80 SMs, 28 on the mesh, 132 on Hopper; sizes for one to three seconds each. Every load reads one whole line.
  std::vector<BenchPart> parts = {
      {"kernel", nullptr, "", nullptr, "kernel_activations_per_s"},
      {"startup", "private", "synthetic:loads=50", nullptr, "startup_s"},
      {"hierarchy", "private", "", nullptr, "hierarchy_transactions_per_s"},
      {"diverged", "private", "synthetic:loads=100,lines=32,warps=1,ctas=80,instructions=800", "l1.load.accesses",
       "diverged_transactions_per_s"},
      {"private_10pct", "private", "synthetic:loads=10,instructions=3000", "warp_instructions", "private_10pct_warp_instructions_per_s"},
      {"private_50pct", "private", "synthetic:loads=50,instructions=800", "warp_instructions", "private_50pct_warp_instructions_per_s"},
      {"hopper_50pct", "gpus/hopper_h100", "synthetic:loads=50,instructions=150", "warp_instructions",
       "hopper_50pct_warp_instructions_per_s"},
      {"mesh_50pct", "gpus/28sm_mesh", "synthetic:loads=50,instructions=2000", "warp_instructions", "mesh_50pct_warp_instructions_per_s"},
      {"remote_sharing_50pct", "remote_sharing", "synthetic:loads=50,instructions=2000", "warp_instructions",
       "remote_sharing_50pct_warp_instructions_per_s"},
      {"shared_l1_50pct", "shared_l1", "synthetic:loads=50,instructions=2000", "warp_instructions",
       "shared_l1_50pct_warp_instructions_per_s"},
      {"dc_l1_50pct", "dc_l1", "synthetic:loads=50,instructions=800", "warp_instructions", "dc_l1_50pct_warp_instructions_per_s"},
      {"ata_50pct", "ata", "synthetic:loads=50,instructions=800", "warp_instructions", "ata_50pct_warp_instructions_per_s"},
      {"loscache_50pct", "loscache", "synthetic:loads=50,instructions=2000", "warp_instructions", "loscache_50pct_warp_instructions_per_s"},
      {"morpheus_50pct", "morpheus", "synthetic:loads=50,instructions=400", "warp_instructions", "morpheus_50pct_warp_instructions_per_s"},
      {"compute", "private", "synthetic:loads=0,instructions=15000", "warp_instructions", "compute_warp_instructions_per_s"},
      {"gemm", "private", "gemm:ni=512,nj=512,nk=64,lda=512", "warp_instructions", "gemm_std_warp_instructions_per_s"},
      {"cluster_gemm", "cluster/h100", "cluster_gemm:m=512,n=512", "warp_instructions", "cluster_gemm_warp_instructions_per_s"},
      {"atax@std", "private", "atax@std", "warp_instructions", "atax_std_warp_instructions_per_s"}};
  add_traces(parts);
  if (!traces.empty()) add_traces_in(traces, parts);
  add_programs(parts);
  if (vp::RiscvCore::is_built() && has_firmware()) {
    parts.push_back({"virtual_host", "private", "", "instructions", "virtual_host_instructions_per_s", {}, "", "host_loop"});
    parts.push_back({"virtual_launches", "private", "", "kernels", "virtual_launches_per_s", {}, "", "launches"});
    parts.push_back({"virtual_platform", "private", "", nullptr, "virtual_platform_demo_s", {}, "", "demo"});
  }
  if (!rtl::is_built()) return parts;
  parts.push_back({"rtl_in_loop",
                   "morpheus",
                   "synthetic:loads=50,instructions=400",
                   "warp_instructions",
                   "rtl_in_loop_warp_instructions_per_s",
                   {"morpheus.hit_predictor=bloom_rtl"},
                   "morpheus_50pct_warp_instructions_per_s"});
  parts.push_back({"rtl_islip",
                   "private",
                   "synthetic:loads=50,instructions=800",
                   "warp_instructions",
                   "rtl_islip_warp_instructions_per_s",
                   {"network.crossbar.arbitration=islip_rtl"},
                   "private_50pct_warp_instructions_per_s"});
  parts.push_back({"rtl_tag_array",
                   "ata",
                   "synthetic:loads=50,instructions=800",
                   "warp_instructions",
                   "rtl_tag_array_warp_instructions_per_s",
                   {"ata.tag_array=rtl"},
                   "ata_50pct_warp_instructions_per_s"});
  return parts;
}

std::filesystem::path trace_folder_of(const BenchPart& part, const std::filesystem::path& out) {
  return out / "bench_traces" / (part.packed ? "packed" : "text") / part.trace;
}

Json measure_part(const BenchPart& part, const std::filesystem::path& out) {
  if (part.trace != nullptr) return measure_run(part, traces::kPrefix + trace_folder_of(part, out).string());
  if (part.firmware != nullptr) return measure_firmware(part);
  if (!part.stimulus.empty()) return part.configuration == nullptr ? measure_execution(part) : measure_run(part, part.stimulus);
  if (part.configuration != nullptr) return {{"rate", hierarchy_transactions_per_second(part.configuration)}};
  return {{"rate", kernel_activations_per_second()}};
}

}  // namespace wharf::cli
