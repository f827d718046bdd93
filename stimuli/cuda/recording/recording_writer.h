#pragma once
// Writes a recording: a .wcr file, which is a zstd stream of a header and records (CU-15).

#include <memory>
#include <string>
#include <string_view>

#include "stimuli/cuda/recording/records.h"
#include "stimuli/traces/bytes/byte_sink.h"

namespace wharf::cuda {

/// The first bytes of the (decompressed) file. A recording holds PTX and data of the user's program, and the note says so.
constexpr std::string_view kRecordingMagic = "WHARFREC";
constexpr std::string_view kRecordingNote = "Contains the device code and the data of the program that was recorded.\n";

struct RecordingHeader {
  std::uint32_t version = kRecordVersion;
  std::string note{kRecordingNote};
  std::string command;  // of the program, for people
  template <class F>
  void fields(F& f) {
    f(version, note, command);
  }
};

class RecordingWriter {
 public:
  /// The file appears, or replaces one of this name, when it is complete. All calls throw InputError for a file-system error.
  RecordingWriter(const std::string& path, const std::string& command);
  ~RecordingWriter();
  const std::string& path() const { return path_; }
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;
  template <class Record>
  void write(RecordKind kind, const Record& record) {
    write_body(kind, packed(record));
  }
  /// A host write with its data, in as many records as it needs.
  void write_data(std::uint64_t address, std::string_view data);
  /// Ends the file. Without this call there is none.
  void close();

 private:
  void write_body(RecordKind kind, const std::string& body);
  const std::string path_, unfinished_;  // names of the file
  std::unique_ptr<traces::ByteSink> file_;
};

}  // namespace wharf::cuda
