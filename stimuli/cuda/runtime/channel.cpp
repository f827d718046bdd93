#include "stimuli/cuda/runtime/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

#include "stimuli/cuda/recording/socket_frames.h"

namespace wharf::cuda::runtime {
namespace {

// The program's arguments for `wharf cuda` if the program was started without Wharf, and the path of Wharf.
constexpr const char* kArgumentsVariable = "WHARF_CUDA";
constexpr const char* kProgramVariable = "WHARF_PROGRAM";

/// Wharf has ended and has said why. What the program has buffered is still written.
[[noreturn]] void end_with_wharf() {
  std::fflush(nullptr);
  _exit(2);
}

[[noreturn]] void end_for_system_error(const std::string& what) { end_program(what + ": " + std::strerror(errno)); }

}  // namespace

void end_program(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "wharf: %s\n", message.c_str());
  std::fflush(stderr);
  _exit(2);
}

Channel::Channel() {
  if (const char* descriptors = std::getenv(kChannelVariable))
    inherit(descriptors);
  else if (std::getenv(kArgumentsVariable) != nullptr)
    start_wharf();
  else
    end_program(
        "this program uses Wharf's CUDA runtime library and was not started by Wharf; run it with `wharf cuda`, or set WHARF_CUDA to the "
        "arguments of `wharf cuda`, for example WHARF_CUDA='--config private'");
  map_memory();
  const Reply reply = exchange(RecordKind::hello, packed(Hello{kRecordVersion, static_cast<std::uint64_t>(getpid())}));
  device_ = unpacked<DeviceDescription>(reply.answer);
}

Channel::~Channel() { close(); }

void Channel::inherit(const char* descriptors) {
  if (std::sscanf(descriptors, "%d,%d", &socket_, &memory_) != 2 || fcntl(socket_, F_GETFD) < 0 || fcntl(memory_, F_GETFD) < 0)
    end_program(std::string(kChannelVariable) + " names no open descriptors; unset it: only Wharf sets it");
  // Programs that this one starts must not talk to our Wharf.
  fcntl(socket_, F_SETFD, FD_CLOEXEC);
  fcntl(memory_, F_SETFD, FD_CLOEXEC);
  unsetenv(kChannelVariable);
}

void Channel::start_wharf() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) end_for_system_error("cannot create a socket pair");
  memory_ = memfd_create("wharf-device-memory", MFD_CLOEXEC);
  if (memory_ < 0 || ftruncate(memory_, static_cast<off_t>(kMemorySpan)) != 0) end_for_system_error("cannot create the device memory");
  const char* program = std::getenv(kProgramVariable);
  if (program == nullptr) program = "wharf";

  std::vector<std::string> words = {program, "cuda", "--channel", std::to_string(ends[1]) + "," + std::to_string(memory_)};
  std::istringstream arguments(std::getenv(kArgumentsVariable));
  for (std::string word; arguments >> word;) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // Wharf must not preload this library into itself.
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0) environment.push_back(*variable);
  environment.push_back(nullptr);

  wharf_ = fork();
  if (wharf_ < 0) end_for_system_error("cannot start Wharf");
  if (wharf_ == 0) {
    fcntl(ends[1], F_SETFD, 0);
    fcntl(memory_, F_SETFD, 0);
    execvpe(program, argv.data(), environment.data());
    std::fprintf(stderr, "wharf: cannot start %s: %s; name the program in %s\n", program, std::strerror(errno), kProgramVariable);
    _exit(127);
  }
  ::close(ends[1]);
  socket_ = ends[0];
}

void Channel::map_memory() {
  // The program's view: nothing is accessible until the program allocates memory that the host may use.
  void* base = reinterpret_cast<void*>(kMemoryBase);
  if (mmap(base, kMemorySpan, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory_, 0) != base)
    end_for_system_error("the address range of the device memory is taken in this program");
  void* window = mmap(nullptr, kMemorySpan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory_, 0);
  if (window == MAP_FAILED) end_for_system_error("cannot map the device memory (is the address space limited, as by ulimit -v?)");
  window_ = static_cast<char*>(window);
}

void Channel::allow_host_access(std::uint64_t address, std::uint64_t bytes, bool allowed) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = address / page * page, end = (address + bytes + page - 1) / page * page;
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, allowed ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
    end_for_system_error("cannot change the protection of the device memory");
}

Reply Channel::exchange(RecordKind kind, const std::string& body) {
  if (socket_ < 0) end_program("the program uses CUDA after its last module has been unregistered");
  Reply reply;
  try {
    send_record(socket_, kind, body);
    RecordKind answered;
    std::string bytes;
    if (!receive_record(socket_, answered, bytes)) end_with_wharf();
    reply = unpacked<Reply>(bytes);
  } catch (const SocketError&) {
    if (wharf_ > 0) end_with_wharf();
    end_program("the connection to Wharf broke; see the messages above");
  } catch (const DamagedRecord& error) {
    end_program(std::string("the connection to Wharf failed: ") + error.what());
  }
  if (!reply.printed.empty()) {
    std::fwrite(reply.printed.data(), 1, reply.printed.size(), stdout);
    std::fflush(stdout);
  }
  if (reply.stop) end_program(reply.message);
  return reply;
}

void Channel::close() {
  if (socket_ < 0) return;
  ::close(socket_);
  socket_ = -1;
  if (wharf_ > 0) waitpid(wharf_, nullptr, 0);
  wharf_ = -1;
}

}  // namespace wharf::cuda::runtime
