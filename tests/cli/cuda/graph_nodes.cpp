// CUDA graphs that a program builds or reads node by node, from the user's view.

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// A graph of all kinds of nodes, created in another order than that in which they run; then its parameters change.
const char* const kNodes = R"(#include <cstdio>
#include <vector>
#define OK(call) if (cudaError_t error = (call)) { std::printf("%s: %s\n", #call, cudaGetErrorName(error)); return 1; }
struct Pair { char tag; double factor; };
__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
__global__ void scale(int* x, Pair by) { x[threadIdx.x] *= static_cast<int>(by.factor); }
void count(void* calls) { ++*static_cast<int*>(calls); }
// The parameters of a launch of one block of 32 threads.
cudaKernelNodeParams launch(const void* kernel, void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void*>(kernel);
  parameters.gridDim = dim3(1), parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  return parameters;
}
int main() {
  int *x, *out, calls = 0;
  OK(cudaMalloc(&x, 128)); OK(cudaMallocHost(&out, 128));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  cudaGraph_t graph, child;
  OK(cudaGraphCreate(&graph, 0)); OK(cudaGraphCreate(&child, 0));
  // The nodes are created in the wrong order: fill, add, scale, copy, call only run so by their dependencies.
  cudaGraphNode_t scaled, added, filled, copied, called, empty, nested, in_child;
  Pair by = {'x', 3.0};
  void* of_scale[] = {&x, &by};
  cudaKernelNodeParams scale_launch = launch(reinterpret_cast<const void*>(scale), of_scale);
  OK(cudaGraphAddKernelNode(&scaled, graph, nullptr, 0, &scale_launch));
  by.factor = 1000;  // the node has a copy
  int value = 7;
  void* of_add[] = {&x, &value};
  cudaKernelNodeParams add_launch = launch(reinterpret_cast<const void*>(add), of_add);
  OK(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &add_launch));
  cudaMemsetParams fill = {x, 0, 0x10001, 4, 32, 1};
  OK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  OK(cudaGraphAddMemcpyNode1D(&copied, graph, &scaled, 1, out, x, 128, cudaMemcpyDeviceToHost));
  cudaHostNodeParams call = {count, &calls};
  OK(cudaGraphAddHostNode(&called, graph, &copied, 1, &call));
  OK(cudaGraphAddEmptyNode(&empty, graph, &called, 1));
  const cudaGraphNode_t from[] = {filled, added}, to[] = {added, scaled};
  OK(cudaGraphAddDependencies(graph, from, to, 2));
  value = 1;
  OK(cudaGraphAddKernelNode(&in_child, child, nullptr, 0, &add_launch));
  const cudaGraphNode_t before[] = {added};
  OK(cudaGraphAddChildGraphNode(&nested, graph, before, 1, child));
  OK(cudaGraphAddDependencies(graph, &nested, &scaled, 1));
  OK(cudaGraphDestroy(child));  // the node has a copy
  size_t nodes, roots, edges, of_scaled, on_scaled;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes)); OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  OK(cudaGraphNodeGetDependencies(scaled, nullptr, &of_scaled)); OK(cudaGraphNodeGetDependentNodes(scaled, nullptr, &on_scaled));
  std::printf("%zu nodes, %zu roots, %zu edges, %zu before, %zu after\n", nodes, roots, edges, of_scaled, on_scaled);
  std::vector<cudaGraphNode_t> all(nodes + 1);
  size_t given = nodes + 1;
  OK(cudaGraphGetNodes(graph, all.data(), &given));
  for (size_t i = 0; i < given; ++i) { cudaGraphNodeType type; OK(cudaGraphNodeGetType(all[i], &type)); std::printf("%d ", type); }
  std::printf("of %zu, last %d\n", given, all[nodes] == nullptr);
  cudaGraphNode_t root; size_t one = 1;
  OK(cudaGraphGetRootNodes(graph, &root, &one));
  cudaKernelNodeParams read;
  OK(cudaGraphKernelNodeGetParams(scaled, &read));
  std::printf("root %d, argument %g, kernel %d\n", root == filled, static_cast<Pair*>(read.kernelParams[1])->factor, read.func == scale_launch.func);

  cudaGraphExec_t exec;
  cudaGraphNode_t error_node;
  OK(cudaGraphInstantiate(&exec, graph, &error_node, nullptr, 0));
  OK(cudaGraphUpload(exec, stream));
  OK(cudaGraphLaunch(exec, stream)); OK(cudaStreamSynchronize(stream));
  std::printf("first %d %d, %d calls\n", out[0], out[31], calls);  // (0x10001 + 7 + 1) * 3
  // Parameters of the executable graph alone.
  value = 100;
  OK(cudaGraphExecKernelNodeSetParams(exec, added, &add_launch));
  fill.value = 0, fill.width = 16;
  OK(cudaGraphExecMemsetNodeSetParams(exec, filled, &fill));
  OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copied, out + 1, x, 124, cudaMemcpyDeviceToHost));
  OK(cudaGraphLaunch(exec, stream));
  std::printf("changed %d %d\n", out[1], out[31]);  // 16 elements are 0 before
  // The graph has its own parameters, which an update brings to the executable graph.
  cudaGraph_t clone;
  cudaGraphNode_t added_in_clone;
  OK(cudaGraphClone(&clone, graph)); OK(cudaGraphNodeFindInClone(&added_in_clone, added, clone));
  value = 20;
  OK(cudaGraphKernelNodeSetParams(added_in_clone, &add_launch));
  cudaGraphExecUpdateResult result;
  OK(cudaGraphExecUpdate(exec, clone, &error_node, &result));
  OK(cudaGraphLaunch(exec, stream));
  std::printf("updated %d %d, result %d\n", out[0], out[31], result);  // (0x10001 + 20 + 1) * 3
  OK(cudaGraphDestroyNode(called));
  OK(cudaGraphGetNodes(graph, nullptr, &nodes)); OK(cudaGraphNodeGetDependencies(empty, nullptr, &given));
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t failed = cudaGraphExecUpdate(exec, graph, &info);
  std::printf("%zu nodes, %zu, %s %d\n", nodes, given, cudaGetErrorName(failed), info.result);
  OK(cudaGraphDebugDotPrint(clone, "clone.dot", 0));
  OK(cudaGraphDestroy(clone)); OK(cudaGraphDestroy(graph));
  OK(cudaGraphLaunch(exec, stream)); OK(cudaGraphExecDestroy(exec));
  std::printf("last %d, %d calls\n", out[0], calls);
  return 0;
}
)";

