#pragma once
// Graphs: nodes of work with dependencies. Kernels never overlap (CU-16), so a graph runs its nodes one after the other: in the order of their
// creation, which for captured ones is that of their submission, and each behind those on which it depends.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stimuli/cuda/runtime/launch_attributes.h"
#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// A command of a stream with its arguments. Returns its error when it runs.
using Command = std::function<cudaError_t(Session&)>;

/// The arguments of a launch: the parameter block, and a pointer to each parameter in it.
struct KernelArguments {
  std::string bytes;
  std::vector<void*> pointers;
};
struct KernelParameters {
  cudaKernelNodeParams launch;  // kernelParams points into `arguments`
  std::shared_ptr<KernelArguments> arguments;
  LaunchAttributes attributes;
};

using ChildGraph = std::shared_ptr<CUgraph_st>;

/// What a program may read and replace of a node. Copies and fills that one node of the API cannot describe have none.
using NodeParameters =
    std::variant<std::monostate, KernelParameters, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams, cudaEvent_t, ChildGraph>;

/// What a stream runs or a node holds. A child graph is among the parameters, and has no command.
struct Work {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Command command = {};
  NodeParameters parameters = {};
};

}  // namespace wharf::cuda::runtime

/// Living nodes and graphs are in the session's sets, so that any handle can be checked.
struct CUgraphNode_st {
  CUgraphNode_st(CUgraph_st* in_graph, wharf::cuda::runtime::Work does, std::uint64_t copied_from);
  ~CUgraphNode_st();
  CUgraphNode_st(const CUgraphNode_st&) = delete;

  const std::uint64_t number;       // from 1, over all graphs
  const std::uint64_t copied_from;  // the number of the node in the graph of which this one's is a copy; 0: none
  CUgraph_st* const graph;
  wharf::cuda::runtime::Work work;
  std::vector<cudaGraphNode_t> dependencies = {};
};
struct CUgraph_st {
  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;

  bool belongs_to_program = false;  // not to a capture, a node or an executable graph, which end it
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};
};
struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;  // a copy, its nodes in the order in which they run
};

namespace wharf::cuda::runtime {

/// Adds a node. The graph of a node with a child graph is a copy.
cudaGraphNode_t add_node(CUgraph_st& graph, Work work, std::vector<cudaGraphNode_t> dependencies);
/// Fills an empty graph with copies of the nodes of another one.
void copy_nodes(CUgraph_st& copy, const CUgraph_st& graph);
/// The copy of `node` in a copy of its graph or of a graph around it, or nullptr.
cudaGraphNode_t find_copy(const CUgraph_st& copy, const CUgraphNode_st& node);
/// Puts the nodes, also those of child graphs, into the order in which they run. Returns false where dependencies form a cycle.
bool sort(CUgraph_st& graph);
/// Runs a command, or the nodes of a child graph up to the first error, which it returns.
cudaError_t run(Session& session, const Work& work);

/// Makes the work of nodes. They return cudaErrorInvalidValue, or a launch's error, where such work cannot run.
cudaError_t make_work(Session& session, const cudaKernelNodeParams& launch, LaunchAttributes attributes, Work& work);
cudaError_t make_work(Session& session, const cudaMemcpy3DParms& copy, Work& work);
cudaError_t make_work(Session& session, const cudaMemsetParams& fill, Work& work);
cudaError_t make_work(Session& session, const cudaHostNodeParams& call, Work& work);

/// The parameters of a copy of bytes, and of one of rows.
cudaMemcpy3DParms copy_parameters(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaMemcpy3DParms copy_parameters(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind);

}  // namespace wharf::cuda::runtime
