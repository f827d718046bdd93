#pragma once
// Writes a container of the 2.0 tracer (stimuli/traces/bytes/container_text.h).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "stimuli/traces/bytes/byte_sink.h"
#include "stimuli/traces/bytes/zstd_frame.h"
#include "stimuli/traces/recording/kernel_file.h"

namespace wharf::traces {

/// Without a dictionary; frames have a checksum. Holds the compressed subchunks of a warp until it ends, and the index.
class ContainerFile final : public KernelFile {
 public:
  ContainerFile(std::unique_ptr<ByteSink> sink, const std::string& header);
  void begin_cta(const Dim3& place) override;
  void begin_warp(unsigned warp, std::uint64_t instructions) override;
  void write_line(std::string_view line) override;
  void end_warp() override;
  void end_cta() override;
  void close() override;

 private:
  void end_subchunk();
  void write(const std::string& bytes);

  std::unique_ptr<ByteSink> sink_;
  FrameEncoder encoder_;
  std::uint64_t written_ = 0;  // bytes of the file
  std::string index_;
  std::uint32_t ctas_ = 0;
  Dim3 place_;  // of the present CTA
  std::string warps_index_;
  std::uint32_t warps_ = 0;
  std::uint32_t instructions_ = 0, subchunks_ = 0, in_subchunk_ = 0;  // of the present warp; the last: of its present subchunk
  std::string frames_, counts_, lines_;
};

}  // namespace wharf::traces
