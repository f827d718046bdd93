// The commands of a running program: each is applied, put on record, and answered.

#include <fmt/core.h>

#include "stimuli/cuda/modules/module_image.h"
#include "stimuli/cuda/process/cuda_program.h"

namespace wharf::cuda {
namespace {

// The errors of the API that a query may have.
constexpr int kInvalidSymbol = 13, kInvalidDeviceFunction = 98;

}  // namespace

template <class Record>
void CudaProgram::record(RecordKind kind, const Record& record) {
  if (recording_ != nullptr) recording_->write(kind, record);
}

template <class Record>
void CudaProgram::apply(RecordKind kind, const std::string& body) {
  const auto applied = unpacked<Record>(body);
  interpreter_.apply(applied);
  record(kind, applied);
}

Reply CudaProgram::answer(RecordKind kind, const std::string& body) {
  switch (kind) {
    case RecordKind::module:
      load_module(body);
      break;
    case RecordKind::function:
      apply<FunctionRecord>(kind, body);
      break;
    case RecordKind::variable:
      apply<VariableRecord>(kind, body);
      break;
    case RecordKind::texture:
      apply<TextureRecord>(kind, body);
      break;
    case RecordKind::allocate:
    case RecordKind::release:
    case RecordKind::write:
    case RecordKind::fill:
    case RecordKind::copy:
    case RecordKind::read:
      apply_to_memory(kind, body);
      break;
    case RecordKind::launch_attributes:
      apply<LaunchAttributesRecord>(kind, body);
      break;
    case RecordKind::cooperative_launch:
      apply<CooperativeLaunchRecord>(kind, body);
      break;
    case RecordKind::launch:
      begin_launch(body);
      break;
    case RecordKind::bind_texture:
      apply<BindTextureRecord>(kind, body);
      break;
    case RecordKind::unbind_texture:
      apply<UnbindTextureRecord>(kind, body);
      break;
    case RecordKind::limit:
      apply<LimitRecord>(kind, body);
      break;
    case RecordKind::region:
      apply<RegionRecord>(kind, body);
      break;
    case RecordKind::refused_launch:
      apply<RefusedLaunchRecord>(kind, body);
      break;
    case RecordKind::statistics:
      apply<StatisticsRecord>(kind, body);
      break;
    case RecordKind::end:
      record(kind, EndRecord{});
      ended_ = true;
      break;
    default:
      return answer_query(kind, body);
  }
  return {};
}

/// The program has changed the memory already. The copies of host-visible memory follow, so that the change counts as the command's.
void CudaProgram::apply_to_memory(RecordKind kind, const std::string& body) {
  switch (kind) {
    case RecordKind::allocate:
      apply<AllocateRecord>(kind, body);
      make_host_visible(unpacked<AllocateRecord>(body));
      break;
    case RecordKind::release:
      host_visible_.remove(unpacked<ReleaseRecord>(body).address);
      apply<ReleaseRecord>(kind, body);
      break;
    case RecordKind::write: {
      const auto write = unpacked<WriteRecord>(body);
      interpreter_.apply(write);
      host_visible_.accept_changes(write.address, write.bytes);
      record_write(write.address, write.bytes);
      break;
    }
    case RecordKind::fill: {
      apply<FillRecord>(kind, body);
      const auto fill = unpacked<FillRecord>(body);
      host_visible_.accept_changes(fill.address, fill.bytes);
      break;
    }
    case RecordKind::copy: {
      apply_host_stores();  // what is copied may be what the host has stored
      apply<CopyRecord>(kind, body);
      break;
    }
    case RecordKind::read: {
      auto read = unpacked<ReadRecord>(body);
      interpreter_.apply(read);
      if (recording_ != nullptr) read.hash = interpreter_.hash_of(read);
      record(kind, read);
      break;
    }
    default:
      break;
  }
}

void CudaProgram::make_host_visible(const AllocateRecord& allocation) {
  if (allocation.kind == AllocationKind::pinned || allocation.kind == AllocationKind::managed)
    host_visible_.add(allocation.address, allocation.bytes);
}

Reply CudaProgram::answer_query(RecordKind kind, const std::string& body) {
  Reply answer;
  switch (kind) {
    case RecordKind::hello: {
      const auto hello = unpacked<Hello>(body);
      if (hello.version != kRecordVersion)
        throw DamagedRecord(fmt::format("it speaks version {} of the protocol, not {}", hello.version, kRecordVersion));
      answer.answer = packed(device_);
      break;
    }
    case RecordKind::kernel_query: {
      const auto function = unpacked<FunctionRecord>(body);
      KernelDescription description;
      if (interpreter_.listener().describe_kernel(function.module, function.name, description))
        answer.answer = packed(description);
      else
        answer.error = kInvalidDeviceFunction;
      break;
    }
    case RecordKind::variable_query:
    case RecordKind::managed_query: {
      const auto variable = unpacked<VariableRecord>(body);
      VariablePlace place;
      if (!interpreter_.listener().place_variable(variable.module, variable.name, place)) {
        answer.error = kInvalidSymbol;
        break;
      }
      if (kind == RecordKind::managed_query) host_visible_.add(place.address, place.bytes);
      answer.answer = packed(place);
      break;
    }
    case RecordKind::time_query:
      answer.answer = packed(SimulatedTime{interpreter_.listener().simulated_seconds()});
      break;
    default:
      throw DamagedRecord(fmt::format("record kind {} is not known", static_cast<std::uint32_t>(kind)));
  }
  return answer;
}

void CudaProgram::apply_host_stores() {
  host_visible_.find_changes([this](std::uint64_t address, std::uint64_t bytes) {
    interpreter_.listener().on_write(address, bytes);
    record_write(address, bytes);
  });
}

void CudaProgram::load_module(const std::string& body) {
  auto module = unpacked<ModuleRecord>(body);
  module.ptx = read_module_image(module.image, name_);
  module.image.clear();
  interpreter_.apply(module);
  record(RecordKind::module, module);
}

void CudaProgram::begin_launch(const std::string& body) {
  launch_ = unpacked<LaunchRecord>(body);
  interpreter_.check(launch_);
  apply_host_stores();
  launching_ = true;
}

void CudaProgram::record_write(std::uint64_t address, std::uint64_t bytes) {
  if (recording_ != nullptr) recording_->write_data(address, {reinterpret_cast<const char*>(DeviceMemory::at(address)), bytes});
}

}  // namespace wharf::cuda
