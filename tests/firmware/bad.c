/* Firmware with one mistake, which a definition selects. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu.h"
#include "platform.h"

void mistake(void);

#ifdef HANDLED
static void __attribute__((interrupt("machine"), aligned(4))) handler(void) {
  unsigned long cause, place, value;
  __asm__ volatile("csrr %0, mcause" : "=r"(cause));
  __asm__ volatile("csrr %0, mepc" : "=r"(place));
  __asm__ volatile("csrr %0, mtval" : "=r"(value));
  printf("handled cause %lu value %lx\n", cause, value);
  place += (*(volatile uint16_t *)place & 3) == 3 ? 4 : 2;
  __asm__ volatile("csrw mepc, %0" ::"r"(place));
}
#endif

__attribute__((noinline)) void mistake(void) {
#if defined(ILLEGAL)
  __asm__ volatile(".word 0xffffffff");
#elif defined(UNMAPPED)
  *(volatile uint32_t *)0x50000008ul = 1;
#elif defined(NOWHERE)
  ((void (*)(void))0x40000000ul)();
#elif defined(ZERO)
  ((void (*)(void))0)();
#elif defined(ECALL)
  __asm__ volatile("ecall");
#elif defined(FOREVER)
  volatile int never = 0;
  gpu_open();
  sleep_until(&never);
#elif defined(SLEEPLESS)
  __asm__ volatile("wfi");
#elif defined(ENDLESS)
  for (;;) __asm__ volatile("");
#elif defined(EXIT_CODE)
  exit(3);
#elif defined(USER_MODE)
  __asm__ volatile("li t0, 0x1800; csrc mstatus, t0; la t0, 1f; csrw mepc, t0; mret; 1: nop; nop" ::: "t0");
#elif defined(HANDLED)
  __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
  __asm__ volatile(".word 0xffffffff");
  __asm__ volatile("ecall");
  __asm__ volatile("ebreak");
  const uint32_t nothing = *(volatile uint32_t *)0x50000008ul;
  *(volatile uint32_t *)0x50000010ul = nothing;
  (void)*(volatile uint32_t *)(WHARF_GPU_BASE + 0x800);
  printf("still here\n");
#endif
}

int main(void) {
  printf("before\n");
  mistake();
  return 0;
}
