#pragma once
// What every firmware needs of the host: time, interrupts, sleep. The UART is stdout; returning from main, or exit(), ends the run.

#include <stdint.h>

static inline uint32_t read32(uintptr_t address) { return *(volatile uint32_t*)address; }
static inline void write32(uintptr_t address, uint32_t value) { *(volatile uint32_t*)address = value; }

/* Simulated time in ns. */
uint64_t now_ns(void);

/* Calls `handler` from the trap handler whenever the interrupt of this source is raised. Interrupts are on afterwards. */
void on_interrupt(unsigned source, void (*handler)(void));

/* Sleeps until *flag is not 0, which an interrupt's handler sets. */
void sleep_until(volatile int* flag);

/* Sleeps until now_ns() is at least `time`. */
void sleep_until_ns(uint64_t time);
