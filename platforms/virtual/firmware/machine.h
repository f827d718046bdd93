#pragma once
// The virtual platform as its firmware sees it: memory map, registers, commands. One header for both sides: the C of the firmware and the
// C++ of the model. docs/virtual.md explains it.

#include <stdint.h>

/* ---- Memory map: base and size in bytes */
#define WHARF_EXIT_BASE 0x00100000ul
#define WHARF_EXIT_BYTES 0x1000ul
#define WHARF_TIMER_BASE 0x02000000ul
#define WHARF_TIMER_BYTES 0x10000ul
#define WHARF_INTERRUPTS_BASE 0x0c000000ul
#define WHARF_INTERRUPTS_BYTES 0x400000ul
#define WHARF_UART_BASE 0x10000000ul
#define WHARF_UART_BYTES 0x1000ul
#define WHARF_GPU_BASE 0x20000000ul
#define WHARF_GPU_BYTES 0x1000ul
#define WHARF_RAM_BASE 0x80000000ul

/* ---- Exit: a 4-byte write ends the run with this exit code */
#define WHARF_EXIT_CODE 0x0

/* ---- Timer, as a core-local interruptor: two 64-bit registers in ns, each half 4 bytes */
#define WHARF_TIMER_COMPARE 0x4000 /* interrupt while time >= compare */
#define WHARF_TIMER_TIME 0xbff8    /* read only */

/* ---- Interrupt controller, as a PLIC with one context: 4-byte registers */
#define WHARF_INTERRUPTS_PENDING 0x1000 /* bit a source, read only */
#define WHARF_INTERRUPTS_ENABLE 0x2000  /* bit a source */
#define WHARF_INTERRUPTS_CLAIM 0x200004 /* read: the lowest source, 0 = none; write: done with this source */
#define WHARF_INTERRUPT_GPU 1           /* its source number */

/* ---- UART, as far as a 16550 has it: 1-byte registers */
#define WHARF_UART_TRANSMIT 0x0 /* write only */
#define WHARF_UART_STATUS 0x5   /* read only: bit 5 and 6, always ready */

/* ---- GPU command processor: 4-byte registers; what has 64 bits takes two, the low half first */
#define WHARF_GPU_ID 0x00             /* read only: WHARF_GPU_ID_VALUE */
#define WHARF_GPU_VERSION 0x04        /* read only: WHARF_GPU_VERSION_VALUE */
#define WHARF_GPU_STATUS 0x08         /* read only: WHARF_GPU_STATUS_* */
#define WHARF_GPU_CONTROL 0x0c        /* write WHARF_GPU_CONTROL_RESET: forget ring, error and interrupts */
#define WHARF_GPU_RING_BASE 0x10      /* 64 bits: address of the ring, a multiple of 256 */
#define WHARF_GPU_RING_SIZE 0x18      /* commands in it, a power of two up to 4096 */
#define WHARF_GPU_RING_TAIL 0x1c      /* doorbell: commands written so far; the ring's place is this modulo its size */
#define WHARF_GPU_RING_HEAD 0x20      /* read only: commands completed so far */
#define WHARF_GPU_ERROR 0x24          /* read only: WHARF_GPU_ERROR_*; nothing runs until a reset */
#define WHARF_GPU_ERROR_ARGUMENT 0x28 /* read only: which argument, where one is to blame */
#define WHARF_GPU_ERROR_COMMAND 0x2c  /* read only: which command, counted as the tail is */
#define WHARF_GPU_INTERRUPT 0x30      /* WHARF_GPU_INTERRUPT_*; write the bits to take back */
#define WHARF_GPU_KERNELS 0x34        /* read only: kernels completed */
#define WHARF_GPU_LAST 0x40           /* read only: counts of the last kernel, 64 bits each, in the order of enum wharf_gpu_count */

enum wharf_gpu_count {
  WHARF_GPU_CYCLES,       /* core cycles */
  WHARF_GPU_NS,           /* ns */
  WHARF_GPU_INSTRUCTIONS, /* warp instructions */
  WHARF_GPU_SECTORS,      /* sectors that loads asked for */
  WHARF_GPU_L1_SECTORS,   /* of them those that an L1 had, the SM's own or another */
  WHARF_GPU_L2_ACCESSES,  /* accesses of the L2 */
  WHARF_GPU_DRAM_READS,   /* bursts that DRAM read */
  WHARF_GPU_COUNTS
};

#define WHARF_GPU_ID_VALUE 0x46524857u /* "WHRF" */
#define WHARF_GPU_VERSION_VALUE 1u

#define WHARF_GPU_STATUS_BUSY 1u  /* commands are waiting or running */
#define WHARF_GPU_STATUS_ERROR 2u /* see the error registers */
#define WHARF_GPU_CONTROL_RESET 1u
#define WHARF_GPU_INTERRUPT_DONE 1u  /* a command that asked for it has completed */
#define WHARF_GPU_INTERRUPT_ERROR 2u /* the command processor has stopped */

enum wharf_gpu_error {
  WHARF_GPU_ERROR_NONE = 0,
  WHARF_GPU_ERROR_RING = 1,           /* base, size or place of the ring is impossible */
  WHARF_GPU_ERROR_OVERFLOW = 2,       /* the tail is more than the ring's size ahead of the head */
  WHARF_GPU_ERROR_COMMAND_KIND = 3,   /* no such command */
  WHARF_GPU_ERROR_UNKNOWN_KERNEL = 4, /* no kernel of this name */
  WHARF_GPU_ERROR_ARGUMENT_COUNT = 5, /* not as many arguments as the kernel has parameters */
  WHARF_GPU_ERROR_RANGE = 6,          /* a number out of range */
  WHARF_GPU_ERROR_UNMAPPED = 7,       /* an array, or a fence's address, that is not in RAM */
  WHARF_GPU_ERROR_MISALIGNED = 8,     /* an array, or a fence's address, that is not aligned to its elements */
  WHARF_GPU_ERROR_TOO_SMALL = 9,      /* an array with fewer elements than the kernel accesses */
  WHARF_GPU_ERROR_BUSY = 10           /* a ring register or a reset written while commands run */
};

/* ---- A command of the ring: 256 bytes */
enum wharf_gpu_command_kind {
  WHARF_GPU_COMMAND_LAUNCH = 1, /* run the kernel `name` */
  WHARF_GPU_COMMAND_FENCE = 2   /* write arguments[0].elements to the 8-byte word at arguments[0].value */
};
#define WHARF_GPU_NAME_BYTES 32
#define WHARF_GPU_MOST_ARGUMENTS 12
#define WHARF_GPU_FLAG_INTERRUPT 1u /* raise WHARF_GPU_INTERRUPT_DONE when this command has completed */

struct wharf_gpu_argument {
  uint64_t value;    /* address of an array; an integer; the bits of a double */
  uint64_t elements; /* of an array */
};

struct wharf_gpu_command {
  uint32_t kind;
  uint32_t flags;
  uint32_t argument_count;
  uint32_t reserved;
  char name[WHARF_GPU_NAME_BYTES]; /* ends with a zero */
  struct wharf_gpu_argument arguments[WHARF_GPU_MOST_ARGUMENTS];
  uint8_t unused[16];
};
