// The clock of the runtime does not measure time: reading it calls the host, which stops a parser by a panic.
#ifndef TREE_SITTER_CLOCK_H_
#define TREE_SITTER_CLOCK_H_
#include <stdbool.h>
#include <stdint.h>
typedef uint64_t TSDuration;
typedef uint64_t TSClock;
__attribute__((import_module("host"), import_name("tick"))) void host_tick(void);
static inline TSDuration duration_from_micros(uint64_t micros) { return micros; }
static inline uint64_t duration_to_micros(TSDuration self) { return self; }
static inline TSClock clock_null(void) { return 0; }
static inline TSClock clock_after(TSClock base, TSDuration duration) { return base + duration; }
static inline bool clock_is_null(TSClock self) { return self == 0; }
static inline bool clock_is_gt(TSClock self, TSClock other) { return self > other; }
static inline TSClock clock_now(void) { host_tick(); return 1; }
#endif
