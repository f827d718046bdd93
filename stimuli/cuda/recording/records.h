#pragma once
// The commands of a CUDA program to the device: one layout for the socket between the program's runtime library and Wharf, and for
// recordings (CU-15). A record is its kind, the length of its body, and the body's fields in the order of fields().
//
// On the socket every record is answered by a Reply, and host data do not travel: the program has put them into the shared memory already.
// A recording holds the data, and no queries.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stimuli/cuda/recording/byte_fields.h"

namespace wharf::cuda {

/// Version of the layouts below; both ends of a socket and a recording's reader must agree.
constexpr std::uint32_t kRecordVersion = 1;
/// Longest body of a record. A module's text is the longest that occurs.
constexpr std::uint64_t kLongestRecord = std::uint64_t{256} << 20;
/// Data of one host write; longer writes are several records.
constexpr std::uint64_t kLongestWrite = std::uint64_t{8} << 20;

/// The device's addresses, mapped at the same place in both processes (CU-14): first allocations, then what modules define. The range lies
/// outside what Linux uses for programs, libraries and heaps, and outside the shadow of AddressSanitizer.
constexpr std::uint64_t kMemoryBase = 0x2000'0000'0000;
constexpr std::uint64_t kAllocationSpan = std::uint64_t{1} << 39;
constexpr std::uint64_t kModuleBase = kMemoryBase + kAllocationSpan;
constexpr std::uint64_t kModuleSpan = std::uint64_t{1} << 36;
constexpr std::uint64_t kMemorySpan = kAllocationSpan + kModuleSpan;

enum class RecordKind : std::uint32_t {
  module = 1,
  function,
  variable,
  texture,
  allocate,
  release,
  write,
  fill,
  copy,
  read,
  launch,
  bind_texture,
  unbind_texture,
  limit,
  region,
  statistics,
  end,
  launch_attributes,
  launch_size,
  cooperative_launch,
  launch_error,
  refused_launch,
  // Queries, on the socket only.
  hello = 100,
  kernel_query,
  variable_query,
  time_query,
  managed_query,
};

struct RecordHeader {
  RecordKind kind;
  std::uint32_t zero = 0;
  std::uint64_t body_bytes = 0;
};

/// PTX of one translation unit.
struct PtxText {
  std::string path;   // of the .cu file; empty where unknown
  std::string flags;  // compiler and options; empty where unknown
  std::string text;
  template <class F>
  void fields(F& f) {
    f(path, flags, text);
  }
};

/// A module: what __cudaRegisterFatBinary was given. On the socket `image` holds its bytes; in a recording `ptx` holds the chosen texts.
struct ModuleRecord {
  std::uint32_t module = 0;  // numbered from 0 in order of registration
  std::string image;
  std::vector<PtxText> ptx;
  template <class F>
  void fields(F& f) {
    f(module, image, ptx);
  }
};

struct FunctionRecord {
  std::uint32_t module = 0;
  std::string name;
  template <class F>
  void fields(F& f) {
    f(module, name);
  }
};

struct VariableRecord {
  std::uint32_t module = 0;
  std::string name;
  std::uint64_t bytes = 0;
  bool constant = false;
  bool external = false;
  template <class F>
  void fields(F& f) {
    f(module, name, bytes, constant, external);
  }
};

/// A texture reference.
struct TextureRecord {
  std::uint32_t module = 0;
  std::string name;
  std::uint32_t dimensions = 1;
  bool normalised_read = false;  // integers are read as normalised floats
  template <class F>
  void fields(F& f) {
    f(module, name, dimensions, normalised_read);
  }
};

enum class AllocationKind : std::uint32_t { device, pinned, managed, array };

struct AllocateRecord {
  std::uint64_t number = 0;  // of the allocation, from 1 in order of calls
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  // as requested, at least 1
  AllocationKind kind = AllocationKind::device;
  template <class F>
  void fields(F& f) {
    f(number, address, bytes, kind);
  }
};

struct ReleaseRecord {
  std::uint64_t address = 0;
  template <class F>
  void fields(F& f) {
    f(address);
  }
};

/// The host has written `bytes` bytes. `data` is empty on the socket; else it stays where it was packed from, or in the record's bytes.
struct WriteRecord {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string_view data;
  template <class F>
  void fields(F& f) {
    f(address, bytes, data);
  }
};

struct FillRecord {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint8_t value = 0;
  template <class F>
  void fields(F& f) {
    f(address, bytes, value);
  }
};

struct CopyRecord {
  std::uint64_t to = 0;
  std::uint64_t from = 0;
  std::uint64_t bytes = 0;
  template <class F>
  void fields(F& f) {
    f(to, from, bytes);
  }
};

/// The host has read. A recording keeps a hash of what it read.
struct ReadRecord {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
  template <class F>
  void fields(F& f) {
    f(address, bytes, hash);
  }
};

/// The class of lines that an access-policy window asks for. Numbers are the API's.
enum class AccessProperty : std::uint32_t { normal, streaming, persisting };

/// What the launch that follows has beyond grid and block. Sent only where something differs from the defaults below.
struct LaunchAttributesRecord {
  std::uint32_t cluster[3] = {1, 1, 1};  // CTAs of a thread-block cluster
  std::uint64_t window_base = 0, window_bytes = 0;
  float hit_ratio = 0;  // 0 to 1
  AccessProperty on_hit = AccessProperty::normal, on_miss = AccessProperty::normal;
  std::uint64_t persisting_limit = 0;  // bytes of L2 that persisting lines may occupy
  bool resets_persisting = false;      // persisting lines become normal before the launch
  template <class F>
  void fields(F& f) {
    f(cluster[0], cluster[1], cluster[2], window_base, window_bytes, hit_ratio, on_hit, on_miss, persisting_limit, resets_persisting);
  }
  bool has_cluster() const { return cluster[0] != 1 || cluster[1] != 1 || cluster[2] != 1; }
  /// True where a launch behaves otherwise than without the record.
  bool acts() const { return has_cluster() || window_bytes != 0 || persisting_limit != 0 || resets_persisting; }
};

/// The launch that follows is cooperative: its CTAs run at a time.
struct CooperativeLaunchRecord {
  template <class F>
  void fields(F&) {}
};

/// How long the launch that follows was. In a recording only.
struct LaunchSizeRecord {
  std::uint64_t warp_instructions = 0;
  template <class F>
  void fields(F& f) {
    f(warp_instructions);
  }
};

/// The launch that follows failed. In a recording only.
struct LaunchErrorRecord {
  std::uint32_t error = 0;  // a cudaError
  template <class F>
  void fields(F& f) {
    f(error);
  }
};

/// A launch that the API has refused: nothing ran.
struct RefusedLaunchRecord {
  std::string kernel;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint64_t shared_bytes = 0;  // dynamic
  std::string reason;              // what cudaGetErrorString() says
  template <class F>
  void fields(F& f) {
    f(kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, reason);
  }
};

struct LaunchRecord {
  std::uint32_t module = 0;
  std::string kernel;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;  // dynamic
  std::uint64_t stream = 0;        // 0 is the default stream
  std::string arguments;           // the parameter block, at the offsets of the kernel's .param list
  // Not fields: what the records before say, which CommandInterpreter::check() adds.
  LaunchAttributesRecord attributes;
  std::uint64_t warp_instructions = 0;  // 0: not on record
  bool cooperative = false;
  std::uint32_t error = 0;  // a cudaError; 0: the launch succeeded, or runs now
  template <class F>
  void fields(F& f) {
    f(module, kernel, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, stream, arguments);
  }
};

enum class TextureShape : std::uint32_t { linear, pitched, array };

/// What a texture object or reference reads, and how. Numbers of modes are those of the runtime API.
struct TextureView {
  TextureShape shape = TextureShape::linear;
  std::uint64_t address = 0;
  std::uint64_t width = 0, height = 0, depth = 0;  // in texels; 0 for a dimension that is not there
  std::uint64_t pitch = 0;                         // bytes from row to row
  std::uint32_t layered = 0;                       // depth counts layers
  std::uint32_t channel_bits[4] = {};
  std::uint32_t channel_kind = 0;      // signed, unsigned, float
  std::uint32_t address_mode[3] = {};  // wrap, clamp, mirror, border
  std::uint32_t filter = 0;            // point, linear
  std::uint32_t normalised_read = 0;
  std::uint32_t normalised_coordinates = 0;
  float border[4] = {};
  template <class F>
  void fields(F& f) {
    f(shape, address, width, height, depth, pitch, layered, channel_bits[0], channel_bits[1], channel_bits[2], channel_bits[3],
      channel_kind);
    f(address_mode[0], address_mode[1], address_mode[2], filter, normalised_read, normalised_coordinates);
    f(border[0], border[1], border[2], border[3]);
  }
};

/// A texture object is created (`object` is not 0), or the reference `name` of `module` is bound.
struct BindTextureRecord {
  std::uint64_t object = 0;
  std::uint32_t module = 0;
  std::string name;
  TextureView view;
  template <class F>
  void fields(F& f) {
    f(object, module, name, view);
  }
};

struct UnbindTextureRecord {
  std::uint64_t object = 0;
  std::uint32_t module = 0;
  std::string name;
  template <class F>
  void fields(F& f) {
    f(object, module, name);
  }
};

/// cudaDeviceSetLimit; `limit` is the API's number.
struct LimitRecord {
  std::uint32_t limit = 0;
  std::uint64_t value = 0;
  template <class F>
  void fields(F& f) {
    f(limit, value);
  }
};

/// cudaProfilerStart and cudaProfilerStop (CU-18).
struct RegionRecord {
  bool open = false;
  template <class F>
  void fields(F& f) {
    f(open);
  }
};

struct CallCount {
  std::string function;
  std::uint64_t calls = 0;
  template <class F>
  void fields(F& f) {
    f(function, calls);
  }
};

/// How often the program has called each function of the API.
struct StatisticsRecord {
  std::vector<CallCount> calls;
  template <class F>
  void fields(F& f) {
    f(calls);
  }
};

/// The program's last module is gone: the stream is complete.
struct EndRecord {
  template <class F>
  void fields(F&) {}
};

}  // namespace wharf::cuda
