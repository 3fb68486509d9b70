// Replaces what the states of a lexer do by a note of what they would do.
#include "parser.h"
static uint32_t lex_action, lex_accept;
static bool lex_at_end;
#undef START_LEXER
#undef ADVANCE
#undef ADVANCE_MAP
#undef SKIP
#undef ACCEPT_TOKEN
#undef END_STATE
#define START_LEXER() bool eof = false; int32_t lookahead = lexer->lookahead; (void)eof;
#define ADVANCE(s) { lex_action = (s); return false; }
#define ADVANCE_MAP(...) \
  { \
    static const uint16_t map[] = {__VA_ARGS__}; \
    for (uint32_t i = 0; i < sizeof(map) / sizeof(map[0]); i += 2) { \
      if (map[i] == lookahead) { lex_action = map[i + 1]; return false; } \
    } \
  }
#define SKIP(s) { lex_action = (s) | 0x8000; return false; }
#define ACCEPT_TOKEN(t) lex_accept = (t);
#define END_STATE() return false;
