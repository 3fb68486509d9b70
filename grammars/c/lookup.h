// What ts_language_lookup has found, for states whose table it would search.
extern struct lookup { uint32_t key; uint32_t value; } lookups[4096]; // the key is 0 where nothing is kept

static inline uint16_t ts_language_lookup(const TSLanguage *self, TSStateId state, TSSymbol symbol) {
  if (state < self->large_state_count) return self->parse_table[state * self->symbol_count + symbol];
  uint32_t key = (uint32_t)state << 16 | symbol; // large states come first, so that it is not 0
  struct lookup *known = &lookups[(key * 2654435769u) >> 20];
  if (known->key != key) *known = (struct lookup){key, ts_language_search(self, state, symbol)};
  return known->value;
}
