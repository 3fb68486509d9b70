// The lexers: tables that lexdump.c wrote, read here.
#include "lexer.h"
#include "parser.h"

void host_tick(void) __attribute__((import_module("host"), import_name("tick")));

typedef struct { uint16_t accept, end; uint32_t first, count; } State;
typedef struct { uint32_t low, action; } Range;
typedef struct { const State *states; const uint16_t *ascii; const Range *ranges; uint32_t count; } Table;

static Table tables[2];

static void open_table(Table *t, const uint32_t *data) {
  t->count = data[0];
  t->states = (const State *)(data + 1);
  t->ascii = (const uint16_t *)(t->states + t->count);
  t->ranges = (const Range *)(t->ascii + 128 * t->count);
}

static uint32_t search(const Range *r, uint32_t n, uint32_t c) {
  if (n == 0) return 0xffff;
  while (n > 1) {
    uint32_t half = n / 2;
    if (r[half].low <= c) r += half, n -= half;
    else n = half;
  }
  return r->low <= c ? r->action : 0xffff;
}

extern uint32_t lexer_ticks; // of the runtime, which counts two for a character

// Goes to the next character. Where this one and the next are ASCII, and all of the text is to be parsed, it does what the
// runtime's function does, without a call.
static inline void advance(TSLexer *lexer, bool skip) {
  Lexer *self = (Lexer *)lexer;
  uint32_t next = self->current_position.bytes + 1 - self->chunk_start;
  if (!self->chunk || self->lookahead_size != 1 || self->included_range_count != 1 || next >= self->chunk_size || (uint8_t)self->chunk[next] >= 128) {
    lexer->advance(lexer, skip);
    return;
  }
  if (((lexer_ticks += 2) & 0x3fe) == 0) host_tick();
  self->current_position.bytes++;
  if (lexer->lookahead == '\n') {
    self->current_position.extent.row++;
    self->current_position.extent.column = 0;
  } else {
    self->current_position.extent.column++;
  }
  if (skip) self->token_start_position = self->current_position;
  lexer->lookahead = (uint8_t)self->chunk[next];
}

static inline void mark_end(TSLexer *lexer) {
  Lexer *self = (Lexer *)lexer;
  if (self->included_range_count == 1) self->token_end_position = self->current_position;
  else lexer->mark_end(lexer);
}

static inline bool lex(const Table *t, TSLexer *lexer, TSStateId state) {
  bool result = false;
  for (;;) {
    if (state >= t->count) return result;
    const State *s = &t->states[state];
    if (s->accept != 0xffff) {
      result = true;
      lexer->result_symbol = s->accept;
      mark_end(lexer);
    }
    uint32_t c = (uint32_t)lexer->lookahead, action;
    if (c == 0 && lexer->eof(lexer)) action = s->end;
    else if (c < 128) action = t->ascii[state * 128 + c];
    else action = search(t->ranges + s->first, s->count, c);
    if (action == 0xffff) return result;
    state = action & 0x7fff;
    advance(lexer, action >> 15);
  }
}

static bool lex_main(TSLexer *lexer, TSStateId state) { return lex(&tables[0], lexer, state); }
static bool lex_keywords(TSLexer *lexer, TSStateId state) { return lex(&tables[1], lexer, state); }

void install_lexers(TSLanguage *l, const uint32_t *main, const uint32_t *keywords) {
  open_table(&tables[0], main);
  l->lex_fn = lex_main;
  if (!keywords) return;
  open_table(&tables[1], keywords);
  l->keyword_lex_fn = lex_keywords;
}
