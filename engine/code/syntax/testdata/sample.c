/* A small store. */
#include <stdio.h>
#include "store.h"

#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A row. */
struct row {
    int id;
    struct row *next;
};

typedef struct {
    int x, y;
} point_t;

typedef int (*compare_fn)(const void *, const void *);

enum color { RED, GREEN };

static int count = 0;
extern int open_store(const char *name);

/**
 * Finds a row.
 */
static struct row *find(struct row *first, int id)
{
    while (first && first->id != id)
        first = first->next;
    log_row(first);
    return first;
}

#ifdef DEBUG
void debug(point_t p) {
    printf("%d", p.x);
    ops->run(p);
}
#endif
