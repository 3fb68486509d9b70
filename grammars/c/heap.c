// An allocator for one parse: blocks of powers of two and the steps between them, freed ones in a list for each size.
// Everything that it gave out is forgotten at once by heap_reset.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGE 65536u
#define CLASSES 128u

typedef struct block { uint32_t class; uint32_t unused; } block;

static uint32_t heap_next, heap_end;
static block *heap_free[CLASSES];

void heap_reset(uint32_t start) {
  heap_next = (start + 15u) & ~15u;
  heap_end = (uint32_t)__builtin_wasm_memory_size(0) * PAGE;
  memset(heap_free, 0, sizeof heap_free);
}

// Four sizes between two powers of two, from 16 bytes on.
static uint32_t class_of(uint32_t size) {
  if (size <= 16) return 0;
  uint32_t top = 31u - (uint32_t)__builtin_clz(size - 1);
  return (top - 4) * 4 + ((size - 1) >> (top - 2)) - 3;
}

static uint32_t size_of(uint32_t class) {
  if (class == 0) return 16;
  uint32_t top = (class - 1) / 4 + 4, quarter = (class - 1) % 4 + 1;
  return (1u << top) + (quarter << (top - 2));
}

void *malloc(size_t size) {
  if (size > (1u << 29)) __builtin_trap();
  uint32_t class = class_of((uint32_t)size);
  block *b = heap_free[class];
  if (b) {
    heap_free[class] = *(block **)(b + 1);
    return b + 1;
  }
  uint32_t need = ((size_of(class) + (uint32_t)sizeof(block)) + 7u) & ~7u;
  if (need > heap_end - heap_next) {
    uint32_t pages = (need - (heap_end - heap_next) + PAGE - 1) / PAGE;
    uint32_t more = pages + 16 + heap_end / PAGE / 4;
    if (__builtin_wasm_memory_grow(0, more) == (size_t)-1) {
      more = pages;
      if (__builtin_wasm_memory_grow(0, more) == (size_t)-1) __builtin_trap();
    }
    heap_end += more * PAGE;
  }
  b = (block *)(uintptr_t)heap_next;
  heap_next += need;
  b->class = class;
  return b + 1;
}

void free(void *p) {
  if (!p) return;
  block *b = (block *)p - 1;
  *(block **)p = heap_free[b->class];
  heap_free[b->class] = b;
}

// Clears the whole block: the scanner of Swift asks for 0 bytes, and uses 4.
void *calloc(size_t count, size_t size) {
  if (size && count > (1u << 29) / size) __builtin_trap();
  void *p = malloc(count * size);
  memset(p, 0, size_of(((block *)p - 1)->class));
  return p;
}

void *realloc(void *p, size_t size) {
  if (!p) return malloc(size);
  uint32_t held = size_of(((block *)p - 1)->class);
  if (size <= held) return p;
  void *q = malloc(size);
  memcpy(q, p, held);
  free(p);
  return q;
}
