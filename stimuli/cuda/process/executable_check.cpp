#include "stimuli/cuda/process/executable_check.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "model/base/error.h"

namespace wharf::cuda {
namespace {

/// An ELF file in memory. Every access is checked; what lies outside reads as absent.
class ElfFile {
 public:
  explicit ElfFile(std::string_view bytes) : bytes_(bytes) {}

  template <class Item>
  bool read(std::uint64_t offset, Item& item) const {
    if (offset > bytes_.size() || sizeof item > bytes_.size() - offset) return false;
    std::memcpy(&item, bytes_.data() + offset, sizeof item);
    return true;
  }
  /// The text that begins at `offset`, up to its zero byte.
  std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }
  /// The file offset of a virtual address, by the segments that are loaded.
  std::uint64_t offset_of(const Elf64_Ehdr& header, std::uint64_t address) const {
    Elf64_Phdr segment;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      if (!read(header.e_phoff + std::uint64_t{i} * sizeof segment, segment)) break;
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    }
    return bytes_.size();
  }

 private:
  std::string_view bytes_;
};

/// True where the dynamic section names a needed library that begins with `prefix`.
bool needs_library(const ElfFile& file, const Elf64_Ehdr& header, std::string_view prefix) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!file.read(header.e_phoff + std::uint64_t{i} * sizeof segment, segment) || segment.p_type != PT_DYNAMIC) continue;
    std::uint64_t names = 0;
    Elf64_Dyn entry;
    for (std::uint64_t at = 0; at < segment.p_filesz && file.read(segment.p_offset + at, entry); at += sizeof entry)
      if (entry.d_tag == DT_STRTAB) names = file.offset_of(header, entry.d_un.d_ptr);
    for (std::uint64_t at = 0; at < segment.p_filesz && file.read(segment.p_offset + at, entry); at += sizeof entry)
      if (entry.d_tag == DT_NEEDED && file.text(names + entry.d_un.d_val).substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

}  // namespace

void check_executable(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be read; check the path and its permissions");
  std::ostringstream contents;
  contents << file.rdbuf();
  const std::string bytes = contents.str();
  if (bytes.compare(0, 2, "#!") == 0) return;

  const ElfFile elf(bytes);
  Elf64_Ehdr header;
  if (!elf.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_machine != EM_X86_64)
    throw InputError(
        path + ": this is not a program for this machine (64-bit ELF, x86-64); name a .cu file, or a program that `wharf nvcc` has made");
  if (needs_library(elf, header, "libcudart.so")) return;
  // The static runtime brings the registration functions along; their names remain in the file unless it is stripped, and in the strings of
  // its messages even then.
  if (bytes.find("__cudaRegisterFatBinary") != std::string::npos || bytes.find("libcudart") != std::string::npos)
    throw InputError(path +
                     ": this program was linked with the static CUDA runtime, which never calls Wharf; link it with `nvcc --cudart shared` "
                     "(-lcudart instead of -lcudart_static), or build it with `wharf nvcc`");
  // A library of the program may hold its CUDA part.
}

}  // namespace wharf::cuda
