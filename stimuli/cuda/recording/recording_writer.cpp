#include "stimuli/cuda/recording/recording_writer.h"

#include <filesystem>

#include "model/base/error.h"

namespace wharf::cuda {

RecordingWriter::RecordingWriter(const std::string& path, const std::string& command)
    : path_(path), unfinished_(path + ".part"), file_(traces::create_file(unfinished_, traces::Compression::zstd)) {
  RecordingHeader header;
  header.command = command;
  const std::string bytes = packed(header);
  FieldPacker length;
  length(static_cast<std::uint64_t>(bytes.size()));
  file_->write(kRecordingMagic);
  file_->write(length.bytes());
  file_->write(bytes);
}

void RecordingWriter::write_data(std::uint64_t address, std::string_view data) {
  for (; !data.empty(); data.remove_prefix(std::min<std::size_t>(data.size(), kLongestWrite))) {
    const std::string_view piece = data.substr(0, kLongestWrite);
    write(RecordKind::write, WriteRecord{address, piece.size(), piece});
    address += piece.size();
  }
}

void RecordingWriter::close() {
  file_->close();
  file_.reset();
  std::error_code error;
  std::filesystem::rename(unfinished_, path_, error);
  if (error)
    throw InputError(path_ + ": cannot be written (" + error.message() + "); check the folder, its permissions and the space left");
}

RecordingWriter::~RecordingWriter() {
  if (file_ == nullptr) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(unfinished_, ignored);
}

void RecordingWriter::write_body(RecordKind kind, const std::string& body) {
  const RecordHeader header{kind, 0, body.size()};
  file_->write({reinterpret_cast<const char*>(&header), sizeof header});
  file_->write(body);
}

}  // namespace wharf::cuda
