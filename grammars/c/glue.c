// What the host calls: choose a grammar, parse a text, list the nodes of the tree.
#include "api.h"
#include "parser.h"

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

// Forgets all of an earlier parse and returns where the text goes.
__attribute__((export_name("prepare"))) uint32_t prepare(uint32_t size) {
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

static void list(TSTree *tree, uint32_t most, uint32_t *count, uint32_t deepest) {
  uint32_t depth = 0, n = 0;
  uint32_t *open = malloc((deepest + 1) * 4);
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    TSSymbol symbol = ts_node_symbol(node);
    uint8_t kept = symbol == (TSSymbol)-1 ? 1 : keep[symbol];
    if (n == most || depth == deepest) {
      *count = 0xffffffff;
      return;
    }
    if ((n & 1023) == 0) host_tick();
    open[depth] = n;
    if (kept) {
      if (n == capacity) {
        capacity *= 2;
        nodes = realloc(nodes, capacity * sizeof(Node));
      }
      Node *out = &nodes[n++];
      out->start = ts_node_start_byte(node);
      out->end = ts_node_end_byte(node);
      out->symbol = symbol;
      out->field = ts_tree_cursor_current_field_id(&cursor);
      out->next = kept == 1 ? 1u << 28 : 0;
      if (symbol == (TSSymbol)-1) out->next |= 1u << 29;
      if (ts_node_is_missing(node)) out->next |= 1u << 30;
    } else {
      open[depth] = 0xffffffff;
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      depth++;
      continue;
    }
    for (;;) {
      if (open[depth] != 0xffffffff) nodes[open[depth]].next |= n;
      if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        *count = n;
        return;
      }
      depth--;
    }
  }
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
  uint32_t count = 0;
  list(tree, most, &count, deepest);
  return (int32_t)count;
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
