// Package bench measures how well code is found, on corpora that every machine with Go and a clone of this repository
// has. It consists of benchmarks, which fail if code is found worse than it should be:
//
//	go test -run '^$' -bench . -benchtime 1x ./engine/code/bench
//
// # Rules
//
//   - BenchmarkLibrary asks for functions of Go's library by the first sentences of their comments, without comments in
//     what is searched. No model has learned from a function that is asked for.
//   - BenchmarkHistory asks for the files that commits of this repository changed, by their subjects, in the commit
//     with which their window of the history began.
//   - Plain BM25 is measured in the same run. Ratios to it can be compared between versions of Go and of this
//     repository; MRR and R@10 themselves depend on the corpus.
package bench
