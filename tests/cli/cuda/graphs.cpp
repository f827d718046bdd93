// CUDA graphs by stream capture, from the user's view.

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// Captures copies, kernels and a function of the host on two streams, of which the second one is forked and joined by events.
const char* const kCapture = R"(#include <cstdio>
#define OK(call) if (cudaError_t error = (call)) { std::printf("%s: %s\n", #call, cudaGetErrorName(error)); return 1; }
__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
__global__ void sum(int* x, const int* y) { x[threadIdx.x] += y[threadIdx.x]; }
void count(void* calls) { ++*static_cast<int*>(calls); }
int main() {
  int *x, *y, *in, *out, calls = 0, value = 5;
  OK(cudaMalloc(&x, 128)); OK(cudaMalloc(&y, 128)); OK(cudaMallocHost(&in, 128)); OK(cudaMallocHost(&out, 128));
  cudaStream_t stream, other;
  cudaEvent_t fork, join;
  OK(cudaStreamCreate(&stream)); OK(cudaStreamCreate(&other)); OK(cudaEventCreate(&fork)); OK(cudaEventCreate(&join));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(x, in, 128, cudaMemcpyHostToDevice, stream));
  OK(cudaEventRecord(fork, stream)); OK(cudaStreamWaitEvent(other, fork));
  OK(cudaMemsetAsync(y, 0, 128, other));
  add<<<1, 32, 0, other>>>(y, 1000);
  for (int i = 0; i < 3; ++i, ++value) add<<<1, 32, 0, stream>>>(x, value);
  OK(cudaEventRecord(join, other)); OK(cudaStreamWaitEvent(stream, join));
  sum<<<1, 32, 0, stream>>>(x, y);
  OK(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(stream, count, &calls));
  cudaStreamCaptureStatus during, after;
  OK(cudaStreamIsCapturing(other, &during));
  cudaGraph_t graph, clone;
  cudaGraphExec_t first, second;
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamIsCapturing(other, &after));
  size_t nodes;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::printf("captured %d %d, %zu nodes, %d calls\n", during, after, nodes, calls);
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphInstantiate(&first, graph, nullptr, nullptr, 0)); OK(cudaGraphInstantiate(&second, clone, 0));
  OK(cudaGraphDestroy(graph)); OK(cudaGraphDestroy(clone));
  for (int i = 0; i < 4; ++i) {
    in[0] = 10000 * i, out[0] = -1;
    OK(cudaGraphLaunch(i % 2 ? first : second, other)); OK(cudaStreamSynchronize(other));
    std::printf("%d %d;", out[0], out[31]);
  }
  std::printf(" %d calls\n", calls);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaGraphLaunch(first, stream)); OK(cudaGraphExecDestroy(first)); OK(cudaGraphLaunch(second, stream));
  OK(cudaStreamEndCapture(stream, &graph)); OK(cudaGraphInstantiateWithFlags(&first, graph, 0)); OK(cudaGraphLaunch(first, stream));
  std::printf("nested: %d calls\n", calls);
  return 0;
}
)";
// x is 10000 i in its first element, and 5 + 6 + 7 of the values while it was captured, and 1000 of y.
const std::string kOfCapture = "captured 1 0, 9 nodes, 0 calls\n1018 1018;11018 1018;21018 1018;31018 1018; 4 calls\nnested: 6 calls\n";

}  // namespace

TEST_CASE("CU-19: a graph that streams have captured runs whenever it is launched, with the arguments of its capture, also recorded") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("graph.cu", kCapture);
  const Ended live = wharf(folder, {"cuda", "graph.cu", "--record", "graph.wcr", "--out", "live", "--check=init,race,sync,bounds"});
  INFO(live.output);
  CHECK(live.exit_code == 0);
  CHECK_THAT(live.output, Contains(kOfCapture));
  const auto result = read_json(folder / "live/result.json");
  CHECK(result["kernels"].size() == 6 * 5);
  CHECK(result["cuda"]["api_calls"]["cudaGraphLaunch"] == 7);
  CHECK(wharf(folder, {"run", "private", "--stimulus", "cuda:graph.wcr", "--out", "replayed"}).exit_code == 0);
  CHECK(result["kernels"] == read_json(folder / "replayed/result.json")["kernels"]);
}

