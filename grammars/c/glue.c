// What the host calls: choose a grammar, parse a text, list the nodes of the tree.
#include "api.h"
#include "parser.h"
#include "language.h"
#include "subtree.h"
#include "tree.h"

__attribute__((import_module("host"), import_name("tick"))) void host_tick(void);
void heap_reset(uint32_t start);

typedef void (*Install)(TSLanguage *);
#define GRAMMAR(name) void install_##name(TSLanguage *);
#include "list.h"
#undef GRAMMAR
static const Install installs[] = {
#define GRAMMAR(name) install_##name,
#include "list.h"
#undef GRAMMAR
};

typedef struct {
  uint32_t start, end;
  uint16_t symbol, field;
  uint32_t next; // bits 0-27: the node after this one and all in it; 28: named, 29: error, 30: missing
} Node;

struct lookup lookups[4096];

extern uint32_t lexer_ticks;
static uint32_t visited; // nodes, by list

static TSLanguage *language;
static uint32_t heap_start;
static uint8_t *keep;
static Node *nodes;
static uint32_t source, source_size, capacity;

void install_lexers(TSLanguage *l, const uint32_t *main, const uint32_t *keywords);

__attribute__((export_name("install"))) void install(uint32_t grammar, uint32_t address, uint32_t lexer, uint32_t keywords, uint32_t free_from) {
  language = (TSLanguage *)(uintptr_t)address;
  installs[grammar](language);
  install_lexers(language, (const uint32_t *)(uintptr_t)lexer, (const uint32_t *)(uintptr_t)keywords);
  heap_reset(free_from);
  uint32_t count = ts_language_symbol_count(language);
  keep = malloc(count);
  for (uint32_t i = 0; i < count; i++) {
    char c = ts_language_symbol_name(language, (TSSymbol)i)[0];
    TSSymbolType type = ts_language_symbol_type(language, (TSSymbol)i);
    keep[i] = type == TSSymbolTypeRegular ? 1 : type == TSSymbolTypeAnonymous && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ? 2 : 0;
  }
  heap_start = (uint32_t)(uintptr_t)malloc(16);
}

// Forgets all of an earlier parse, so that the same text always has the same tree, and returns where the text goes.
__attribute__((export_name("prepare"))) uint32_t prepare(uint32_t size) {
  lexer_ticks = visited = 0;
  heap_reset(heap_start);
  source = (uint32_t)(uintptr_t)malloc(size + 16);
  source_size = size;
  return source;
}

static const char *read_source(void *payload, uint32_t byte, TSPoint point, uint32_t *size) {
  (void)payload, (void)point;
  host_tick();
  if (byte >= source_size) {
    *size = 0;
    return "";
  }
  uint32_t rest = source_size - byte;
  *size = rest < 16384 ? rest : 16384;
  return (const char *)(uintptr_t)(source + byte);
}

// Frame is a node whose children are being listed.
typedef struct {
  const Subtree *children;
  uint32_t count, index, structural; // of the children: how many, the next one, and its number without comments and the like
  uint32_t position;                 // where the next child starts
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields, *fields_end;
  uint32_t node;    // its place in nodes, none if it is not there
  uint32_t depth;   // of its children
  TSFieldId field;  // of its children that have none of their own: a hidden node is not there, what it is to its parent is
} Frame;

#define NONE 0xffffffffu

static Frame *frames;
static uint32_t frame_count, frame_capacity;

// Begins to list the children of a node.
static void enter(Subtree node, uint32_t position, uint32_t place, uint32_t depth, TSFieldId field) {
  if (frame_count == frame_capacity) {
    frame_capacity = frame_capacity ? 2 * frame_capacity : 256;
    frames = realloc(frames, frame_capacity * sizeof(Frame));
  }
  Frame *f = &frames[frame_count++];
  *f = (Frame){ts_subtree_children(node), node.ptr->child_count, 0, 0, position, NULL, NULL, NULL, place, depth, field};
  f->aliases = ts_language_alias_sequence(language, node.ptr->production_id);
  ts_language_field_map(language, node.ptr->production_id, &f->fields, &f->fields_end);
}

