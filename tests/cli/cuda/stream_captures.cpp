// What CUDA allows and refuses while streams are captured.

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const char* const kCaptures = R"(#include <cstdio>
#include <thread>
__global__ void k() {}
cudaStream_t a, b, side;
cudaEvent_t event, other;
cudaStreamCaptureStatus status;
cudaGraph_t graph;
// Begins a capture of `a`, and prints what the call returns, then whether the capture is valid (1) or not (2), and what its end returns.
template <class Call>
void during(const char* name, Call call, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal, cudaStream_t stream = a) {
  cudaStreamBeginCapture(stream, mode);
  const cudaError_t error = call();
  cudaStreamIsCapturing(stream, &status);
  const cudaError_t end = cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  std::printf("%s %d %d %d%s\n", name, error, status, end, end != cudaSuccess && graph != nullptr ? " with a graph" : "");
  if (end == cudaSuccess) cudaGraphDestroy(graph);
}
cudaError_t launch(cudaStream_t stream) {
  k<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}
int main() {
  void* p;
  int* x;
  int host = 0;
  cudaMalloc(&x, 4);
  cudaStreamCreate(&a); cudaStreamCreate(&b); cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreate(&event); cudaEventCreate(&other);
  const auto relaxed = cudaStreamCaptureModeRelaxed;
  during("nothing", [] { return cudaSuccess; });
  during("sync", [] { return cudaStreamSynchronize(a); });
  during("sync-other", [] { return cudaStreamSynchronize(b); });
  during("query", [] { return cudaStreamQuery(a); }, relaxed);
  during("device", [] { return cudaDeviceSynchronize(); }, relaxed);
  during("malloc", [&] { return cudaMalloc(&p, 4); });
  during("malloc-relaxed", [&] { return cudaMalloc(&p, 4); }, relaxed);
  during("malloc-thread", [&] { cudaError_t e; std::thread([&] { e = cudaMalloc(&p, 4); }).join(); return e; });
  during("malloc-thread-local", [&] { cudaError_t e; std::thread([&] { e = cudaMalloc(&p, 4); }).join(); return e; },
         cudaStreamCaptureModeThreadLocal);
  during("malloc-exchanged", [&] {
    cudaStreamCaptureMode mode = relaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    const cudaError_t e = cudaMalloc(&p, 4);
    cudaThreadExchangeStreamCaptureMode(&mode);
    return mode == relaxed ? e : cudaErrorUnknown;
  });
  during("legacy", [] { return launch(nullptr); });
  during("legacy-relaxed", [] { return launch(cudaStreamLegacy); }, relaxed);
  during("legacy-side", [] { return launch(nullptr); }, cudaStreamCaptureModeGlobal, side);
  during("copy", [&] { return cudaMemcpy(x, &host, 4, cudaMemcpyHostToDevice); }, relaxed);
  during("legacy-status", [] { cudaStreamCaptureStatus s; return cudaStreamIsCapturing(nullptr, &s); });
  during("after-error", [] { cudaStreamSynchronize(a); return launch(a); });
  during("other-end", [] { cudaEventRecord(event, a); cudaStreamWaitEvent(b, event, 0); return cudaStreamEndCapture(b, &graph); });
  during("thread-end", [] { cudaError_t e; std::thread([&] { e = cudaStreamEndCapture(a, &graph); }).join(); return e; });
  during("unjoined", [] { cudaEventRecord(event, a); cudaStreamWaitEvent(b, event, 0); return launch(b); });
  during("joined", [] {
    cudaEventRecord(event, a); cudaStreamWaitEvent(b, event, 0); launch(b);
    cudaEventRecord(other, b);
    return cudaStreamWaitEvent(a, other, 0);
  });
  during("captured-event", [] { cudaEventRecord(event, a); return cudaEventQuery(event); }, relaxed);
  cudaEventRecord(event, b);
  during("isolation", [] { return cudaStreamWaitEvent(a, event, 0); });
  during("external", [] { return cudaStreamWaitEvent(a, event, cudaEventWaitExternal); });
  during("merge", [] {
    cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal);
    cudaEventRecord(event, b);
    const cudaError_t e = cudaStreamWaitEvent(a, event, 0);
    cudaGraph_t none;
    std::printf("[%d] ", cudaStreamEndCapture(b, &none));
    return e;
  });
  during("destroyed", [] { cudaStream_t c; cudaStreamCreate(&c); cudaStreamBeginCapture(c, cudaStreamCaptureModeGlobal); return cudaStreamDestroy(c); });
  during("info", [] {
    launch(a); launch(a);
    unsigned long long id = 0;
    const cudaGraphNode_t* before;
    size_t count, nodes;
    cudaGraph_t captured;
    const cudaError_t e = cudaStreamGetCaptureInfo(a, &status, &id, &captured, &before, &count);
    cudaGraphGetNodes(captured, nullptr, &nodes);
    std::printf("[%d %d, %zu of %zu] ", status, id != 0, count, nodes);
    return e;
  });
  std::printf("%d\n", cudaStreamSynchronize(a));
}
)";

}  // namespace

TEST_CASE("CU-19: what a capture does not allow returns CUDA's error, and the capture ends without a graph") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("captures.cu", kCaptures);
  const Ended ended = wharf(folder, {"cuda", "captures.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  for (const char* const line : {
           "nothing 0 1 0\n",
           "sync 900 2 901\n",
           "sync-other 0 1 0\n",
           "query 900 2 901\n",
           "device 900 2 901\n",
           "malloc 900 2 901\n",
           "malloc-relaxed 0 1 0\n",
           "malloc-thread 900 2 901\n",
           "malloc-thread-local 0 1 0\n",
           "malloc-exchanged 0 1 0\n",
           "legacy 906 2 901\n",
           "legacy-relaxed 906 2 901\n",
           "legacy-side 0 1 0\n",
           "copy 906 2 901\n",
           "legacy-status 906 1 0\n",
           "after-error 901 2 901\n",
           "other-end 903 2 901\n",
           "thread-end 908 2 901\n",
           "unjoined 0 1 904\n",
           "joined 0 1 0\n",
           "captured-event 907 1 0\n",
           "isolation 905 2 901\n",
           "external 0 1 0\n",
           "[901] merge 902 2 901\n",
           "destroyed 0 1 0\n",
           "[1 1, 1 of 2] info 0 1 0\n",
       })
    CHECK_THAT(ended.output, Contains(line));
  CHECK_THAT(ended.output, Contains("info 0 1 0\n0\n") && Contains("1 kernel, "));  // that of "legacy-side" runs
}

}  // namespace wharf::cli
