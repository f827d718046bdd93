#include "platforms/virtual/command_processor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "model/base/stats/stats.h"

namespace wharf::vp {

namespace {

static_assert(sizeof(wharf_gpu_command) == 256, "the ring's places are 256 bytes apart");
constexpr std::uint32_t kLargestRing = 4096;

const sc_core::sc_time& completion_time() {
  static const sc_core::sc_time time(100, sc_core::SC_NS);  // from the last CTA's end to what the host sees
  return time;
}

void fill(tlm::tlm_generic_payload& transaction, tlm::tlm_command command, Address address, void* data, unsigned bytes) {
  transaction.set_command(command);
  transaction.set_address(address);
  transaction.set_data_ptr(static_cast<unsigned char*>(data));
  transaction.set_data_length(bytes);
  transaction.set_streaming_width(bytes);
}

std::string_view name_in(const wharf_gpu_command& command) { return {command.name, strnlen(command.name, WHARF_GPU_NAME_BYTES)}; }

}  // namespace

CommandProcessor::CommandProcessor(sc_core::sc_module_name name, Simulation& gpu, spmd::DeviceWorkload& workload, spmd::Memory& image,
                                   Host host)
    : RegisterDevice(name, WHARF_GPU_BYTES, 4), gpu_(gpu), workload_(workload), image_(image), host_(std::move(host)) {
  workload_.drained = [this] { drained_.notify(completion_time()); };
  SC_THREAD(serve);
}

bool CommandProcessor::peek(std::uint64_t offset, std::uint32_t& value) {
  if (offset >= WHARF_GPU_LAST && offset < WHARF_GPU_LAST + 8 * last_.size()) {
    const std::uint64_t count = last_[(offset - WHARF_GPU_LAST) / 8];
    value = static_cast<std::uint32_t>(offset % 8 == 0 ? count : count >> 32);
    return true;
  }
  const bool failed = error_ != WHARF_GPU_ERROR_NONE;
  switch (offset) {
    case WHARF_GPU_ID:
      return value = WHARF_GPU_ID_VALUE, true;
    case WHARF_GPU_VERSION:
      return value = WHARF_GPU_VERSION_VALUE, true;
    case WHARF_GPU_STATUS:
      return value = (busy() ? WHARF_GPU_STATUS_BUSY : 0) | (failed ? WHARF_GPU_STATUS_ERROR : 0), true;
    case WHARF_GPU_CONTROL:
      return value = 0, true;
    case WHARF_GPU_RING_BASE:
      return value = static_cast<std::uint32_t>(ring_), true;
    case WHARF_GPU_RING_BASE + 4:
      return value = static_cast<std::uint32_t>(ring_ >> 32), true;
    case WHARF_GPU_RING_SIZE:
      return value = size_, true;
    case WHARF_GPU_RING_TAIL:
      return value = tail_, true;
    case WHARF_GPU_RING_HEAD:
      return value = head_, true;
    case WHARF_GPU_ERROR:
      return value = error_, true;
    case WHARF_GPU_ERROR_ARGUMENT:
      return value = error_argument_, true;
    case WHARF_GPU_ERROR_COMMAND:
      return value = error_command_, true;
    case WHARF_GPU_INTERRUPT:
      return value = interrupt_, true;
    case WHARF_GPU_KERNELS:
      return value = kernels_, true;
    default:
      return false;
  }
}

bool CommandProcessor::read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  return peek(offset, value);
}

bool CommandProcessor::write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) {
  wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  switch (offset) {
    case WHARF_GPU_CONTROL:
      if ((value & WHARF_GPU_CONTROL_RESET) != 0) reset();
      return true;
    case WHARF_GPU_RING_TAIL:
      ring_doorbell(value);
      return true;
    case WHARF_GPU_INTERRUPT:
      interrupt_ &= ~value;
      update_interrupt();
      return true;
    default:
      return set_ring(offset, value);
  }
}

