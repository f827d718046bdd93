// Lists of kernels: their lines, their names, and files that are not lists.

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("Calls of the host program in a list are passed over, each with a counted warning") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", one_warp({kExit}));
  const std::string list =
      folder.write("kernelslist.g",
                   "cudaMalloc,0x7fb2c0000000,1024\nMemcpyHtoD,0x7fb2c0000000,1024\nncclGroupStart\n"
                   "cudaMalloc,0x7fb2c0001000,4\nkernel-1.traceg\nncclAllReduce(0x1, 0x2)\nMemsetD8,0x1,4\ncuMemAlloc_v2,4\n");
  TraceStimulus stimulus(folder.path());
  REQUIRE(stimulus.next_kernel() != nullptr);
  CHECK(stimulus.open_cta(0).size() == 1);
  CHECK(stimulus.next_kernel() == nullptr);
  const auto passed_over = [&](const char* call, unsigned line) {
    return "call of the host program in the list, passed over: '" + std::string(call) + "' (first at " + list + ":" + std::to_string(line) +
           ")";
  };
  CHECK(stimulus.warnings() == std::vector<std::pair<std::string, std::uint64_t>>{{passed_over("cudaMalloc", 1), 2},
                                                                                  {passed_over("ncclGroupStart", 3), 1},
                                                                                  {passed_over("ncclAllReduce", 6), 1},
                                                                                  {passed_over("MemsetD8", 7), 1},
                                                                                  {passed_over("cuMemAlloc_v2", 8), 1}});
}

TEST_CASE(
    "A list names its kernels by any path: from its folder, with ./, in a folder below, absolute, or with the separators of Windows") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "below");
  const std::string absolute = folder.write("below/kernel-1.traceg", one_warp({kExit}));
  folder.write("kernel-1.traceg", one_warp({kExit}));
  for (const std::string& line : std::vector<std::string>{"./kernel-1.traceg", "below/kernel-1.traceg", absolute, ".\\kernel-1.traceg",
                                                          "below\\kernel-1.traceg", "below/../kernel-1.traceg"}) {
    CAPTURE(line);
    folder.write("kernelslist.g", line + "\n");
    TraceStimulus stimulus(folder.path());
    CHECK(stimulus.next_kernel() != nullptr);
  }
}

TEST_CASE("A list and a kernel with a byte order mark and CR LF are read, and those of UTF-16 are named as such") {
  const TemporaryFolder folder;
  const std::string mark = "\xEF\xBB\xBF";
  std::string kernel = one_warp({kMov, kExit}), of_windows;
  for (const char c : kernel) of_windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  folder.write("kernel-1.traceg", mark + of_windows);
  const std::string list = folder.write("kernelslist.g", mark + "MemcpyHtoD,0x0,4\r\nkernel-1.traceg\r\n");
  TraceStimulus stimulus(folder.path());
  REQUIRE(stimulus.next_kernel() != nullptr);
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 2);
  CHECK(stimulus.warnings().empty());
  CHECK_NOTHROW(TraceStimulus(folder.write("alone.txt", mark + one_warp({kExit}))));

  const auto utf16 = [](const std::string& text, bool big_endian, const std::string& start) {
    std::string out = start;
    for (const char c : text) out += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
    return out;
  };
  for (const std::string& bytes : {utf16("kernel-1.traceg\r\n", false, "\xFF\xFE"), utf16("kernel-1.traceg\n", true, "\xFE\xFF"),
                                   utf16("kernel-1.traceg\n", false, ""), utf16("kernel-1.traceg\n", true, "")}) {
    folder.write("kernelslist.g", bytes);
    CHECK_THROWS_WITH(TraceStimulus(folder.path()), StartsWith(list + ":1: the file is UTF-16 text; save it as UTF-8"));
  }
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", utf16(kernel, false, "\xFF\xFE"));
  CHECK_THROWS_WITH(TraceStimulus(folder.path()), Contains("kernel-1.traceg:1: the file is UTF-16 text"));
}

