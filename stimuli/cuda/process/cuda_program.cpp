#include "stimuli/cuda/process/cuda_program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "model/base/error.h"
#include "stimuli/cuda/recording/socket_frames.h"

namespace wharf::cuda {

CudaProgram::CudaProgram(const ProgramStart& start, const DeviceDescription& device, DeviceMemory& memory, CommandListener& listener,
                         std::unique_ptr<RecordingWriter> recording)
    : interpreter_(memory, listener), device_(device), recording_(std::move(recording)), name_(start.command.at(0)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw InputError(fmt::format("cannot create a socket pair: {}; close other programs", std::strerror(errno)));
  socket_ = ends[0];
  try {
    process_ = start_program(start, ends[1], memory.descriptor());
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
}

CudaProgram::CudaProgram(int socket, const DeviceDescription& device, DeviceMemory& memory, CommandListener& listener,
                         std::unique_ptr<RecordingWriter> recording)
    : interpreter_(memory, listener), device_(device), recording_(std::move(recording)), name_("the program"), socket_(socket) {
  fcntl(socket_, F_SETFD, FD_CLOEXEC);
}

CudaProgram::~CudaProgram() {
  if (process_ > 0) end_process();
  if (socket_ >= 0) close(socket_);
}

/// A program that waits for an answer learns that there will be none, writes what it has buffered, and ends. Others are asked, then killed.
/// Returns the exit status.
int CudaProgram::end_process() {
  close(socket_);
  socket_ = -1;
  constexpr int kNone = 0;
  int status = 0;
  for (const int signal : {kNone, SIGTERM, SIGKILL}) {
    kill(process_, signal);
    for (int tries = 0; tries < 100; ++tries) {
      if (waitpid(process_, &status, WNOHANG) == process_) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return status;
}

const LaunchRecord* CudaProgram::next_launch() {
  while (serve_one())
    if (launching_) return &launch_;
  return nullptr;
}

void CudaProgram::complete_launch(const LaunchResult& result) {
  launching_ = false;
  record(RecordKind::launch_size, LaunchSizeRecord{result.warp_instructions});
  if (result.error != 0) record(RecordKind::launch_error, LaunchErrorRecord{static_cast<std::uint32_t>(result.error)});
  record(RecordKind::launch, launch_);
  host_visible_.accept_changes();
  Reply done;
  done.error = result.error;
  done.printed = result.printed;
  reply(done);
}

int CudaProgram::wait() {
  if (recording_ != nullptr) recording_->close();
  recording_.reset();
  if (process_ < 0) return 0;
  int status = 0;
  // It may be stopped while it ends as well.
  for (pid_t ended = 0; ended != process_;) {
    if (stopped()) {
      status = end_process();
      break;
    }
    ended = waitpid(process_, &status, stop_ ? WNOHANG : 0);
    if (ended < 0 && errno != EINTR) break;
    if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Waits for a command, or the end of the stream. Returns false where the program is to be stopped before.
bool CudaProgram::calls() {
  if (!stop_) return true;
  constexpr int kAskedEveryMs = 100;
  pollfd channel = {socket_, POLLIN, 0};
  while (poll(&channel, 1, kAskedEveryMs) <= 0)
    if (stop_()) return false;
  return true;
}

/// Returns false at the end of the program's commands.
bool CudaProgram::serve_one() {
  RecordKind kind;
  std::string body;
  try {
    if (ended_ || is_gone_ || !calls() || !receive_record(socket_, kind, body)) return false;
    Reply answered = answer(kind, body);
    if (!launching_) reply(answered);
  } catch (const DamagedRecord& damage) {
    throw InputError(fmt::format("{}: its runtime library sent a command that cannot be right: {}; link it with this Wharf's libcudart",
                                 name_, damage.what()));
  } catch (const SocketError& error) {
    throw InputError(fmt::format("{}: {}; see its own messages", name_, error.what()));
  }
  return true;
}

/// Where the program has died meanwhile, its exit code says how.
void CudaProgram::reply(const Reply& reply) {
  try {
    send_record(socket_, RecordKind::hello, packed(reply));
  } catch (const SocketError&) {
    is_gone_ = true;
  }
}

}  // namespace wharf::cuda
