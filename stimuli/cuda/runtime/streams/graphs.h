#pragma once
// Graphs, which stream capture makes: the commands of the captured streams in the order of their submission. That order respects streams and
// events, so a launch repeats it (CU-16).

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/cuda/runtime/session.h"

namespace wharf::cuda::runtime {

/// A command of a stream with its arguments. Returns its error when it runs.
using Command = std::function<cudaError_t(Session&)>;

}  // namespace wharf::cuda::runtime

struct CUgraph_st {
  std::uint64_t number;  // from 1, in the order of captures
  cudaStream_t origin;   // where the capture began
  bool is_invalid = false;
  std::vector<wharf::cuda::runtime::Command> commands = {};
};
struct CUgraphExec_st {
  std::shared_ptr<const std::vector<wharf::cuda::runtime::Command>> commands;
};

namespace wharf::cuda::runtime {

/// The graph that captures the stream, or nullptr.
inline CUgraph_st* capture_of(const Session& session, cudaStream_t stream) {
  const auto found = session.captures.find(stream);
  return found == session.captures.end() ? nullptr : found->second;
}

/// Runs a command, or adds it to the graph that captures the stream. It must hold its arguments itself.
inline cudaError_t submit(Session& session, cudaStream_t stream, Command command) {
  CUgraph_st* const graph = capture_of(session, stream);
  if (graph == nullptr) return command(session);
  graph->commands.push_back(std::move(command));
  return cudaSuccess;
}

/// The frame of a function that submits a command to a stream.
template <class Body>
cudaError_t stream_call(const char* function, cudaStream_t stream, Body body) {
  return api_call(function, [&](Session& session) { return submit(session, stream, std::move(body)); });
}

/// Ends the program where the stream is captured and a graph cannot hold the function's command.
inline void refuse_in_capture(const Session& session, cudaStream_t stream, const char* function, const char* remedy) {
  if (capture_of(session, stream) != nullptr)
    end_program(std::string(function) + " is not supported in a stream that is captured; " + remedy);
}

}  // namespace wharf::cuda::runtime