TEST_CASE("A folder with the list of one context is that trace, and of several each is named") {
  const TemporaryFolder folder;
  folder.write("kernel-1-ctx_0x21440c40.traceg", one_warp({kExit}));
  const std::string first = folder.write("kernelslist_ctx_0x21440c40.g", "kernel-1-ctx_0x21440c40.traceg\n");
  CHECK(TraceStimulus(folder.path()).list().path == first);
  const std::string second = folder.write("kernelslist_ctx_0x31440c40.g", "kernel-1-ctx_0x21440c40.traceg\n");
  CHECK_THROWS_WITH(TraceStimulus(folder.path()),
                    folder.path() + ": the folder has the lists of 2 contexts; name one of " + first + ", " + second);
  CHECK_NOTHROW(TraceStimulus(second));
  const std::string of_all = folder.write("kernelslist.g", "kernel-1-ctx_0x21440c40.traceg\n");
  CHECK(TraceStimulus(folder.path()).list().path == of_all);
}

TEST_CASE("A trace before the tracer's post-processing is told to go through it, as a folder, a list and a kernel") {
  const TemporaryFolder folder;
  const std::string list = folder.write("kernelslist", "MemcpyHtoD,0x0,4\nkernel-1.trace\n");
  const std::string kernel = folder.write("kernel-1.trace", header() + "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 0\n");
  const std::string remedy = "run the tracer's post-traces-processing on its kernelslist, which writes kernelslist.g and kernel-N.traceg";
  CHECK_THROWS_WITH(TraceStimulus(folder.path()), folder.path() + ": the folder holds a trace before its post-processing; " + remedy);
  CHECK_THROWS_WITH(TraceStimulus(list), list + ":2: 'kernel-1.trace' is a trace before its post-processing; " + remedy);
  CHECK_THROWS_WITH(TraceStimulus(kernel), Contains("kernel-1.trace:16: expected #BEGIN_TB, found '0 0 0 0 0000") &&
                                               Contains("let it go through the tracer's post-traces-processing if it has not"));
  std::filesystem::remove(list);
  CHECK_THROWS_WITH(TraceStimulus(folder.path()), Contains("the folder holds a trace before its post-processing"));
  std::filesystem::rename(kernel, folder / "kernelslist_ctx_0x1");
  CHECK_THROWS_WITH(TraceStimulus(folder.path()), Contains("the folder holds a trace before its post-processing"));
}

TEST_CASE("A folder whose list lies in its folder traces says so") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "traces");
  folder.write("traces/kernelslist.g", "kernel-1.traceg\n");
  CHECK_THROWS_WITH(TraceStimulus(folder.path()),
                    Contains("the folder has no kernelslist.g; name '" + folder.path() + "/traces', which has one"));
}

TEST_CASE("A mistyped line of a list is an error with its place, whatever stands around it") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", one_warp({kExit}));
  for (const char* mistyped :
       {"kernel-1.txt", "launch the kernel", "kernl-1.traceg", "cuda-1.traceg", "kernel-1.traceg,kernel-2.traceg.x"}) {
    const std::string list = folder.write("kernelslist.g", std::string("# one\nMemcpyHtoD,0x0,4\n\nkernel-1.traceg\n") + mistyped + "\n");
    CHECK_THROWS_WITH(TraceStimulus(list), Contains(list + ":5: '" + mistyped +
                                                    "' is neither a kernel file nor a call of the host program; write kernel-N.traceg"));
  }
}

TEST_CASE("A list without a kernel, a missing kernel, a missing list and a missing file are input errors with a remedy") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(TraceStimulus(folder.path()), Contains("the folder has no kernelslist.g; name a folder with one, or a kernel file"));
  CHECK_THROWS_WITH(TraceStimulus(folder / "nothing"), Contains("nothing: there is no such file; check the path"));
  const std::string list = folder.write("kernelslist.g", "MemcpyHtoD,0x0,4\n");
  CHECK_THROWS_WITH(TraceStimulus(list), Contains("no kernel in the list"));
  folder.write("kernelslist.g", "");
  CHECK_THROWS_WITH(TraceStimulus(list), Contains("no kernel in the list"));
  folder.write("kernelslist.g", "\nkernel-7.traceg.xz\n");
  CHECK_THROWS_WITH(TraceStimulus(list),
                    StartsWith(list + ":2: kernel file '") && Contains("kernel-7.traceg.xz' is missing; put it there or delete the line"));
}
