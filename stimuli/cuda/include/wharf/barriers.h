#pragma once
// Barriers and fences that order memory for the optimiser. clang 14 takes it that an intrinsic leaves a module's own variables as they
// are, and moves loads of shared variables across barriers. An empty assembly statement with "memory" on both sides forbids that. They are
// macros, so that the line of the barrier is the program's.

// clang-format off
#define WHARF_MEMORY_ORDER asm volatile("" : : : "memory")
#define __syncthreads() ({ WHARF_MEMORY_ORDER; __syncthreads(); WHARF_MEMORY_ORDER; })
#define __syncwarp(...) ({ WHARF_MEMORY_ORDER; __syncwarp(__VA_ARGS__); WHARF_MEMORY_ORDER; })
#define __threadfence() ({ WHARF_MEMORY_ORDER; __threadfence(); WHARF_MEMORY_ORDER; })
#define __threadfence_block() ({ WHARF_MEMORY_ORDER; __threadfence_block(); WHARF_MEMORY_ORDER; })
#define __threadfence_system() ({ WHARF_MEMORY_ORDER; __threadfence_system(); WHARF_MEMORY_ORDER; })
// A vote's value stays behind the second statement.
#define WHARF_BARRIER_VOTE(function, vote) ({ WHARF_MEMORY_ORDER; const int wharf_result = function(vote); WHARF_MEMORY_ORDER; wharf_result; })
// clang-format on
#define __syncthreads_and(vote) WHARF_BARRIER_VOTE(__syncthreads_and, vote)
#define __syncthreads_or(vote) WHARF_BARRIER_VOTE(__syncthreads_or, vote)
#define __syncthreads_count(vote) WHARF_BARRIER_VOTE(__syncthreads_count, vote)
