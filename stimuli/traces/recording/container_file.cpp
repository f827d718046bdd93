#include "stimuli/traces/recording/container_file.h"

#include <utility>

namespace wharf::traces {

namespace {

// As the tracer's own writer has them.
constexpr std::uint32_t kSubchunk = 2048;  // instructions
constexpr int kLevel = 3;

void put(std::string& bytes, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i);
}
void put_u32(std::string& bytes, std::uint64_t value) { put(bytes, value, 4); }
void put_u64(std::string& bytes, std::uint64_t value) { put(bytes, value, 8); }
void put_triple(std::string& bytes, const Dim3& dim) {
  for (const std::uint32_t value : {dim.x, dim.y, dim.z}) put_u32(bytes, value);
}

}  // namespace

ContainerFile::ContainerFile(std::unique_ptr<ByteSink> sink, const std::string& header) : sink_(std::move(sink)), encoder_(kLevel) {
  std::string head = header;
  head += '\0';
  put_u32(head, 0);  // bytes of the dictionary
  put_u32(head, kSubchunk);
  write(head);
}

void ContainerFile::write(const std::string& bytes) {
  sink_->write(bytes);
  written_ += bytes.size();
}

void ContainerFile::begin_cta(const Dim3& place) {
  place_ = place;
  warps_ = 0;
  warps_index_.clear();
  ++ctas_;
}

void ContainerFile::begin_warp(unsigned /*warp*/, std::uint64_t instructions) {
  instructions_ = static_cast<std::uint32_t>(instructions);
  subchunks_ = in_subchunk_ = 0;
  frames_.clear();
  counts_.clear();
  lines_.clear();
  ++warps_;
}

void ContainerFile::write_line(std::string_view line) {
  if (in_subchunk_ != 0) lines_ += '\n';
  lines_ += line;
  if (++in_subchunk_ == kSubchunk) end_subchunk();
}

void ContainerFile::end_subchunk() {
  const std::string_view frame = encoder_.encode(lines_);
  put_u32(frames_, frame.size());
  frames_ += frame;
  put_u32(counts_, in_subchunk_);
  ++subchunks_;
  in_subchunk_ = 0;
  lines_.clear();
}

void ContainerFile::end_warp() {
  if (in_subchunk_ != 0) end_subchunk();
  std::string counts;
  put_u32(counts, instructions_);
  put_u32(counts, subchunks_);
  warps_index_ += counts;
  put_u64(warps_index_, written_);
  warps_index_ += counts_;
  write(counts);
  write(frames_);
}

void ContainerFile::end_cta() {
  put_triple(index_, place_);
  put_triple(index_, place_);     // its cluster
  put_triple(index_, {0, 0, 0});  // its place in the cluster
  put_u32(index_, 0);             // its rank
  put_u32(index_, warps_);
  index_ += warps_index_;
}

void ContainerFile::close() {
  std::string ctas, offset;
  put_u32(ctas, ctas_);
  put_u64(offset, written_);
  write(ctas);
  write(index_);
  write(offset);
  sink_->close();
}

}  // namespace wharf::traces
