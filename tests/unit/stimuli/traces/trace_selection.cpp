// Traces by their command-line name: the end of the path, the selected kernels, short names, folders of traces.

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "stimuli/kernel_choice.h"
#include "stimuli/traces/selection/kernel_selection.h"
#include "stimuli/traces/selection/trace_spec.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// A trace with these kernels, in a folder below `folder`.
std::string write_trace(const TemporaryFolder& folder, const std::string& name, const std::vector<std::string>& kernels) {
  fs::create_directories(folder / name);
  std::string list;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string file = "kernel-" + std::to_string(i + 1) + ".traceg";
    folder.write(name + "/" + file, replaced(header(), "sample", kernels[i]) + "\n#BEGIN_TB\n");
    list += "MemcpyHtoD,0x00007fb2c0000000,4\n" + file + "\n";
  }
  folder.write(name + "/kernelslist.g", list);
  return kPrefix + folder / name;
}

/// The numbers of the selected kernels.
std::string selected(const std::string& stimulus) {
  std::string numbers;
  for (const ListedKernel& kernel : kernels_of(stimulus).kernels) {
    const std::string stem = fs::path(kernel.path).stem();
    numbers += (numbers.empty() ? "" : " ") + stem.substr(stem.find('-') + 1);
  }
  return numbers;
}

}  // namespace

TEST_CASE("kernels are selected by number as the list counts them from 1, each once and in the list's order") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"a", "b", "c", "d", "e"});
  CHECK(selected(trace) == "1 2 3 4 5");
  CHECK(selected(trace + ":3") == "3");
  CHECK(selected(trace + ":2-4") == "2 3 4");
  CHECK(selected(trace + ":4-") == "4 5");
  CHECK(selected(trace + ":5,1-2,2") == "1 2 5");
  CHECK(selected(trace + "/kernelslist.g:3") == "3");
  CHECK(selected(trace + "/kernel-2.traceg:1") == "2");
}

TEST_CASE("kernels are selected by name, glob or regular expression, as recorded, demangled, or by the function alone") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"_Z11gemm_kernelPfS_S_", "_ZN3lib4scanIiLj4EEEvPT_", "scale", "f"});
  CHECK(selected(trace + ":gemm_kernel") == "1");
  CHECK(selected(trace + ":gemm*") == "1");
  CHECK(selected(trace + ":_Z11gemm_kernelPfS_S_") == "1");
  CHECK(selected(trace + ":gemm_kernel(float?, float?, float?)") == "1");
  CHECK(selected(trace + ":scan") == "2");
  CHECK(selected(trace + ":*lib::scan<int*") == "2");
  CHECK(selected(trace + ":s*") == "2 3");
  CHECK(selected(trace + ":/^(gemm|scale)/") == "1 3");
  CHECK(selected(trace + ":/^[a-z]{5}$/") == "3");
  CHECK(selected(trace + ":/lib::/") == "2");
  CHECK(selected(trace + ":f") == "4");  // not demangled as the type float
}

TEST_CASE("of kernels with a name some are selected by their number among them, and samples by their number among all") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"a", "b", "a", "_ZN2ns1aEv", "a", "b"});
  CHECK(selected(trace + ":a:2") == "3");
  CHECK(selected(trace + ":a:2-") == "3 4 5");
  CHECK(selected(trace + ":/a|b/:1,6") == "1 6");
  CHECK(selected(trace + ":ns::a*") == "4");
  CHECK(selected(trace + ":ns::a*:1") == "4");
  CHECK(selected(trace + ":a:2:warm") == "1 2 3");
  CHECK(selected(trace + ":1/2") == "1 3 5");
  CHECK(selected(trace + ":2/4") == "1 2 5 6");
  CHECK(selected(trace + ":1/10") == "1");
}

TEST_CASE("with warm the kernels before the first selected one run too, and only those") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"a", "b", "a", "b", "warm"});
  const auto warm_up = [](const std::string& stimulus) { return kernels_of(stimulus).warm_up; };
  CHECK(selected(trace + ":3:warm") == "1 2 3");
  CHECK(warm_up(trace + ":3:warm") == 2);
  CHECK(selected(trace + ":b:warm") == "1 2 4");
  CHECK(warm_up(trace + ":b:warm") == 1);
  CHECK(selected(trace + ":1-2:warm") == "1 2");
  CHECK(warm_up(trace + ":1-2:warm") == 0);
  CHECK(warm_up(trace + ":2") == 0);
  CHECK(selected(trace + ":warm") == "5");  // a kernel's name
  CHECK(selected(trace + ":warm:warm") == "1 2 3 4 5");
  CHECK(split_recorded(trace + ":ns::warm").kernels == "ns::warm");
  CHECK_THROWS_WITH(kernels_of(trace + ":9:warm"), Contains("there is no kernel 9"));
}

