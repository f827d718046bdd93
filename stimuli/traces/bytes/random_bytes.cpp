#include "stimuli/traces/bytes/random_bytes.h"

#include <cerrno>
#include <cstring>

#include "stimuli/traces/bytes/byte_source.h"

namespace wharf::traces {

RandomBytes::RandomBytes(const std::string& path) : file_(std::fopen(path.c_str(), "rb")) {
  if (!file_ || fseeko(file_.get(), 0, SEEK_END) != 0) throw DecodeFailure(std::string("cannot be opened (") + std::strerror(errno) + ")");
  size_ = static_cast<std::uint64_t>(ftello(file_.get()));
}

void RandomBytes::read(std::uint64_t offset, char* out, std::size_t count) {
  if (count == 0) return;
  if (!file_) {
    std::memcpy(out, memory_.data() + offset, count);
    return;
  }
  const bool good = fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0 && std::fread(out, 1, count, file_.get()) == count;
  if (!good) throw DecodeFailure("the file has become shorter, or cannot be read");
}

}  // namespace wharf::traces
