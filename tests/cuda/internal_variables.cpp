// Device variables of internal linkage in the device's intermediate code.

#include "stimuli/cuda/compiler/intermediate/internal_variables.h"

#include <catch2/catch.hpp>

using namespace wharf::cuda;

TEST_CASE("Device variables of internal linkage are kept for the host, and their initial values are not taken for constants") {
  CHECK(
      with_host_access("@c = internal addrspace(4) global i32 5, align 4\n@s = internal addrspace(1) global %struct.s zeroinitializer\n") ==
      "@c = internal addrspace(4) externally_initialized global i32 5, align 4\n"
      "@s = internal addrspace(1) externally_initialized global %struct.s zeroinitializer\n"
      "@llvm.compiler.used = appending global [2 x i8*] ["
      "i8* addrspacecast (i8 addrspace(1)* bitcast (%struct.s addrspace(1)* @s to i8 addrspace(1)*) to i8*), "
      "i8* addrspacecast (i8 addrspace(4)* bitcast (i32 addrspace(4)* @c to i8 addrspace(4)*) to i8*)], section \"llvm.metadata\"\n");
}

TEST_CASE("The list of kept variables is extended where there is one") {
  CHECK(
      with_host_access("@p = internal addrspace(1) global void (i32)* null\n"
                       "@llvm.compiler.used = appending global [1 x i8*] [i8* @x], section \"llvm.metadata\"\n") ==
      "@p = internal addrspace(1) externally_initialized global void (i32)* null\n"
      "@llvm.compiler.used = appending global [2 x i8*] [i8* @x, i8* addrspacecast (i8 addrspace(1)* bitcast (void (i32)* addrspace(1)* @p "
      "to i8 addrspace(1)*) to i8*)], section \"llvm.metadata\"\n");
}

TEST_CASE("Device variables of internal linkage are kept by opaque pointers where the compiler has these") {
  const std::string store = "  store i32 1, ptr addrspacecast (ptr addrspace(1) @s to ptr), align 4\n";
  CHECK(
      with_host_access("@s = internal addrspace(1) global i32 0\n" + store) ==
      "@s = internal addrspace(1) externally_initialized global i32 0\n" + store +
          "@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @s to ptr)], section \"llvm.metadata\"\n");
}

TEST_CASE("Constants, shared memory, variables of functions and those of external linkage stay as they are") {
  const std::string module =
      "@t = internal addrspace(4) constant [2 x i32] [i32 1, i32 2]\n@sh = internal addrspace(3) global i32 undef\n"
      "@_ZZ1kvE3loc = internal addrspace(1) global i32 0\n@ext = dso_local addrspace(1) externally_initialized global i32 0\n";
  CHECK(with_host_access(module) == module);
}