TEST_CASE("CU-19: captures that CUDA refuses return its errors") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("errors.cu", R"(#include <cstdio>
__global__ void k() {}
int main() {
  cudaStream_t a, b;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  std::printf("%d ", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  std::printf("%d ", cudaStreamEndCapture(a, &graph));
  cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
  std::printf("%d ", cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, a);
  cudaStreamWaitEvent(b, event, 0);
  std::printf("%d ", cudaStreamEndCapture(b, &graph));
  k<<<1, 2048, 0, a>>>();
  std::printf("%d ", cudaGetLastError());
  std::printf("%d ", cudaStreamSynchronize(a));
  std::printf("%d ", cudaStreamEndCapture(a, &graph));
  std::printf("%d ", graph == nullptr);
  std::printf("%d ", cudaGraphInstantiate(&exec, graph, 0));
  k<<<1, 1, 0, a>>>();
  std::printf("%d\n", cudaStreamSynchronize(b));
}
)");
  const Ended ended = wharf(folder, {"cuda", "errors.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("900 401 401 903 9 901 901 1 1 0\n") && Contains("1 kernel, "));
}

TEST_CASE("CU-19: what a graph cannot hold ends the program with the call and the remedy") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  const auto message_of = [&folder](const std::string& call) {
    folder.file("app.cu",
                "extern \"C\" cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*);\n"
                "int main() {\n  void* p;\n  cudaStream_t s;\n  cudaStreamCreate(&s);\n  cudaStreamBeginCapture(s, "
                "cudaStreamCaptureModeGlobal);\n  " +
                    call + "\n}\n");
    const Ended ended = wharf(folder, {"cuda", "app.cu", "--functional"});
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(message_of("cudaMallocAsync(&p, 4, s);"),
             Contains("wharf: cudaMallocAsync is not supported in a stream that is captured; allocate before the capture begins\n"));
  CHECK_THAT(message_of("cudaFreeAsync(p = nullptr, s);"),
             Contains("cudaFreeAsync is not supported in a stream that is captured; free the"));
  CHECK_THAT(message_of("cudaStreamAddCallback(s, [](cudaStream_t, cudaError_t, void*) {}, p = nullptr, 0);"),
             Contains("cudaStreamAddCallback is not supported in a stream that is captured; use cudaLaunchHostFunc\n"));
  CHECK_THAT(message_of("cudaGraphAddMemAllocNode(nullptr, nullptr, nullptr, 0, p = nullptr);"),
             Contains("cudaGraphAddMemAllocNode is not supported; graphs have nodes for kernels, copies, fills, host functions, "
                      "events and child graphs, each with its cudaGraphAdd function\n"));
  CHECK_THAT(message_of("cudaKernelNodeParams k = {};\n  cudaGraph_t graph;\n  cudaGraphNode_t node;\n  cudaGraphCreate(&graph, 0);\n  "
                        "k.extra = &p;\n  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k);"),
             Contains("`extra` of a kernel node is not supported; give the addresses of the arguments in `kernelParams`\n"));
  CHECK_THAT(
      message_of("cudaPitchedPtr box = {};\n  cudaMemset3DAsync(box, 0, {0, 0, 0}, s);\n  cudaGraph_t graph;\n  cudaGraphNode_t node;\n  "
                 "size_t one = 1;\n  cudaMemsetParams m;\n  cudaStreamEndCapture(s, &graph);\n  cudaGraphGetNodes(graph, &node, "
                 "&one);\n  cudaGraphMemsetNodeGetParams(node, &m);"),
      Contains("cudaGraphMemsetNodeGetParams does not know the parameters of captured copies of symbols and arrays and of "
               "cudaMemset3DAsync; add such nodes by cudaGraphAddMemcpyNode and cudaGraphAddMemsetNode\n"));
}

}  // namespace wharf::cli
