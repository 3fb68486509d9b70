// Constructs of C.
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H
#include <stdlib.h>
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define SQUARE(x) \
    ((x) * (x))
#undef OLD

typedef unsigned long size_type;
typedef struct node node;
typedef struct node {
    struct node *next;
    union { int i; float f; } value;
    int (*compare)(const void *, const void *);
    unsigned flag : 1;
} node, *node_ptr;
typedef enum { OFF, ON = 2 } state;
typedef void (*handler)(int), *pointer;
typedef int matrix[3][3];

union number { int i; double d; };
enum color { RED, GREEN } favourite;
struct point { int x, y; } origin = { .x = 0, .y = 0 };
struct forward;

extern int global_count;
static const char *const names[] = { "a", "b" };
int (*callback)(int) = NULL;
int a, *b, c[10];
_Static_assert(sizeof(int) == 4, "int");

int prototype(int, char *);
void (*get_handler(int n))(int);
int variadic(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Old style. */
int old_style(a, b)
    int a;
    char *b;
{
    return helper(a, b);
}

static inline unsigned long long int
hash(const char *text)
{
    unsigned long h = 5381;
    while (*text) h = mix(h, *text++);
    return h;
}

/** Returns a function. */
void (*pick(int n))(int)
{
    return n ? first : second;
}

struct point *make_point(int x) { return memcpy(malloc(sizeof(struct point)), &(struct point){ x, 1 }, 8); }

__attribute__((noreturn)) void die(void) { callback(1); (*callback)(2); table[3](4); ops->run(5); exit(1); }

_Noreturn void quit(void) { exit(2); }

#if defined(A) && \
    defined(B)
int conditional(void) { return 1; }
#elif defined(C)
int conditional(void) { return 2; }
#else
int conditional(void) { return 3; }
#endif

EXPORT_SYMBOL(hash);
MODULE int exported_by_macro(int x) { return x; }

int main(int argc, char *argv[argc + 1]) {
    goto end;
end:
    return _Generic(argc, int: pick_int, default: pick_other)(argc);
}

#ifdef __cplusplus
}
#endif
#endif
