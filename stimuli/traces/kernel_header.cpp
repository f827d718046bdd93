#include "stimuli/traces/kernel_header.h"

#include <string_view>

#include "model/base/cluster_member.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/opcode_table.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace {

// Limits of the programming model; a larger value indicates a damaged file.
constexpr std::uint64_t kLargestGridX = 0x7FFFFFFF, kLargestGridYz = 65535;
constexpr std::uint64_t kLargestBlock = 1024, kLargestBlockZ = 64;
constexpr std::uint64_t kLargestShared = 16 << 20;  // the window of shared addresses
constexpr std::uint64_t kLargestRegisters = 256;
constexpr std::uint64_t kLargestVersion = 100000;
constexpr unsigned kNewestTracer = 6;

class HeaderReader {
 public:
  HeaderReader(LineSource& source, WarningLog& warnings) : source_(source), warnings_(warnings) {}

  KernelHeader read() {
    std::string_view line;
    bool ended = false, any = false;
    while (!ended && source_.next(line)) {
      line = trimmed(line);
      ended = line.substr(0, 14) == "#traces format";
      if (line.empty() || line.front() == '#') {
        source_.skip_line();
        continue;
      }
      if (line.front() != '-')
        fail("expected a header line '-key = value', found " + quoted(line), "this is not a kernel trace, or it is damaged");
      any = true;
      read_key(line.substr(1));
    }
    if (!any) fail("no kernel header: the file holds no trace", "record the kernel again or delete its line from kernelslist.g");
    if (!ended) fail("the file ends inside the kernel header", kRecordAgain);
    check_complete();
    return header_;
  }

 private:
  enum Key : unsigned {
    name,
    id,
    grid,
    block,
    shmem,
    nregs,
    binary,
    stream,
    shared_base,
    local_base,
    tool,
    tracer,
    lineinfo,
    cluster,
    kKeys
  };
  static constexpr std::string_view kKeyNames[kKeys] = {
      "kernel name",     "kernel id",      "grid dim",        "block dim",           "shmem",         "nregs",
      "binary version",  "cuda stream id", "shmem base_addr", "local mem base_addr", "nvbit version", "accelsim tracer version",
      "enable lineinfo", "cluster dim"};
  static constexpr bool kRequired[kKeys] = {true, false, true, true, true, true, true, false, false, false, false, true, false, false};

  [[noreturn]] void fail(const std::string& text, const std::string& remedy) const {
    throw TraceError(source_.name(), source_.line_number(), text, remedy);
  }
  [[noreturn]] void malformed(std::string_view expected) const {
    fail("header field '" + std::string(kKeyNames[key_]) + "' is " + quoted(value_) + ", expected " + std::string(expected),
         "correct the line or record the kernel again");
  }

