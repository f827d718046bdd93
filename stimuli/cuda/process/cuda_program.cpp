#include "stimuli/cuda/process/cuda_program.h"

#include <fcntl.h>
#include <fmt/core.h>
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
  if (socket_ >= 0) close(socket_);
  if (process_ > 0 && !ends_soon()) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
}

/// A program that waits for an answer learns that there will be none, writes what it has buffered, and ends.
bool CudaProgram::ends_soon() const {
  for (int tries = 0; tries < 100; ++tries) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
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
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Returns false at the end of the program's commands.
bool CudaProgram::serve_one() {
  RecordKind kind;
  std::string body;
  try {
    if (ended_ || !receive_record(socket_, kind, body)) return false;
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

void CudaProgram::reply(const Reply& reply) { send_record(socket_, RecordKind::hello, packed(reply)); }

}  // namespace wharf::cuda