// Adds a node, and returns its place, NONE if it is left out.
static uint32_t add(Subtree node, TSSymbol symbol, uint32_t start, TSFieldId field, uint32_t *count) {
  if ((++visited & 1023) == 0) host_tick();
  symbol = ts_language_public_symbol(language, symbol);
  bool error = symbol == (TSSymbol)-1;
  uint8_t kept = error ? 1 : keep[symbol];
  if (!kept) return NONE;
  if (*count == capacity) {
    capacity *= 2;
    nodes = realloc(nodes, capacity * sizeof(Node));
  }
  uint32_t flags = (kept == 1 ? 1u << 28 : 0) | (error ? 1u << 29 : 0) | (ts_subtree_missing(node) ? 1u << 30 : 0);
  nodes[*count] = (Node){start, start + ts_subtree_size(node).bytes, symbol, field, flags};
  return (*count)++;
}

// Lists all nodes of a tree that are not hidden, in preorder. Returns how many, NONE if they are too many or too deep.
// Hidden nodes are those of rules that the grammar does not show.
static uint32_t list(Subtree root, uint32_t most, uint32_t deepest) {
  uint32_t count = 0;
  uint32_t start = ts_subtree_padding(root).bytes;
  uint32_t place = add(root, ts_subtree_symbol(root), start, 0, &count);
  if (ts_subtree_child_count(root) == 0) {
    if (place != NONE) nodes[place].next |= count;
    return count;
  }
  frames = NULL;
  frame_count = frame_capacity = 0;
  for (enter(root, start, place, 1, 0); frame_count > 0;) {
    Frame *f = &frames[frame_count - 1];
    if (f->index == f->count) {
      if (f->node != NONE) nodes[f->node].next |= count;
      frame_count--;
      continue;
    }
    Subtree child = f->children[f->index++];
    uint32_t at = f->position, structural = f->structural;
    f->position += ts_subtree_size(child).bytes;
    if (f->index < f->count) f->position += ts_subtree_padding(f->children[f->index]).bytes;
    TSSymbol alias = 0;
    bool extra = ts_subtree_extra(child);
    if (!extra) {
      if (f->aliases) alias = f->aliases[structural];
      f->structural++;
    }
    bool visible = alias || ts_subtree_visible(child);
    bool parent = ts_subtree_child_count(child) > 0;
    if (!visible && (!parent || ts_subtree_visible_child_count(child) == 0)) continue;
    TSFieldId field = 0;
    if (!extra) {
      field = f->field;
      for (const TSFieldMapEntry *e = f->fields; e < f->fields_end; e++) {
        if (!e->inherited && e->child_index == structural) {
          field = e->field_id;
          break;
        }
      }
    }
    uint32_t depth = f->depth;
    if (!visible) {
      enter(child, at, NONE, depth, field);
      continue;
    }
    if (count == most || depth == deepest) return NONE;
    place = add(child, alias ? alias : ts_subtree_symbol(child), at, field, &count);
    if (parent) enter(child, at, place, depth + 1, 0);
    else if (place != NONE) nodes[place].next |= count;
  }
  return count;
}

// Parses what is in the memory that prepare returned. Returns the number of nodes, or a negative number: the tree has
// too many or is too deep.
__attribute__((export_name("parse"))) int32_t parse(uint32_t most, uint32_t deepest) {
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, language);
  ts_parser_set_timeout_micros(parser, 1);
  TSInput input = {NULL, read_source, TSInputEncodingUTF8};
  TSTree *tree = ts_parser_parse(parser, NULL, input);
  if (!tree) return -1;
  capacity = source_size / 8 + 64;
  nodes = malloc(capacity * sizeof(Node));
  return (int32_t)list(tree->root, most, deepest);
}

__attribute__((export_name("symbol_count"))) uint32_t symbol_count(void) { return ts_language_symbol_count(language); }
__attribute__((export_name("symbol_name"))) uint32_t symbol_name(uint32_t s) {
  return (uint32_t)(uintptr_t)ts_language_symbol_name(language, (TSSymbol)s);
}
__attribute__((export_name("field_count"))) uint32_t field_count(void) { return ts_language_field_count(language); }
__attribute__((export_name("field_name"))) uint32_t field_name(uint32_t f) {
  return (uint32_t)(uintptr_t)ts_language_field_name_for_id(language, (TSFieldId)f);
}
__attribute__((export_name("found"))) uint32_t found(void) { return (uint32_t)(uintptr_t)nodes; }
