# Firmware of the virtual platform, built with Debian's RISC-V compiler and picolibc. Without them `wharf vp` says how to install them.
set(FIRMWARE_DIR ${PROJECT_BINARY_DIR}/firmware)
find_program(RISCV_GCC riscv64-unknown-elf-gcc)
set(PICOLIBC_SPECS /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs CACHE FILEPATH "picolibc for the firmware")
set(FIRMWARE_SOURCE ${PROJECT_SOURCE_DIR}/platforms/virtual/firmware)
set(DRIVER_SOURCES ${FIRMWARE_SOURCE}/gpu.c ${FIRMWARE_SOURCE}/platform.c)
set(DRIVER_HEADERS ${FIRMWARE_SOURCE}/gpu.h ${FIRMWARE_SOURCE}/platform.h ${FIRMWARE_SOURCE}/machine.h)
# picolibc's linker script expects flash: it gets the first 2 MiB of RAM.
set(FIRMWARE_MEMORY -Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x200000 -Wl,--defsym=__ram=0x80200000
                    -Wl,--defsym=__ram_size=0x3e00000 -Wl,--defsym=__stack_size=0x10000)

# An installation includes this folder, even if it is empty.
file(MAKE_DIRECTORY ${FIRMWARE_DIR})
if(WHARF_VIRTUAL AND (NOT RISCV_GCC OR NOT EXISTS ${PICOLIBC_SPECS}))
  message(STATUS "without virtual: riscv64-unknown-elf-gcc or its picolibc is missing")
endif()

# wharf_firmware(NAME SOURCE [-DDEFINITION ...]): FIRMWARE_DIR/NAME.elf from one source and the driver, part of the target `firmware`.
add_custom_target(firmware ALL)
function(wharf_firmware name source)
  if(NOT WHARF_VIRTUAL OR NOT RISCV_GCC OR NOT EXISTS ${PICOLIBC_SPECS})
    return()
  endif()
  set(elf ${FIRMWARE_DIR}/${name}.elf)
  add_custom_command(
    OUTPUT ${elf}
    COMMAND ${RISCV_GCC} --specs=${PICOLIBC_SPECS} --crt0=hosted -march=rv64imafdc -mabi=lp64d -mcmodel=medany -std=gnu11 -O2 -g -Wall -Wextra
            -ffp-contract=off -ffunction-sections -Wl,--gc-sections -I${FIRMWARE_SOURCE} ${FIRMWARE_MEMORY} ${ARGN} ${source} ${DRIVER_SOURCES} -lm -o ${elf}
    DEPENDS ${source} ${DRIVER_SOURCES} ${DRIVER_HEADERS}
    COMMENT "Firmware ${name}.elf" VERBATIM)
  add_custom_target(firmware_${name} DEPENDS ${elf})
  add_dependencies(firmware firmware_${name})
endfunction()

foreach(name demo host_loop launches)
  wharf_firmware(${name} ${FIRMWARE_SOURCE}/${name}.c)
endforeach()
