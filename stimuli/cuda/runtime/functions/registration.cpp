// The functions that a compiled program calls before main, to register its modules, kernels, variables and textures (CU-1, CU-4).

#include <cstdlib>
#include <cstring>

#include "stimuli/cuda/runtime/session.h"

using namespace wharf::cuda;
using namespace wharf::cuda::runtime;

namespace {

/// The structure to which __cudaRegisterFatBinary gets a pointer.
struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const char* image;
  const void* file_name;
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1;

/// The first bytes of the three kinds of image. FatBinaryHeader is nvcc's; ContainerHeader is ours (stimuli/cuda/modules/container.h).
struct FatBinaryHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;
};
constexpr std::uint32_t kFatBinaryMagic = 0xba55ed50;
struct ContainerHeader {
  char magic[8];
  std::uint32_t version, modules;
  std::uint64_t bytes;  // of the whole container
};
constexpr char kContainerMagic[] = "WHARFPTX";

/// The image's bytes. It lies in this program's own data, so its header is taken at its word; Wharf checks the contents.
std::string image_at(const char* image) {
  if (std::memcmp(image, &kFatBinaryMagic, sizeof kFatBinaryMagic) == 0) {
    FatBinaryHeader header;
    std::memcpy(&header, image, sizeof header);
    return std::string(image, header.header_bytes + header.bytes);
  }
  if (std::memcmp(image, kContainerMagic, sizeof ContainerHeader::magic) == 0) {
    ContainerHeader header;
    std::memcpy(&header, image, sizeof header);
    return std::string(image, header.bytes);
  }
  return image;  // PTX text with a zero byte behind it
}

std::uint32_t module_of(void** handle) { return *reinterpret_cast<std::uint32_t*>(handle); }

/// The frame of a registration, which has no error to return.
template <class Body>
void registration(Body body) {
  const std::lock_guard<std::recursive_mutex> lock(session_mutex());
  body(session());
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper_pointer) {
  auto* handle = static_cast<std::uint32_t*>(std::malloc(sizeof(void*)));
  registration([&](Session& s) {
    const auto* wrapper = static_cast<const FatBinaryWrapper*>(wrapper_pointer);
    if (wrapper->magic != kWrapperMagic)
      end_program("the program registers device code in a form that is not known; build it with `wharf nvcc`, or with nvcc 9.2 to 13");
    *handle = s.modules++;
    ++s.modules_alive;
    s.channel.send(RecordKind::module, ModuleRecord{*handle, image_at(wrapper->image), {}});
  });
  return reinterpret_cast<void**>(handle);
}

void __cudaRegisterFatBinaryEnd(void**) {}

/// Registers the containers of several objects as one (stimuli/cuda/compiler/device_link.h).
void** __cudaRegisterLinkedBinaries(const void* const* wrappers, unsigned count) {
  ContainerHeader header;
  std::string texts;
  std::uint32_t modules = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::string image = image_at(static_cast<const FatBinaryWrapper*>(wrappers[i])->image);
    std::memcpy(&header, image.data(), sizeof header);
    texts += image.substr(sizeof header);
    modules += header.modules;
  }
  header.modules = modules;
  header.bytes = sizeof header + texts.size();
  const std::string image = std::string(reinterpret_cast<const char*>(&header), sizeof header) + texts;
  FatBinaryWrapper group = {kWrapperMagic, 1, image.data(), nullptr};
  return __cudaRegisterFatBinary(&group);
}

// nvcc 13 calls it in programs whose kernels are launched through __cudaLaunchKernel.
char __cudaInitModule(void**) { return 1; }

void __cudaUnregisterFatBinary(void** handle) {
  registration([&](Session& s) {
    if (--s.modules_alive == 0) end_session(s);
  });
  std::free(handle);
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int, void*, void*, void*, void*,
                            int*) {
  registration([&](Session& s) {
    Kernel kernel;
    kernel.record = {module_of(handle), device_name};
    s.channel.send(RecordKind::function, kernel.record);
    s.kernels[host_function] = kernel;
  });
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int external, size_t bytes, int constant, int) {
  registration([&](Session& s) {
    Variable variable;
    variable.record = {module_of(handle), device_name, bytes, constant != 0, external != 0};
    s.channel.send(RecordKind::variable, variable.record);
    s.variables[host_variable] = variable;
  });
}

void __cudaRegisterTexture(void** handle, const void* host_variable, const void**, const char* device_name, int dimensions,
                           int normalised_read, int) {
  registration([&](Session& s) {
    Texture texture;
    texture.record = {module_of(handle), device_name, static_cast<std::uint32_t>(dimensions & 0xF), normalised_read != 0};
    s.channel.send(RecordKind::texture, texture.record);
    s.textures[host_variable] = texture;
  });
}

void __cudaRegisterSurface(void**, const void*, const void**, const char* device_name, int, int) {
  end_program(std::string("surface reference ") + device_name + ": surfaces are not supported; use global memory instead");
}

/// The program's code finds the variable through the pointer at `host_pointer`. The address that it finds there names the variable in calls.
void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* device_name, int external, size_t bytes, int constant,
                              int) {
  registration([&](Session& s) {
    Variable variable;
    variable.record = {module_of(handle), device_name, bytes, constant != 0, external != 0};
    s.channel.send(RecordKind::variable, variable.record);
    int error = 0;
    if (!s.channel.ask(RecordKind::managed_query, variable.record, variable.place, error))
      end_program(std::string("__managed__ variable ") + device_name + " is not in the device code; build the program again");
    variable.placed = variable.managed = true;
    s.channel.allow_host_access(variable.place.address, variable.place.bytes, true);
    *host_pointer = reinterpret_cast<void*>(variable.place.address);
    s.variables[*host_pointer] = variable;
  });
}
}
