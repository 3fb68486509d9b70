// Package embed turns texts into vectors, so that texts that mean the same have similar ones: questions and code.
//
// The model that needs nothing is trained on the code itself (Train): a table of word vectors, whose mean is the vector
// of a text. Another maker of vectors, servers, is in package remote below this one.
//
// # Rules
//
//   - An Embedder has an ID. Vectors of different IDs are not compared with each other.
//   - Train returns the same model for the same pairs in the same order on one kind of machine, however many cores it
//     has. Fewer than LeastPairs pairs teach too little (ErrTooLittle).
//   - A model that is broken or cut off leads to an error, and never to a panic (FuzzOpen).
//   - Vectors are stored as bytes with one scale (Pack), and compared as they are stored (Matrix), all of them: for
//     50,000 documents this takes 3 ms.
//   - Vectors of many documents are made from an index of their words (Sums), so that no text is read again.
//
// # Decisions
//
// 2026-11-29: models that model2vec made are not read from a folder any more: a third way to vectors, beside what is learned
// here and what a server makes, with a tokenizer of its own (740 lines).
//
// 2026-11-23: one table for questions and code, of 128 dimensions, trained by comparing the pairs of a batch of 128
// with each other (InfoNCE, tau 0.06), with Adagrad by word. It begins with random vectors that are longer for rarer
// words, so that before it has learned anything, texts that share words are similar. Rates of 0.03 and 0.1 were worse
// (0.440 and 0.467 instead of 0.486 at 0.3, MRR of the hybrid on Go's library).
//
// 2026-11-24: 4 epochs at a rate of 0.4, and shares below 1e-4 do not count. Rejected, by MRR of the hybrid on Go's
// library and on the history of this repository (package rank), with the processor seconds of learning and of all
// vectors of the library:
//
//	epochs  rate  batch  pairs    library  history  seconds
//	6       0.3   128    17,600   0.485    0.301    3.4     all shares count
//	6       0.3   128    17,600   0.485    0.301    3.0
//	6       0.3    64    17,600   0.475    0.308    2.3
//	4       0.3   128    17,600   0.481    0.305    2.1
//	4       0.4   128    17,600   0.484    0.310    2.2     as it is
//	4       0.4   128    12,000   0.477    0.310    1.5
//	3       0.4    64    12,000   0.467    0.306    1.4
//
// 2026-11-23: Adagrad with one sum for each word instead of one for each number, which halves the memory.
//
// 2026-11-24: rows of tables and vectors as int8 on disk and in memory, compared in whole numbers. Rejected: float16 on
// disk, which is twice as large; and float32 in memory, which takes four times as much of it, must be made of the
// stored bytes first, and is no faster (3.1 ms for 50,000 documents).
//
// 2026-11-26: the nearest documents are picked on all cores while they are scored, 1,024 at a time. Rejected: a list of
// all scores, 135 KB for each question about 33,917 documents, which one core then went through.
//
// 2026-11-26: one multiplication of 64-bit words makes two products of bytes and numbers (factor): 1.8 ms instead of 3.8
// for 33,917 documents on one core. Rejected: assembly, which each processor needs anew.
//
// 2026-11-24: vectors are made from the postings of a segment. Rejected: reading files and dividing their texts into
// words a second time, which took three times as long and needed the files as they were.
package embed
