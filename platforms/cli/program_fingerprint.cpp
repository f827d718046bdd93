#include "platforms/cli/program_fingerprint.h"

#include <elf.h>
#include <fmt/core.h>
#include <link.h>

#include <cstring>

#include "model/base/error.h"

namespace wharf::cli {

namespace {

/// The build id among the notes of a part of the program in memory; empty where it is not there.
std::string build_id_in(const char* at, const char* end) {
  const auto padded = [](std::uint32_t size) { return (std::size_t{size} + 3) / 4 * 4; };
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const char* name = at + sizeof note;
    const char* id = name + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) return {id, note.n_descsz};
    at = id + padded(note.n_descsz);
  }
  return {};
}

/// Looks at the first of the loaded objects, which is the program itself.
int find_build_id(dl_phdr_info* object, std::size_t, void* found) {
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* begin = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
    const std::string id = build_id_in(begin, begin + part.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(found) = id;
  }
  return 1;
}

}  // namespace

std::string program_fingerprint() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  if (id.size() < 8)
    throw SimulationError(
        "this program was linked without a build id, which distinguishes results of different builds; link it with --build-id");
  std::string digits;
  for (unsigned i = 0; i < 8; ++i) digits += fmt::format("{:02x}", static_cast<unsigned char>(id[i]));
  return digits;
}

}  // namespace wharf::cli
