#include "platform.h"

#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

#define MSTATUS_MIE 8ul
#define MIE_TIMER (1ul << 7)
#define MIE_EXTERNAL (1ul << 11)
#define CAUSE_INTERRUPT (1ul << 63)
#define CAUSE_TIMER (CAUSE_INTERRUPT | 7)
#define CAUSE_EXTERNAL (CAUSE_INTERRUPT | 11)
#define SOURCES 32

/* ---- UART as stdout and stderr */
static int transmit(char character, FILE *file) {
  (void)file;
  *(volatile uint8_t *)(WHARF_UART_BASE + WHARF_UART_TRANSMIT) = (uint8_t)character;
  return (unsigned char)character;
}

static FILE uart = FDEV_SETUP_STREAM(transmit, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdin = &uart;
FILE *const stdout = &uart;
FILE *const stderr = &uart;

_Noreturn void _exit(int code) {
  write32(WHARF_EXIT_BASE + WHARF_EXIT_CODE, (uint32_t)code);
  for (;;) {
  }
}

/* ---- Time */
uint64_t now_ns(void) { return *(volatile uint64_t *)(WHARF_TIMER_BASE + WHARF_TIMER_TIME); }

static void set_timer(uint64_t ns) { *(volatile uint64_t *)(WHARF_TIMER_BASE + WHARF_TIMER_COMPARE) = ns; }

/* ---- Interrupts */
static void (*handlers[SOURCES])(void);
static volatile int timer_fired;

static void external(void) {
  const uint32_t source = read32(WHARF_INTERRUPTS_BASE + WHARF_INTERRUPTS_CLAIM);
  if (source == 0 || source >= SOURCES || handlers[source] == NULL) return;
  handlers[source]();
  write32(WHARF_INTERRUPTS_BASE + WHARF_INTERRUPTS_CLAIM, source);
}

static void __attribute__((interrupt("machine"), aligned(4))) trap(void) {
  unsigned long cause, address, value;
  __asm__ volatile("csrr %0, mcause" : "=r"(cause));
  if (cause == CAUSE_EXTERNAL) {
    external();
  } else if (cause == CAUSE_TIMER) {
    set_timer(~0ul);
    timer_fired = 1;
  } else {
    __asm__ volatile("csrr %0, mepc" : "=r"(address));
    __asm__ volatile("csrr %0, mtval" : "=r"(value));
    printf("trap: cause %lu at 0x%lx, value 0x%lx\n", cause, address, value);
    _exit(1);
  }
}

static void enable(unsigned long interrupts) {
  __asm__ volatile("csrw mtvec, %0" ::"r"(trap));
  __asm__ volatile("csrs mie, %0" ::"r"(interrupts));
  __asm__ volatile("csrs mstatus, %0" ::"r"(MSTATUS_MIE) : "memory");
}

void on_interrupt(unsigned source, void (*handler)(void)) {
  handlers[source] = handler;
  const uintptr_t enables = WHARF_INTERRUPTS_BASE + WHARF_INTERRUPTS_ENABLE;
  write32(enables, read32(enables) | 1u << source);
  enable(MIE_EXTERNAL);
}

void sleep_until(volatile int *flag) {
  /* WFI also wakes for a masked interrupt, so an interrupt between the check of the flag and WFI is not lost. */
  __asm__ volatile("csrc mstatus, %0" ::"r"(MSTATUS_MIE) : "memory");
  while (!*flag) {
    __asm__ volatile("wfi");
    __asm__ volatile("csrs mstatus, %0" ::"r"(MSTATUS_MIE) : "memory");
    __asm__ volatile("csrc mstatus, %0" ::"r"(MSTATUS_MIE) : "memory");
  }
  __asm__ volatile("csrs mstatus, %0" ::"r"(MSTATUS_MIE) : "memory");
}

void sleep_until_ns(uint64_t time) {
  timer_fired = 0;
  set_timer(time);
  enable(MIE_TIMER);
  sleep_until(&timer_fired);
}