TEST_CASE("the function of a demangled name has no return type, namespace, template arguments or parameters") {
  CHECK(function_of("kernel") == "kernel");
  CHECK(function_of("kernel(float*, int)") == "kernel");
  CHECK(function_of("void a::b::kernel<float, (a::Kind)1, b<3> >(float*, a::b<int>)") == "kernel");
  CHECK(function_of("(anonymous namespace)::kernel(void (*)(int))") == "kernel");
  CHECK(function_of("void (anonymous namespace)::kernel<int>(int)") == "kernel");
}

TEST_CASE("a selection that is wrong or empty is refused with what there is") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"_Z11gemm_kernelPfS_S_", "scale"});
  const auto refusal = [&](const std::string& kernels) {
    try {
      kernels_of(trace + kernels);
      return std::string("accepted");
    } catch (const InputError& error) {
      return std::string(error.what()).substr(trace.size() + kernels.size());
    }
  };
  CHECK(refusal(":") == ": no kernels are named behind the last colon; leave it out for all, or write numbers such as 3-7, or a name");
  for (const char* kernels : {":3", ":1-3", ":99999999999999999999999"})
    CHECK_THAT(refusal(kernels), Contains("the list has the kernels 1 to 2"));
  CHECK(refusal(":0") == ": there is no kernel 0; kernels are counted from 1");
  CHECK_THAT(refusal(":scale:2"), Contains("there is no kernel 2; the list has the kernels 1 to 1"));
  for (const char* kernels : {":0/2", ":3/2", ":1/", ":1/2/3", ":1/2,4"})
    CHECK_THAT(refusal(kernels), Contains("is no sample; write such as 1/10"));
  CHECK(refusal(":2-1") == ": 2-1 runs backwards; write 1-2; kernels run in the list's order");
  for (const char* kernels : {":1,", ":,1", ":-2", ":1-2-3", ":1x", ":1,gemm*", ":1:2"})
    CHECK_THAT(refusal(kernels), Contains("is neither a number nor a range; write such as 3, 3-7, 9-, or 1,3-7"));
  CHECK(refusal(":nothing*") == ": none of the 2 kernels has a name like 'nothing*'; there are gemm_kernel, scale");
  CHECK(refusal(":scal") == ": none of the 2 kernels has a name like 'scal'; did you mean 'scale'?");
  CHECK_THAT(refusal(":/a(/"), Contains("'a(' is no regular expression: "));
  CHECK_THAT(refusal(":/a"), Contains("/a is no regular expression between slashes"));
  CHECK_THAT(refusal(":/"), Contains("is no regular expression between slashes"));
}

TEST_CASE("the path of a trace is the longest part before a colon that exists, so it may hold colons, blanks and commas") {
  const TemporaryFolder folder;
  const std::string odd = write_trace(folder, "a b:1, c", {"x", "y"}), plain = write_trace(folder, "a b", {"z", "z", "z"});
  CHECK(selected(odd) == "1 2");
  CHECK(selected(odd + ":2") == "2");
  CHECK(selected(plain + ":2") == "2");
  CHECK(selected(plain + ":1") == "1");  // "a b:1" is not a folder
  CHECK(split_recorded(odd + ":x::y").kernels == "x::y");
  CHECK_FALSE(split_recorded(odd).kernels);
  // If both exist, the longer one counts. A slash after the folder ends the shorter.
  const std::string longer = write_trace(folder, "a b:3", {"w"});
  CHECK(selected(longer) == "1");
  CHECK(selected(plain + "/:3") == "3");
  CHECK(split_recorded("trace:no/where:3-7").path == "no/where");
}

TEST_CASE("a trace that is not there is refused by its name") {
  CHECK_THROWS_WITH(kernels_of("trace:"), Contains("does not name a file; write trace:PATH[:KERNELS[:warm]]"));
  CHECK_THROWS_WITH(kernels_of("trace:no/where:3"), Contains("no/where: there is no such file; check the path"));
  CHECK_THROWS_WITH(kernels_of("trace:~/t"), Contains("write $HOME in its place"));
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"a", "b"});
  fs::remove(folder / "t/kernel-2.traceg");
  CHECK(selected(trace + ":1") == "1");  // unselected kernels may be missing
  CHECK_THROWS_WITH(kernels_of(trace), Contains("kernel file '") && Contains("is missing"));
  CHECK_THROWS_WITH(kernels_of(trace + ":b"), Contains("is missing"));
}

