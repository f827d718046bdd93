#include "stimuli/cuda/runtime/session.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace wharf::cuda::runtime {
namespace {

Session* current = nullptr;  // never destroyed: destructors of the program's globals may still call the API
struct sigaction previous_handler;

const char* name_of(AllocationKind kind) { return kind == AllocationKind::array ? "cudaMallocArray" : "cudaMalloc"; }

/// The host has accessed memory that only the device may access. Says which, then lets the program crash as it would on a discrete GPU.
void report_fault(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (current != nullptr && address >= kMemoryBase && address < kMemoryBase + kMemorySpan) {
    char text[256];
    const Allocation* allocation = current->heap.find(address);
    const int length =
        allocation != nullptr
            ? std::snprintf(
                  text, sizeof text,
                  "wharf: host code accesses device memory at 0x%llx, byte %llu of allocation %llu (%s of %llu bytes); copy it with "
                  "cudaMemcpy, or allocate it with cudaMallocManaged\n",
                  static_cast<unsigned long long>(address), static_cast<unsigned long long>(address - allocation->address),
                  static_cast<unsigned long long>(allocation->number), name_of(allocation->kind),
                  static_cast<unsigned long long>(allocation->bytes))
            : std::snprintf(text, sizeof text, "wharf: host code accesses the device address 0x%llx, which belongs to no allocation\n",
                            static_cast<unsigned long long>(address));
    if (length > 0 && write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0) {
      // Nothing can be done about it here.
    }
  }
  sigaction(signal, &previous_handler, nullptr);  // the access is repeated, and meets the program's own handler, or ends the program
}

void refuse_after_fork() {
  if (current == nullptr) return;
  current->ended = true;
}

Session* begin_session() {
  auto* session = new Session;
  struct sigaction handler = {};
  handler.sa_sigaction = report_fault;
  handler.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &handler, &previous_handler);
  pthread_atfork(nullptr, nullptr, refuse_after_fork);
  return session;
}

}  // namespace

std::recursive_mutex& session_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

Session& session() {
  if (current == nullptr) current = begin_session();
  return *current;
}

void note_thread(Session& session) {
  if (session.warned_of_threads || std::this_thread::get_id() == session.thread) return;
  session.warned_of_threads = true;
  std::fputs("wharf: warning: two host threads use CUDA; the order of their calls is not reproducible; record the program and replay it\n",
             stderr);
}

const Allocation* allocate_memory(Session& session, std::uint64_t bytes, AllocationKind kind) {
  constexpr unsigned kMib = 20;
  const Allocation* const allocation = session.heap.allocate(bytes, kind);
  if (allocation != nullptr || session.warned_of_memory) return allocation;
  session.warned_of_memory = true;
  std::fprintf(
      stderr,
      "wharf: warning: an allocation of %llu bytes returns cudaErrorMemoryAllocation: the device has %llu MiB, of which %llu bytes are "
      "used; give it more with `--set cuda.memory_mib=N`\n",
      static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(session.heap.capacity() >> kMib),
      static_cast<unsigned long long>(session.heap.used()));
  return nullptr;
}

bool is_fault(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

cudaError_t remember(Session& session, cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) session.last_error = error;
  if (is_fault(error)) session.fault = error;
  return error;
}

void end_session(Session& session) {
  if (session.ended) return;
  StatisticsRecord statistics;
  for (const auto& [function, calls] : session.calls) statistics.calls.push_back({function, calls});
  session.channel.send(RecordKind::statistics, statistics);
  session.channel.send(RecordKind::end, EndRecord{});
  session.channel.close();
  session.ended = true;
}

}  // namespace wharf::cuda::runtime
