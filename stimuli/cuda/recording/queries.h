#pragma once
// Questions of the runtime library and their answers, on the socket only.

#include <cstdint>
#include <string>
#include <vector>

#include "stimuli/cuda/recording/byte_fields.h"

namespace wharf::cuda {

/// The environment variable by which the library finds its socket and the memory object: two descriptors, `SOCKET,MEMORY`.
constexpr const char* kChannelVariable = "WHARF_CUDA_CHANNEL";

struct Hello {
  std::uint32_t version = 0;
  std::uint64_t process = 0;
  template <class F>
  void fields(F& f) {
    f(version, process);
  }
};

/// What programs may ask about the device (CU-23).
struct DeviceDescription {
  std::string name = "Wharf";
  std::uint32_t compute_major = 7, compute_minor = 0;
  std::uint32_t sms = 80;
  std::uint32_t clock_khz = 1'400'000;
  std::uint32_t threads_per_sm = 2048, ctas_per_sm = 32, threads_per_cta = 1024;
  std::uint32_t registers_per_sm = 65536, registers_per_cta = 65536;
  std::uint64_t shared_bytes_per_sm = 96 << 10;
  std::uint64_t shared_bytes_per_cta = 48 << 10;        // without cudaFuncSetAttribute
  std::uint64_t shared_bytes_per_cta_optin = 96 << 10;  // with it
  std::uint64_t shared_bytes_reserved = 0;              // beside the shared memory of a CTA
  std::uint64_t l2_bytes = 6 << 20;
  std::uint64_t persisting_l2_bytes = 0;   // most that persisting lines may occupy
  std::uint64_t largest_window_bytes = 0;  // of an access-policy window; 0: the device has none
  std::uint32_t memory_bus_bits = 4096, memory_clock_khz = 850'000;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::vector<std::uint32_t> gpc_sms;  // SMs of each GPC, within which a thread-block cluster runs; none: the device has no clusters
  std::uint32_t largest_cluster = 0;   // CTAs
  bool packs_clusters = false;         // CTAs of one cluster may share an SM
  template <class F>
  void fields(F& f) {
    f(name, compute_major, compute_minor, sms, clock_khz, threads_per_sm, ctas_per_sm, threads_per_cta, registers_per_sm,
      registers_per_cta);
    f(shared_bytes_per_sm, shared_bytes_per_cta, shared_bytes_per_cta_optin, shared_bytes_reserved, l2_bytes, memory_bus_bits,
      memory_clock_khz, memory_bytes);
    f(persisting_l2_bytes, largest_window_bytes, gpc_sms, largest_cluster, packs_clusters);
  }
};

struct KernelParameter {
  std::uint32_t offset = 0, bytes = 0;  // in the parameter block
  template <class F>
  void fields(F& f) {
    f(offset, bytes);
  }
};

/// Asked with a FunctionRecord.
struct KernelDescription {
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;  // of the whole block
  std::uint32_t registers = 16;       // per thread
  std::uint32_t threads_per_cta = 1024;
  std::uint32_t static_shared_bytes = 0, constant_bytes = 0, local_bytes = 0;
  std::uint32_t virtual_architecture = 0;  // of the PTX: 80 for compute_80
  std::uint32_t required_cluster[3] = {};  // CTAs, by __cluster_dims__; 0: any
  template <class F>
  void fields(F& f) {
    f(parameters, parameter_bytes, registers, threads_per_cta, static_shared_bytes, constant_bytes, local_bytes, virtual_architecture);
    f(required_cluster[0], required_cluster[1], required_cluster[2]);
  }
};

/// Asked with a VariableRecord, by a variable_query, or by a managed_query, after which the host's own code accesses the variable too.
struct VariablePlace {
  std::uint64_t address = 0, bytes = 0;
  template <class F>
  void fields(F& f) {
    f(address, bytes);
  }
};

struct SimulatedTime {
  double seconds = 0;  // since the program's start
  template <class F>
  void fields(F& f) {
    f(seconds);
  }
};

/// The answer to a record.
struct Reply {
  std::int32_t error = 0;  // a cudaError, which the call returns
  bool stop = false;       // the program must end with exit code 2; `message` says why
  std::string message;
  std::string printed;  // what the kernel has printed
  std::string answer;   // to a query: its packed struct
  template <class F>
  void fields(F& f) {
    f(error, stop, message, printed, answer);
  }
};

}  // namespace wharf::cuda