bool CommandProcessor::set_ring(std::uint64_t offset, std::uint32_t value) {
  constexpr Address kLow = 0xFFFFFFFFu;
  if (offset != WHARF_GPU_RING_BASE && offset != WHARF_GPU_RING_BASE + 4 && offset != WHARF_GPU_RING_SIZE) return false;
  if (busy()) {
    fail({WHARF_GPU_ERROR_BUSY});
  } else if (offset == WHARF_GPU_RING_BASE) {
    ring_ = (ring_ & ~kLow) | value;
  } else if (offset == WHARF_GPU_RING_BASE + 4) {
    ring_ = (ring_ & kLow) | Address{value} << 32;
  } else {
    size_ = value;
  }
  return true;
}

void CommandProcessor::ring_doorbell(std::uint32_t tail) {
  if (error_ != WHARF_GPU_ERROR_NONE) return;
  const bool possible = ring_ % sizeof(wharf_gpu_command) == 0 && size_ != 0 && size_ <= kLargestRing && (size_ & (size_ - 1)) == 0;
  if (!possible) return fail({WHARF_GPU_ERROR_RING});
  if (tail - head_ > size_) return fail({WHARF_GPU_ERROR_OVERFLOW});
  while (tail_ != tail) share_arrays(tail_++);
  work_.notify(sc_core::SC_ZERO_TIME);
}

/// At the doorbell and not when the kernel starts: by then a host that goes on may have run ahead with its pointers.
void CommandProcessor::share_arrays(std::uint32_t number) {
  wharf_gpu_command command{};
  tlm::tlm_generic_payload transaction;
  fill(transaction, tlm::TLM_READ_COMMAND, place_of(number), &command, sizeof command);
  if (memory->transport_dbg(transaction) != sizeof command || command.kind != WHARF_GPU_COMMAND_LAUNCH) return;
  const spmd::DeviceKernel* kernel = spmd::find_device_kernel(name_in(command));
  if (kernel == nullptr || command.argument_count != kernel->parameters.size()) return;
  try {
    for (std::uint32_t i = 0; i < command.argument_count; ++i) {
      const spmd::DeviceArgument array = argument(command.arguments[i], kernel->parameters[i], i);
      if (array.data != nullptr) host_.shares(array.base, array.elements * kernel->parameters[i].element_bytes);
    }
  } catch (const Failure&) {
    return;  // reported when the command's turn comes
  }
}

void CommandProcessor::reset() {
  if (busy()) return fail({WHARF_GPU_ERROR_BUSY});
  ring_ = 0;
  size_ = tail_ = head_ = interrupt_ = error_argument_ = error_command_ = 0;
  error_ = WHARF_GPU_ERROR_NONE;
  update_interrupt();
}

void CommandProcessor::fail(const Failure& failure) {
  error_ = failure.error;
  error_argument_ = failure.argument;
  error_command_ = head_;
  interrupt_ |= WHARF_GPU_INTERRUPT_ERROR;
  update_interrupt();
}

void CommandProcessor::serve() {
  for (;;) {
    while (!busy()) wait(work_);
    try {
      execute(fetch());
      if (error_ != WHARF_GPU_ERROR_NONE) continue;  // the host has meddled meanwhile
      ++head_;
    } catch (const Failure& failure) {
      fail(failure);
    }
    host_.ended();
    update_interrupt();
  }
}

void CommandProcessor::transport(tlm::tlm_command command, Address address, void* data, unsigned bytes) {
  tlm::tlm_generic_payload transaction;
  fill(transaction, command, address, data, bytes);
  sc_core::sc_time delay;
  memory->b_transport(transaction, delay);
  wait(delay);
  if (!transaction.is_response_ok()) throw Failure{command == tlm::TLM_READ_COMMAND ? WHARF_GPU_ERROR_RING : WHARF_GPU_ERROR_UNMAPPED};
}

wharf_gpu_command CommandProcessor::fetch() {
  wharf_gpu_command command;
  transport(tlm::TLM_READ_COMMAND, place_of(head_), &command, sizeof command);
  return command;
}

void CommandProcessor::execute(const wharf_gpu_command& command) {
  switch (command.kind) {
    case WHARF_GPU_COMMAND_LAUNCH:
      launch(command);
      break;
    case WHARF_GPU_COMMAND_FENCE:
      fence(command);
      break;
    default:
      throw Failure{WHARF_GPU_ERROR_COMMAND_KIND};
  }
  if ((command.flags & WHARF_GPU_FLAG_INTERRUPT) != 0) interrupt_ |= WHARF_GPU_INTERRUPT_DONE;
}

