#pragma once
// Turns a container of the 2.0 tracer (kernel-N.tracez) into the text form of a kernel, piece by piece, so that one parser reads both.
//
// All integers are little-endian and unaligned. The file has the header lines and one NUL; u32 bytes of the zstd dictionary, u32 instructions
// that a subchunk was to have, the dictionary; per CTA and warp u32 instructions, u32 subchunks, and per subchunk u32 bytes and a zstd frame
// of instruction lines joined by LF; the index; u64 offset of the index. The index has u32 CTAs; per CTA 11 u32: its place in the grid,
// that of its cluster, its place in the cluster, its rank, its warps; per warp u32 instructions, u32 subchunks, u64 offset of the warp, and
// u32 instructions of each subchunk.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stimuli/traces/bytes/index_cursor.h"
#include "stimuli/traces/bytes/random_bytes.h"
#include "stimuli/traces/bytes/zstd_frame.h"

namespace wharf::traces {

/// True where a file that begins so is a container: a NUL follows its header lines.
bool is_container(std::string_view head);

/// Holds one subchunk at a time. Each length and offset is compared with the file's size before it is used, and the index with what the warps
/// say of themselves.
class ContainerText {
 public:
  /// Reads the header. `bytes` must outlive this. Throws DecodeFailure.
  explicit ContainerText(RandomBytes& bytes);
  /// Replaces `text` by the next piece of the text form, whole lines; returns false at the end. Throws DecodeFailure, after
  /// which no call may follow.
  bool next(std::string& text);
  /// Bytes of the file whose text has been delivered.
  std::uint64_t consumed() const { return ended_ ? bytes_.size() : position_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;
  std::uint32_t read_u32();
  std::uint64_t read_index_offset();
  void read_header();
  std::string cluster_line();
  void begin_cta(std::string& text);
  void begin_warp(std::string& text);
  void read_subchunk(std::string& text);
  void check_end();

  RandomBytes& bytes_;
  std::uint32_t ctas_left_ = 0, cta_ = 0;  // cta_: number in the index, from 1, for messages
  std::uint64_t position_ = 0;             // of the data that have not been read yet
  std::uint64_t index_ = 0;                // offset: the end of the data
  std::string header_;
  FrameDecoder decoder_;
  IndexCursor cursor_;
  std::vector<char> frame_;
  bool header_delivered_ = false, in_cta_ = false, ended_ = false;
  std::uint32_t warps_ = 0, warp_ = 0;                        // of the present CTA: how many, and which is next
  std::uint32_t subchunks_left_ = 0, instructions_left_ = 0;  // of the present warp
};

}  // namespace wharf::traces
