#include "platforms/virtual/elf.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "model/base/error.h"

namespace wharf::vp {

Elf::Elf(std::string name, std::string file) : name_(std::move(name)), file_(std::move(file)) {
  if (file_.size() < SELFMAG || std::memcmp(file_.data(), ELFMAG, SELFMAG) != 0) bad("is not an ELF file");
  const auto header = at<Elf64_Ehdr>(0, "header");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) bad("is not a 64-bit little-endian ELF file");
  if (header.e_machine != EM_RISCV) bad("is for another processor than RISC-V (machine " + std::to_string(header.e_machine) + ")");
  if (header.e_type != ET_EXEC) bad("is not linked to an address, as an executable is");
  entry_ = header.e_entry;
  read_segments();
  read_functions();
}

void Elf::bad(const std::string& why) const {
  throw InputError(name_ + ": " + why + "; build it with riscv64-unknown-elf-gcc as docs/virtual.md shows");
}

std::string_view Elf::part(std::uint64_t offset, std::uint64_t size, const char* what) const {
  if (offset > file_.size() || file_.size() - offset < size) bad(std::string("ends before its ") + what);
  return std::string_view(file_).substr(offset, size);
}

template <class T>
T Elf::at(std::uint64_t offset, const char* what) const {
  T value;
  std::memcpy(&value, part(offset, sizeof value, what).data(), sizeof value);
  return value;
}

void Elf::read_segments() {
  const auto header = at<Elf64_Ehdr>(0, "header");
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto program = at<Elf64_Phdr>(header.e_phoff + std::uint64_t{i} * header.e_phentsize, "program headers");
    if (program.p_type != PT_LOAD || program.p_memsz == 0) continue;
    if (program.p_filesz > program.p_memsz) bad("has a segment that is larger in the file than in memory");
    segments_.push_back({program.p_paddr, part(program.p_offset, program.p_filesz, "segments"), program.p_memsz});
  }
  if (segments_.empty()) bad("has nothing to load");
}

void Elf::read_functions() {
  const auto header = at<Elf64_Ehdr>(0, "header");
  const auto section = [&](unsigned i) {
    return at<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * header.e_shentsize, "section headers");
  };
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_SYMTAB || symbols.sh_link >= header.e_shnum) continue;
    const Elf64_Shdr names = section(symbols.sh_link);
    const std::string_view text = part(names.sh_offset, names.sh_size, "names");
    for (std::uint64_t s = 0; s < symbols.sh_size / sizeof(Elf64_Sym); ++s) {
      const auto symbol = at<Elf64_Sym>(symbols.sh_offset + s * sizeof(Elf64_Sym), "symbols");
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_name >= text.size()) continue;
      const std::string_view from = text.substr(symbol.st_name);
      functions_.push_back({symbol.st_value, symbol.st_size, from.substr(0, from.find('\0'))});
    }
  }
  std::sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) { return a.address < b.address; });
}

std::string Elf::place_of(Address address) const {
  const auto behind = std::upper_bound(functions_.begin(), functions_.end(), address,
                                       [](Address a, const Function& function) { return a < function.address; });
  if (behind == functions_.begin()) return {};
  const Function& function = *(behind - 1);
  if (address - function.address >= std::max<std::uint64_t>(function.size, 1)) return {};
  std::ostringstream text;
  text << function.name << "+0x" << std::hex << address - function.address;
  return text.str();
}

}  // namespace wharf::vp