const char* const kRefused = R"(#include <cstdio>
__global__ void k() {}
__global__ void add(int* x, int value) { *x += value; }
int main() {
  cudaGraph_t a, b;
  cudaGraphNode_t in_a, second, in_b, none = nullptr;
  cudaGraphExec_t exec;
  cudaGraphCreate(&a, 0); cudaGraphCreate(&b, 0);
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(k), launch.gridDim = dim3(1), launch.blockDim = dim3(2048);
  std::printf("%d ", cudaGraphAddKernelNode(&in_a, a, nullptr, 0, &launch));   // too many threads
  launch.func = reinterpret_cast<void*>(add), launch.blockDim = dim3(1);
  std::printf("%d ", cudaGraphAddKernelNode(&in_a, a, nullptr, 0, &launch));   // no arguments
  launch.func = reinterpret_cast<void*>(k);
  std::printf("%d ", cudaGraphAddKernelNode(&in_a, a, nullptr, 0, &launch));
  std::printf("%d ", cudaGraphAddEmptyNode(&in_b, b, &in_a, 1));               // a node of another graph
  cudaGraphAddEmptyNode(&in_b, b, nullptr, 0);
  cudaGraphAddEmptyNode(&second, a, &in_a, 1);
  std::printf("%d ", cudaGraphAddDependencies(a, &in_a, &in_b, 1));
  std::printf("%d ", cudaGraphAddDependencies(a, &in_a, &second, 1));          // there already
  std::printf("%d ", cudaGraphAddDependencies(a, &second, &in_a, 1));          // a cycle
  std::printf("%d ", cudaGraphInstantiate(&exec, a, 0));
  std::printf("%d ", cudaGraphRemoveDependencies(a, &second, &in_a, 1));
  std::printf("%d\n", cudaGraphInstantiate(&exec, a, 0));
  cudaMemsetParams fill = {nullptr, 0, 1, 3, 1, 1};
  std::printf("%d ", cudaGraphAddMemsetNode(&in_b, b, nullptr, 0, &fill));     // elements of 3 bytes
  cudaMemsetParams read;
  std::printf("%d ", cudaGraphMemsetNodeGetParams(in_a, &read));               // a kernel
  std::printf("%d ", cudaGraphExecKernelNodeSetParams(exec, in_b, &launch));   // a node of another graph
  cudaGraphDestroyNode(second);
  std::printf("%d ", cudaGraphDestroyNode(second));
  std::printf("%d ", cudaGraphDestroyNode(none));
  cudaGraphNode_t nested;
  cudaGraph_t child;
  cudaGraphAddChildGraphNode(&nested, a, nullptr, 0, b);
  cudaGraphChildGraphNodeGetGraph(nested, &child);
  std::printf("%d ", cudaGraphDestroy(child));                                 // belongs to its node
  cudaGraphExecUpdateResultInfo info;
  std::printf("%d %d ", cudaGraphExecUpdate(exec, b, &info), info.result);
  cudaGraphDestroy(a);
  std::printf("%d %d\n", cudaGraphDestroy(a), cudaGraphLaunch(exec, nullptr));
}
)";

