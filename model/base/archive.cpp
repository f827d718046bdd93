#include "model/base/archive.h"

#include <zstd.h>

#include <new>
#include <stdexcept>

#include "model/base/error.h"

namespace wharf {

namespace {

constexpr const char* kSaveAgain = "; save it again";
constexpr int kLevel = 1;  // the fastest level suffices, because most of a machine's state is zeros

/// The zstd error of a call's result; empty if the call succeeded.
std::string failure_of(std::size_t result) { return ZSTD_isError(result) != 0 ? ZSTD_getErrorName(result) : ""; }

}  // namespace

Archive::Archive(std::string name, std::string_view packed) : loads_(true), name_(std::move(name)) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw InputError(name_ + ": is damaged or cut off" + kSaveAgain);
  try {
    bytes_.resize(size);
  } catch (const std::exception&) {
    throw InputError(name_ + ": needs " + std::to_string(size) + " bytes of memory, which this machine does not have");
  }
  const std::size_t read = ZSTD_decompress(bytes_.data(), bytes_.size(), packed.data(), packed.size());
  if (const std::string failure = failure_of(read); !failure.empty() || read != bytes_.size())
    throw InputError(name_ + ": is damaged or cut off (" + failure + ')' + kSaveAgain);
  end_ = bytes_.size();
}

std::string Archive::packed() const {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(bytes_.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes_.data(), bytes_.size());
  if (const std::string failure = failure_of(size); !failure.empty()) throw SimulationError("the checkpoint cannot be packed: " + failure);
  packed.resize(size);
  return packed;
}

void Archive::expect_end() const {
  if (at_ != bytes_.size()) damaged("is not the last section");
}

void Archive::expect_quiet(bool quiet, const std::string& what) const {
  if (!quiet) throw SimulationError("checkpoint: " + what + " is not at rest at the kernel boundary");
}

void Archive::refuse(const std::string& what) {
  throw InputError("checkpoint: " + what + " cannot be saved or loaded; docs/howto-save.md says why");
}

std::size_t Archive::count_of(std::size_t size, std::size_t bytes) {
  std::uint64_t count = size;
  raw(&count, sizeof count);
  if (loads_ && count > (end_ - at_) / bytes) damaged("has more elements than bytes");
  return static_cast<std::size_t>(count);
}

void Archive::raw(void* bytes, std::size_t size) {
  if (size == 0) return;
  if (!loads_) {
    bytes_.append(static_cast<const char*>(bytes), size);
    return;
  }
  if (size > end_ - at_) damaged("ends early");
  std::memcpy(bytes, bytes_.data() + at_, size);
  at_ += size;
}

/// When saving, writes a length of 0 that end_section() replaces, and returns the position behind it. When loading, returns the end of the
/// enclosing section.
std::size_t Archive::begin_section(const std::string& name) {
  std::string found = name;
  many(found);
  section_ = name;
  if (found != name) damaged("stands where '" + found + "' is");
  std::uint64_t length = 0;
  raw(&length, sizeof length);
  if (!loads_) return bytes_.size();
  if (length > end_ - at_) damaged("ends early");
  return std::exchange(end_, at_ + length);
}

void Archive::end_section(std::size_t outer_end) {
  if (loads_) {
    if (at_ != end_) damaged("has bytes left");
    end_ = outer_end;
    return;
  }
  const std::uint64_t length = bytes_.size() - outer_end;
  std::memcpy(bytes_.data() + outer_end - sizeof length, &length, sizeof length);
}

void Archive::damaged(const std::string& how) const {
  throw InputError(name_ + ": section '" + section_ + "' " + how + ": it is damaged, or of another machine" + kSaveAgain);
}

}  // namespace wharf
