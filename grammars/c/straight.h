// Pops what ts_stack_pop_count pops where there is one way down the stack, which is nearly always.
StackSliceArray ts_stack_pop_count(Stack *self, StackVersion version, uint32_t count) {
  StackNode *node = array_get(&self->heads, version)->node;
  uint32_t all = 0, found = 0;
  for (; found < count; node = node->links[0].node, all++) {
    if (node->link_count != 1) return pop_count_any(self, version, count);
    Subtree subtree = node->links[0].subtree;
    if (!subtree.ptr) return pop_count_any(self, version, count);
    if (!ts_subtree_extra(subtree)) found++;
  }
  array_clear(&self->slices);
  SubtreeArray subtrees = array_new();
  array_reserve(&subtrees, (uint32_t)ts_subtree_alloc_size(all > count ? all : count) / sizeof(Subtree));
  subtrees.size = all;
  node = array_get(&self->heads, version)->node;
  while (all > 0) {
    Subtree subtree = node->links[0].subtree;
    ts_subtree_retain(subtree);
    subtrees.contents[--all] = subtree;
    node = node->links[0].node;
  }
  ts_stack__add_slice(self, version, node, &subtrees);
  return self->slices;
}
