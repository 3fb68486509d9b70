// Package embed turns texts into vectors, so that texts that mean the same have similar ones: questions and code.
//
// The model that needs nothing is trained on the code itself (Train): a table of word vectors, whose mean is the vector
// of a text. Other makers of vectors are in packages below this one: model2vec, and remote for servers.
//
// # Rules
//
//   - An Embedder has an ID. Vectors of different IDs are not compared with each other.
//   - Train returns the same model for the same pairs in the same order on one kind of machine, however many cores it
//     has. Fewer than LeastPairs pairs teach too little (ErrTooLittle).
//   - A model that is broken or cut off leads to an error, and never to a panic (FuzzOpen).
//   - Vectors are stored as bytes with one scale (Pack), and compared in memory as float32 (Matrix), all of them: for
//     50,000 documents this takes 2 to 4 ms.
//
// # Decisions
//
// 2026-11-23: one table for questions and code, of 128 dimensions, trained by comparing the pairs of a batch of 128 with
// each other (InfoNCE, tau 0.06, 6 epochs), with Adagrad by word and a rate of 0.3. It begins with random vectors that
// are longer for rarer words, so that before it has learned anything, texts that share words are similar. Training on
// 17,600 pairs of Go's library takes 2.4 s on two cores, and a table has 3.4 MB. Rejected, by MRR of the hybrid on that
// library and on the history of this repository (package rank): rates of 0.03 and 0.1 (0.440 and 0.467 instead of
// 0.486); a rate of 0.4 with 10 epochs (0.491, but 0.319 instead of 0.323 on the history, and half as long again); and
// batches of 256 (0.488, in a third more time).
//
// 2026-11-23: Adagrad with one sum for each word instead of one for each number, which halves the memory.
//
// 2026-11-23: rows of tables and vectors as int8 on disk. Rejected: float16, which is twice as large; and int8 in
// memory as well, which is slower in Go than float32.
package embed