/// Reads the nodes of a captured graph, and changes them.
const char* const kCaptured = R"(#include <cstdio>
#define OK(call) if (cudaError_t error = (call)) { std::printf("%s: %s\n", #call, cudaGetErrorName(error)); return 1; }
__device__ int table[4];
__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
int main() {
  int *x, *out;
  OK(cudaMalloc(&x, 256)); OK(cudaMallocHost(&out, 128));
  cudaStream_t stream;
  cudaEvent_t before, after;
  OK(cudaStreamCreate(&stream)); OK(cudaEventCreate(&before)); OK(cudaEventCreate(&after));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemset2DAsync(x, 128, 1, 128, 2, stream));
  OK(cudaEventRecordWithFlags(before, stream, cudaEventRecordExternal));
  add<<<1, 32, 0, stream>>>(x, 5);
  OK(cudaEventRecordWithFlags(after, stream, cudaEventRecordExternal));
  OK(cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[5], from[4], to[4];
  size_t count = 5, edges = 4;
  OK(cudaGraphGetNodes(graph, nodes, &count)); OK(cudaGraphGetEdges(graph, from, to, &edges));
  for (int i = 0; i < 5; ++i) { cudaGraphNodeType type; OK(cudaGraphNodeGetType(nodes[i], &type)); std::printf("%d ", type); }
  bool is_chain = edges == 4;
  for (int i = 0; i < 4; ++i) is_chain &= from[i] == nodes[i] && to[i] == nodes[i + 1];
  cudaMemsetParams fill;
  cudaMemcpy3DParms copy;
  cudaKernelNodeParams launch;
  OK(cudaGraphMemsetNodeGetParams(nodes[0], &fill)); OK(cudaGraphMemcpyNodeGetParams(nodes[4], &copy));
  OK(cudaGraphKernelNodeGetParams(nodes[2], &launch));
  std::printf("chain %d, fill %u %zu %zu, copy %zu %d, value %d\n", is_chain, fill.value, fill.width, fill.height, copy.extent.width,
              copy.srcPtr.ptr == x, *static_cast<int*>(launch.kernelParams[1]));
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  int value = 70;
  void* arguments[] = {&x, &value};
  launch.kernelParams = arguments;
  OK(cudaGraphExecKernelNodeSetParams(exec, nodes[2], &launch));
  copy.dstPtr.ptr = out + 1, copy.extent.width = 4;
  OK(cudaGraphExecMemcpyNodeSetParams(exec, nodes[4], &copy));
  OK(cudaGraphLaunch(exec, stream));
  float milliseconds;
  OK(cudaEventElapsedTime(&milliseconds, before, after));
  std::printf("%d %d, took %d\n", out[0], out[1], milliseconds > 0);
  cudaLaunchAttributeValue attribute = {};
  attribute.cooperative = 1;
  OK(cudaGraphKernelNodeSetAttribute(nodes[2], cudaKernelNodeAttributeCooperative, &attribute));
  attribute.cooperative = 0;
  OK(cudaGraphKernelNodeGetAttribute(nodes[2], cudaKernelNodeAttributeCooperative, &attribute));
  std::printf("cooperative %d, other %d\n", attribute.cooperative,
              cudaGraphKernelNodeSetAttribute(nodes[2], static_cast<cudaLaunchAttributeID>(99), &attribute));
  cudaGraph_t symbols;
  int in = 9, back = 0;
  OK(cudaGraphCreate(&symbols, 0));
  OK(cudaGraphAddMemcpyNodeToSymbol(&nodes[0], symbols, nullptr, 0, table, &in, 4, 8, cudaMemcpyHostToDevice));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&nodes[1], symbols, nodes, 1, &back, table, 4, 8, cudaMemcpyDeviceToHost));
  const cudaError_t outside = cudaGraphAddMemcpyNodeToSymbol(&nodes[2], symbols, nullptr, 0, table, &in, 4, 16, cudaMemcpyHostToDevice);
  OK(cudaGraphInstantiate(&exec, symbols, 0));
  in = 11;
  OK(cudaGraphLaunch(exec, stream));
  std::printf("symbol %d, outside %d\n", back, outside);
}
)";

}  // namespace