TEST_CASE("a trace in a file is named from that file's folder") {
  const TemporaryFolder folder;
  write_trace(folder, "t", {"a", "b"});
  fs::create_directories(folder / "lists");
  CHECK(as_named_in(folder.path() + "/lists", "trace:../t:2") == kPrefix + (folder / "t") + ":2");
  CHECK(as_named_in("", "trace:t") == "trace:t");
  CHECK(as_named_in("x", "trace:/t") == "trace:/t");
  CHECK(as_named_in("x", "gemm:n=3") == "gemm:n=3");
  CHECK(as_named_in("x", "trace:") == "trace:");
}

TEST_CASE("the workload of a trace is the folder that holds it") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "bfs", {"a"});
  for (const char* form : {"", "/", ":1", "/kernelslist.g", "/kernelslist.g:a", "/kernel-1.traceg"})
    CHECK(workload_of_trace(trace + form) == "bfs");
  CHECK(workload_of_trace("trace:gone/bfs/kernelslist.g:1") == "bfs");
}

TEST_CASE("short names are the folders, with more of the path only where two are equal") {
  const TemporaryFolder folder;
  const std::string one = write_trace(folder, "new/bfs/traces", {"a", "b"}), two = write_trace(folder, "old/bfs/traces", {"a"});
  CHECK(short_names({one, "gemm@std", one + ":1-2"}) == std::vector<std::string>{"traces", "gemm@std", "traces:1-2"});
  CHECK(short_names({one, two + ":1"}) == std::vector<std::string>{"traces", "traces:1"});
  CHECK(short_names({one, two}) == std::vector<std::string>{"new/bfs/traces", "old/bfs/traces"});
  CHECK(short_names({one + "/kernelslist.g"}) == std::vector<std::string>{"traces"});
  CHECK(short_names({one + "/kernel-1.traceg", one + "/kernel-2.traceg:1"}) ==
        std::vector<std::string>{"traces/kernel-1.traceg", "traces/kernel-2.traceg:1"});
  CHECK(short_names({one, one + "/"}) == std::vector<std::string>{one, one + "/"});  // the same trace twice
}

TEST_CASE("a folder of traces is every subfolder with one, sorted, also below folders of benchmarks and arguments") {
  const TemporaryFolder folder;
  const std::string gemm = write_trace(folder, "all/gemm", {"a"}), bfs = write_trace(folder, "all/bfs", {"a"});
  const std::string nn = write_trace(folder, "all/nn/size_3/traces", {"a"});
  write_trace(folder, "all/gemm/older", {"a"});
  write_trace(folder, "all/.hidden", {"a"});
  fs::create_directories(folder / "all/two_contexts");  // errors of read_trace_list() are not ignored
  folder.write("all/two_contexts/kernelslist_ctx_0x1.g", "kernel-1.traceg\n");
  fs::create_directories(folder / "all/empty/folder");
  CHECK(traces_in(folder / "all") == std::vector<std::string>{bfs, gemm, nn, kPrefix + folder / "all/two_contexts"});
  CHECK(traces_in(folder / "all/gemm") == std::vector<std::string>{gemm});
  CHECK_THROWS_WITH(traces_in(folder / "all/empty"),
                    Contains("neither the folder nor a subfolder holds a kernelslist.g; name a folder of traces"));
  CHECK_THROWS_WITH(traces_in(folder / "nowhere"), Contains("this is not a folder"));
  CHECK_THROWS_WITH(traces_in(folder / "all/gemm/kernelslist.g"), Contains("this is not a folder"));
}

TEST_CASE("a limit of warp instructions stands behind the selection, and is no part of it") {
  const TemporaryFolder folder;
  const std::string trace = write_trace(folder, "t", {"a", "b", "c"});
  CHECK(limit_of_recorded(trace) == kNever);
  CHECK(limit_of_recorded(trace + ":limit_warp_instructions=12") == 12);
  CHECK(selected(trace + ":limit_warp_instructions=12") == "1 2 3");
  CHECK(selected(trace + ":2-:warm:limit_warp_instructions=12") == "1 2 3");
  CHECK(split_recorded(trace + ":2-:warm:limit_warp_instructions=12").warm);
  CHECK(recorded_with_limit(trace + ":2", 7) == trace + ":2:limit_warp_instructions=7");
  CHECK_THROWS_WITH(recorded_with_limit(trace + ":limit_warp_instructions=1", 7), Contains("has a limit of its own; keep one"));
  for (const char* wrong : {"", "0", "x", "1k", "-1", "99999999999999999999999"})
    CHECK_THROWS_WITH(kernels_of(trace + ":limit_warp_instructions=" + wrong), Contains("give a number of warp instructions, 1 or more"));
}
