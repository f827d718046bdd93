#include "stimuli/cuda/recording/recorded_program.h"

#include <fmt/core.h>

#include "model/base/error.h"

namespace wharf::cuda {

RecordedProgram::RecordedProgram(const std::string& path, DeviceMemory& memory, CommandListener& listener, Mismatch on_mismatch)
    : file_(path), interpreter_(memory, listener), on_mismatch_(on_mismatch) {}

const LaunchRecord* RecordedProgram::next_launch() {
  RecordKind kind;
  std::string body;
  while (file_.next(kind, body)) {
    try {
      if (kind == RecordKind::launch) {
        launch_ = unpacked<LaunchRecord>(body);
        interpreter_.check(launch_);
        ++launches_;
        return &launch_;
      }
      replay(kind, body);
    } catch (const DamagedRecord& damage) {
      file_.damaged(damage.what());
    }
  }
  return nullptr;
}

void RecordedProgram::complete_launch(const LaunchResult& result) {
  if (!compares_ || static_cast<std::uint32_t>(result.error) == launch_.error) return;
  const auto outcome = [](std::uint32_t error) { return error == 0 ? "succeeded" : fmt::format("failed with CUDA error {}", error); };
  throw SimulationError(fmt::format(
      "launch {} of the recording, kernel {}, {} here, but {} when the program was recorded; run the program itself to see what "
      "it does then",
      launches_, launch_.kernel, outcome(static_cast<std::uint32_t>(result.error)), outcome(launch_.error)));
}

void RecordedProgram::replay(RecordKind kind, const std::string& body) {
  const auto apply = [&](auto record) { interpreter_.apply(record); };
  const auto store = [&](auto record) {
    interpreter_.store(record);
    interpreter_.apply(record);
  };
  switch (kind) {
    case RecordKind::module:
      return apply(unpacked<ModuleRecord>(body));
    case RecordKind::function:
      return apply(unpacked<FunctionRecord>(body));
    case RecordKind::variable:
      return apply(unpacked<VariableRecord>(body));
    case RecordKind::texture:
      return apply(unpacked<TextureRecord>(body));
    case RecordKind::allocate:
      return apply(unpacked<AllocateRecord>(body));
    case RecordKind::release:
      return apply(unpacked<ReleaseRecord>(body));
    case RecordKind::write:
      return store(unpacked<WriteRecord>(body));
    case RecordKind::fill:
      return store(unpacked<FillRecord>(body));
    case RecordKind::copy:
      return store(unpacked<CopyRecord>(body));
    case RecordKind::read:
      return replay_read(unpacked<ReadRecord>(body));
    case RecordKind::bind_texture:
      return apply(unpacked<BindTextureRecord>(body));
    case RecordKind::unbind_texture:
      return apply(unpacked<UnbindTextureRecord>(body));
    case RecordKind::limit:
      return apply(unpacked<LimitRecord>(body));
    case RecordKind::region:
      return apply(unpacked<RegionRecord>(body));
    case RecordKind::statistics:
      return apply(unpacked<StatisticsRecord>(body));
    case RecordKind::launch_attributes:
      return apply(unpacked<LaunchAttributesRecord>(body));
    case RecordKind::launch_size:
      return apply(unpacked<LaunchSizeRecord>(body));
    case RecordKind::launch_error:
      return apply(unpacked<LaunchErrorRecord>(body));
    case RecordKind::refused_launch:
      return apply(unpacked<RefusedLaunchRecord>(body));
    case RecordKind::cooperative_launch:
      return apply(unpacked<CooperativeLaunchRecord>(body));
    default:
      throw DamagedRecord(fmt::format("record kind {} is not known", static_cast<std::uint32_t>(kind)));
  }
}

void RecordedProgram::replay_read(const ReadRecord& read) {
  if (compares_ && interpreter_.hash_of(read) != read.hash) {
    if (on_mismatch_ == Mismatch::stop)
      throw SimulationError(fmt::format(
          "record {}, after launch {}: the {} bytes at {:#x} that the host reads differ from those when the program was recorded; the "
          "program has a race, adds floats atomically or reads a clock; replay with `--replay loose` to go on",
          file_.record_number(), launches_, read.bytes, read.address));
    ++mismatches_;
  }
  interpreter_.apply(read);
}

}  // namespace wharf::cuda
