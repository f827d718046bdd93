// Fuzzes the trace reader: any bytes are either a trace or an input error. Not part of the ordinary build:
//
//   clang++ -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I. tests/fuzz/fuzz_trace.cpp \
//     stimuli/traces/{byte_source,instruction_parser,kernel_header,kernel_reader,line_source,opcode_table,packed_warp}.cpp \
//     stimuli/traces/{trace_error,trace_list,warning_log}.cpp -lz -llzma -lzstd -o fuzz_trace
//   ./fuzz_trace -max_total_time=180 -max_len=8192 -rss_limit_mb=1024 tests/data/fuzz/trace
//
// What it finds goes into tests/data/fuzz/trace, which a unit test replays.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/trace_probe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  wharf::traces::probe_list(bytes);
  const wharf::traces::Probe probe = wharf::traces::probe_kernel(bytes);
  if (probe.decoded != probe.promised) std::abort();
  return 0;
}
