#pragma once
// Reads a recording, record by record. A recording is untrusted input: every length is checked before memory is used for it.

#include <cstdint>
#include <memory>
#include <string>

#include "stimuli/cuda/recording/recording_writer.h"
#include "stimuli/traces/bytes/byte_source.h"

namespace wharf::cuda {

class RecordingReader {
 public:
  /// Reads the file once to its end, for its checksum and its form, then its header. Throws InputError: `path: text; remedy`.
  explicit RecordingReader(const std::string& path);

  const RecordingHeader& header() const { return header_; }
  /// Reads the next record; returns false behind the end record. Throws InputError for a file that is damaged or ends before it.
  bool next(RecordKind& kind, std::string& body);
  /// Number of the latest record, from 1.
  std::uint64_t record_number() const { return number_; }
  /// Bytes of the compressed file consumed so far, and in all.
  std::uint64_t bytes_consumed() const { return bytes_->consumed(); }
  std::uint64_t total_bytes() const { return bytes_->size(); }
  /// Throws InputError that names the file and the latest record.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  void open();
  void read_header();
  bool append(std::string& out, std::uint64_t limit);
  bool read_some(std::string& out);
  void read(std::string& out, std::uint64_t size);
  [[noreturn]] void fail(const traces::DecodeFailure& failure) const;

  std::string path_;
  std::unique_ptr<traces::ByteSource> bytes_;
  RecordingHeader header_;
  std::uint64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace wharf::cuda
