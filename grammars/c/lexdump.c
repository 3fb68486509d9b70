// Writes the lexers of a grammar as tables. It is compiled with a parser.c between lexdump.h and itself, for the machine
// that generates: each state is asked what it does with each character at which any condition can change.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool mock_eof(const TSLexer *lexer) { (void)lexer; return lex_at_end; }

static uint32_t points[200000];
static int point_count;

static int ask(bool (*lex)(TSLexer *, TSStateId), TSStateId state, int32_t c, bool end) {
  TSLexer lexer = {0};
  lexer.lookahead = c;
  lexer.eof = mock_eof;
  lex_at_end = end;
  lex_action = 0xffff;
  lex_accept = 0xffff;
  lex(&lexer, state);
  return lex_action;
}

static void put(FILE *f, uint32_t v, int size) {
  for (int i = 0; i < size; i++) fputc(v >> (8 * i) & 255, f);
}

// A table: the number of states; for each its token, what it does at the end, the first of its ranges and their number;
// for each what it does with each of 128 characters; ranges: the first character, what is done from there on.
static void dump(FILE *f, bool (*lex)(TSLexer *, TSStateId), int states) {
  uint32_t *lows = malloc(sizeof(uint32_t) * 4000000), *doing = malloc(sizeof(uint32_t) * 4000000);
  uint32_t used = 0, *first = malloc(4 * states), *count = malloc(4 * states);
  for (int s = 0; s < states; s++) {
    uint32_t start = used, last = 0x10000;
    for (int i = 0; i < point_count; i++) {
      if (points[i] < 128) continue;
      uint32_t action = ask(lex, s, points[i], false);
      if (action == last) continue;
      lows[used] = points[i], doing[used] = action, last = action;
      used++;
    }
    uint32_t n = used - start;
    first[s] = start, count[s] = n;
    for (int t = 0; t < s; t++) {
      if (count[t] == n && !memcmp(lows + first[t], lows + start, 4 * n) && !memcmp(doing + first[t], doing + start, 4 * n)) {
        first[s] = first[t], used = start;
        break;
      }
    }
  }
  put(f, states, 4);
  for (int s = 0; s < states; s++) {
    uint32_t end = ask(lex, s, 0, true);
    put(f, lex_accept, 2), put(f, end, 2), put(f, first[s], 4), put(f, count[s], 4);
  }
  for (int s = 0; s < states; s++)
    for (int c = 0; c < 128; c++) put(f, ask(lex, s, c, false), 2);
  for (uint32_t i = 0; i < used; i++) put(f, lows[i], 4), put(f, doing[i], 4);
}

static int order(const void *a, const void *b) {
  uint32_t x = *(uint32_t *)a, y = *(uint32_t *)b;
  return x < y ? -1 : x > y;
}

// Arguments: the file with the numbers that the lexers compare with, the files to write.
int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  long v;
  points[point_count++] = 128;
  while (fscanf(f, "%li", &v) == 1) {
    for (long d = -1; d <= 1; d++)
      if (v + d > 128 && v + d <= 0x10ffff && point_count < 199990) points[point_count++] = v + d;
  }
  fclose(f);
  qsort(points, point_count, 4, order);
  f = fopen(argv[2], "wb");
  dump(f, ts_lex, LEX_STATES);
  fclose(f);
#ifdef LEX_KEYWORD_STATES
  f = fopen(argv[3], "wb");
  dump(f, ts_lex_keywords, LEX_KEYWORD_STATES);
  fclose(f);
#endif
  return 0;
}
