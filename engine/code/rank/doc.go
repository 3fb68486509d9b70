// Package rank says how chunks of code are ranked: which texts of a chunk are searched, what each of them counts, and
// how the scores of words (engine/search/find) and of meaning (engine/code/embed) are joined.
//
// It is pure: it uses no file, process, clock or database.
//
// # Rules
//
//   - A chunk has five fields: its name, its signature, the path of its file, its doc comment, and its body without that
//     comment. Fields returns their weights, Texts their texts, in the same order.
//   - Fuse stretches both lists of scores to the range from 0 to 1 and adds them, the semantic one with a share. A
//     document that a list lacks has the score 0 there. Without semantic scores, the order is that of the words alone.
//   - Pair returns what the model of meaning learns from a chunk: the first sentence of its comment and its code.
//
// # Decisions
//
// 2026-11-23: weights 8, 2, 8, 3 and 1. BenchmarkLibrary asks for functions of Go's library by the first sentence of
// their comment, without comments in the index; BenchmarkHistory asks for the files that commits of this repository
// changed, by their subject (MRR@10, BENCHMARKS.md):
//
//	                              library   history
//	plain BM25                    0.168     0.231
//	8, 2, 3, 3, 1                 0.398     0.292
//	5, 2, 8, 3, 1                 0.394     0.300
//	8, 2, 8, 3, 1                 0.395     0.296
//	 with meaning, share 0.2      0.446     0.311
//	 with meaning, share 0.3      0.470     0.324
//	 with meaning, share 0.4      0.485     0.331
//	 with meaning, share 0.5      0.486     0.330
//	meaning alone                 0.430     0.268
//
// 2026-11-23: a semantic share of 0.4 (DefaultWeight). Rejected: 0.5, which measures no worse, but leaves words less
// say than the vectors of a model that knows only this repository's comments.
//
// 2026-11-23: only the best Candidates of each list are joined. Rejected: semantic scores for all documents with a word
// of the query, by which the library's questions are answered worse (0.46 instead of 0.49 at a share of 0.4): being
// near the top of the semantic list says more than the difference of scores below it.
//
// 2026-11-23: each field is embedded once. Rejected: the name three times, which measures as noise does (library 0.488
// instead of 0.485, history 0.333 instead of 0.334).
//
// 2026-11-23: the least score of the semantic list counts 0. Rejected: reciprocal ranks, which ignore how much better
// the first document is, and are worse than words alone.
package rank