void CommandProcessor::launch(const wharf_gpu_command& command) {
  const spmd::DeviceKernel* kernel = spmd::find_device_kernel(name_in(command));
  if (kernel == nullptr) throw Failure{WHARF_GPU_ERROR_UNKNOWN_KERNEL};
  const auto count = static_cast<std::uint32_t>(kernel->parameters.size());
  if (command.argument_count != count) throw Failure{WHARF_GPU_ERROR_ARGUMENT_COUNT, count};
  std::vector<spmd::DeviceArgument> arguments;
  for (std::uint32_t i = 0; i < count; ++i) arguments.push_back(argument(command.arguments[i], kernel->parameters[i], i));
  try {
    workload_.launch(kernel->make({*kernel, std::move(arguments)}));
  } catch (const spmd::BadArgument& bad) {
    throw Failure{bad.too_small ? WHARF_GPU_ERROR_TOO_SMALL : WHARF_GPU_ERROR_RANGE, static_cast<std::uint32_t>(bad.index)};
  }
  gpu_.resume();
  wait(drained_);
  ++kernels_;
  note_counts();
}

spmd::DeviceArgument CommandProcessor::argument(const wharf_gpu_argument& given, const spmd::DeviceParameter& parameter,
                                                std::uint32_t index) const {
  spmd::DeviceArgument argument;
  if (parameter.kind != spmd::DeviceParameter::Kind::array) {
    if (parameter.kind == spmd::DeviceParameter::Kind::integer)
      argument.number = static_cast<double>(static_cast<std::int64_t>(given.value));
    else
      std::memcpy(&argument.number, &given.value, sizeof argument.number);
    // Written so that a NaN is refused.
    if (!(argument.number >= parameter.low && argument.number <= parameter.high)) throw Failure{WHARF_GPU_ERROR_RANGE, index};
    return argument;
  }
  const std::uint32_t bytes = parameter.element_bytes;
  if (given.value % (bytes & (~bytes + 1)) != 0) throw Failure{WHARF_GPU_ERROR_MISALIGNED, index};
  if (given.elements == 0) throw Failure{WHARF_GPU_ERROR_TOO_SMALL, index};
  if (given.elements > spmd::Memory::kMostElements) throw Failure{WHARF_GPU_ERROR_RANGE, index};
  const std::uint64_t last = given.value + given.elements * bytes - 1;
  argument = {given.value, image_.find(given.value), given.elements, 0};
  if (argument.data == nullptr || last < given.value || image_.find(last) == nullptr) throw Failure{WHARF_GPU_ERROR_UNMAPPED, index};
  return argument;
}

void CommandProcessor::fence(const wharf_gpu_command& command) {
  if (command.argument_count != 1) throw Failure{WHARF_GPU_ERROR_ARGUMENT_COUNT, 1};
  wharf_gpu_argument fence = command.arguments[0];
  if (fence.value % sizeof fence.elements != 0) throw Failure{WHARF_GPU_ERROR_MISALIGNED};
  transport(tlm::TLM_WRITE_COMMAND, fence.value, &fence.elements, sizeof fence.elements);
}

/// The recorder has closed the kernel's interval: at the end of the instant in which it drained.
void CommandProcessor::note_counts() {
  const Interval& kernel = gpu_.kernels().back();
  const stats::View view(gpu_.statistics(), kernel.begin, kernel.end);
  last_[WHARF_GPU_CYCLES] = kernel.cycles();
  last_[WHARF_GPU_NS] = kernel.duration() / 1000;
  last_[WHARF_GPU_INSTRUCTIONS] = view.sum("sm.warp_instructions");
  last_[WHARF_GPU_SECTORS] = view.sum("sm.sectors.loaded");
  last_[WHARF_GPU_L1_SECTORS] = view.sum("sm.sectors.own_l1") + view.sum("sm.sectors.other_l1");
  last_[WHARF_GPU_L2_ACCESSES] = view.sum("l2.accesses");
  last_[WHARF_GPU_DRAM_READS] = view.sum("dram.reads");
}

}  // namespace wharf::vp