TEST_CASE("CU-19: a graph built by nodes runs them as their dependencies say, and with parameters that are set later, also recorded") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("nodes.cu", kNodes);
  const Ended live = wharf(folder, {"cuda", "nodes.cu", "--record", "nodes.wcr", "--out", "live", "--check=init,race,sync,bounds"});
  INFO(live.output);
  CHECK(live.exit_code == 0);
  CHECK_THAT(live.output, Contains("7 nodes, 1 roots, 7 edges, 2 before, 1 after\n"
                                   "0 0 2 1 3 5 4 of 7, last 1\n"
                                   "root 1, argument 3, kernel 1\n"
                                   "first 196635 196635, 1 calls\n"     // (0x10001 + 7 + 1) * 3
                                   "changed 303 590208\n"               // (0 + 100 + 1) * 3, and (196635 + 100 + 1) * 3
                                   "updated 196674 196674, result 0\n"  // (0x10001 + 20 + 1) * 3
                                   "6 nodes, 0, cudaErrorGraphExecUpdateFailure 2\n"
                                   "last 196674, 4 calls\n"));
  const auto result = read_json(folder / "live/result.json");
  CHECK(result["kernels"].size() == 3 * 4);
  std::ifstream dot(folder / "clone.dot");
  CHECK_THAT(std::string(std::istreambuf_iterator<char>(dot), {}),
             Contains("[label=\"kernel _Z3addPii\"]") && Contains("[label=\"graph\"]"));
  CHECK(wharf(folder, {"run", "private", "--stimulus", "cuda:nodes.wcr", "--out", "replayed"}).exit_code == 0);
  CHECK(result["kernels"] == read_json(folder / "replayed/result.json")["kernels"]);
}

TEST_CASE("CU-19: a captured graph has the same nodes as one built by hand, which tell their parameters and take others") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("captured.cu", kCaptured);
  const Ended ended = wharf(folder, {"cuda", "captured.cu"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("2 7 0 7 1 chain 1, fill 1 128 2, copy 128 1, value 5\n"
                                    "0 16843079, took 1\n"  // 0x01010101 + 70
                                    "cooperative 1, other 1\n"
                                    "symbol 11, outside 1\n"));
}

TEST_CASE("CU-19: nodes and edges that CUDA refuses return its errors") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("refused.cu", kRefused);
  const Ended ended = wharf(folder, {"cuda", "refused.cu", "--functional"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("9 1 0 1 1 1 0 1 0 0\n1 1 1 1 1 1 910 2 1 0\n"));
}

}  // namespace wharf::cli