  void read_key(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) fail("header line " + quoted(text) + " has no '='", "write '-key = value'");
    const std::string_view key = trimmed(text.substr(0, equals));
    value_ = trimmed(text.substr(equals + 1));
    for (unsigned i = 0; i < kKeys; ++i) {
      if (kKeyNames[i] != key) continue;
      if (seen_[i]) fail("header field " + quoted(key) + " appears twice", "delete one of the lines");
      seen_[i] = true;
      key_ = static_cast<Key>(i);
      store();
      return;
    }
    source_.skip_line();
    warnings_.warn("unknown header field " + quoted(key) + ", ignored", source_.name(), source_.line_number());
  }

  void store() {
    switch (key_) {
      case name:
        if (value_.empty()) malformed("a name");
        header_.name = value_;
        break;
      case id:
        header_.id = number(~std::uint64_t{0});
        break;
      case grid:
        header_.grid = dimensions(kLargestGridX, kLargestGridYz, kLargestGridYz);
        break;
      case block:
        header_.block = dimensions(kLargestBlock, kLargestBlock, kLargestBlockZ);
        if (header_.block.count() > kLargestBlock) malformed("at most 1024 threads");
        break;
      case shmem:
        header_.shared_bytes = static_cast<std::uint32_t>(number(kLargestShared));
        break;
      case nregs:
        header_.registers_per_thread = static_cast<std::uint32_t>(number(kLargestRegisters));
        break;
      case binary:
        store_binary_version();
        break;
      case stream:
        header_.stream = number(~std::uint64_t{0});
        break;
      case shared_base:
        header_.shared_base = address();
        break;
      case local_base:
        header_.local_base = address();
        break;
      case tool:
        header_.tool_version = value_;
        break;
      case tracer:
        store_tracer_version();
        break;
      case lineinfo:
        header_.line_numbers = number(1) == 1;
        break;
      case cluster:
        header_.cluster = dimensions(kMostClusterCtas, kMostClusterCtas, kMostClusterCtas);
        header_.says_cluster = true;
        break;
      case kKeys:
        break;
    }
  }

  void store_binary_version() {
    header_.binary_version = static_cast<std::uint32_t>(number(kLargestVersion));
    if (header_.binary_version > newest_binary_version()) {
      warnings_.warn("binary version " + std::to_string(header_.binary_version) + " is newer than every opcode table, that of " +
                         std::to_string(newest_binary_version()) + " is used",
                     source_.name(), source_.line_number());
    }
  }

  // Only the number before a point counts: "1.2" is version 1.
  void store_tracer_version() {
    value_ = value_.substr(0, value_.find('.'));
    header_.tracer_version = static_cast<std::uint32_t>(number(kLargestVersion));
    if (header_.tracer_version > kNewestTracer) {
      warnings_.warn("accelsim tracer version " + std::to_string(header_.tracer_version) + " is newer than 6, read as 6", source_.name(),
                     source_.line_number());
    }
  }

  std::uint64_t number(std::uint64_t limit) const {
    std::uint64_t value = 0;
    TextCursor cursor(value_);
    if (!cursor.parse_unsigned(value, limit) || !cursor.done()) malformed("a number from 0 to " + std::to_string(limit));
    return value;
  }

  Address address() const {
    Address value = 0;
    bool prefixed = false;
    TextCursor cursor(value_);
    if (!cursor.parse_address(value, prefixed) || !cursor.done()) malformed("an address such as 0x7f0000000000");
    return value;
  }

  Dim3 dimensions(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    Dim3 dim;
    if (!parse_triple(value_, dim)) malformed("(x,y,z)");
    if (dim.x == 0 || dim.y == 0 || dim.z == 0 || dim.x > x || dim.y > y || dim.z > z) {
      malformed("three numbers from 1 to " + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z));
    }
    return dim;
  }

  static bool parse_triple(std::string_view text, Dim3& dim) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
    return parse_dim3(text.substr(1, text.size() - 2), dim);
  }

  void check_complete() const {
    for (unsigned i = 0; i < kKeys; ++i) {
      if (kRequired[i] && !seen_[i]) {
        fail("header field '" + std::string(kKeyNames[i]) + "' is missing",
             "add '-" + std::string(kKeyNames[i]) + " = ...' before '#traces format'");
      }
    }
  }

  LineSource& source_;
  WarningLog& warnings_;
  KernelHeader header_;
  bool seen_[kKeys] = {};
  Key key_ = name;
  std::string_view value_;
};

}  // namespace

KernelHeader read_kernel_header(LineSource& source, WarningLog& warnings) { return HeaderReader(source, warnings).read(); }

bool parse_dim3(std::string_view text, Dim3& dim) {
  std::uint32_t* const parts[3] = {&dim.x, &dim.y, &dim.z};
  for (unsigned i = 0; i < 3; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 2)) return false;
    TextCursor cursor(text.substr(0, comma));
    std::uint64_t value = 0;
    if (!cursor.parse_unsigned(value, 0xFFFFFFFF) || !cursor.done()) return false;
    *parts[i] = static_cast<std::uint32_t>(value);
    if (i < 2) text.remove_prefix(comma + 1);
  }
  return true;
}

}  // namespace wharf::traces
