// Package similar ranks short texts by their similarity to a question: commands by their names and descriptions, for
// example. A list has few or a few thousand of them, and is indexed in memory whenever it is read.
//
// It is pure: it uses no file, process, clock or database, and its results depend on the given documents only.
//
// # Score
//
// The score is the cosine of two vectors, multiplied by coverage. It is between 0 and 1, rounded to 4 decimal places.
//
//   - Words are read as package words reads them: parts of compound words, stems, without stop words. A word's weight is
//     how often it occurs times its inverse document frequency, ln((1+N)/(1+df))+1. Dividing by the length of the text
//     would not change a cosine.
//   - A word of the names counts one and a half times as much as one of the text.
//   - Two words side by side, in either order, count in addition, with three quarters of their mean weight.
//   - Coverage is the share of the query's words that a document has.
//   - Words of the query that no document has in any reading are left out.
//   - If the cosine with the text alone is 0.8 or more, four fifths of it count, and one fifth of the cosine with names
//     and text, if that is more. Thus a query that repeats a description has a score of at least 0.8 whatever the names
//     are, and the names decide among equal descriptions.
//
// # Readings
//
// A word of the query may mean several words of the documents; the one that counts most in a document counts there.
//
//   - A word that documents have also means, with at most half the weight, words that are in the same documents: five at
//     most, each in three documents with it at least. This is the only source of synonyms. Likewise it means words that
//     differ from it by a prefix, such as "tracked" and "untracked".
//   - A word that no document has means words that begin with it, and the nearest words at most one or two edits away.
//     If there are none, it means the words that it contains at its beginning or end, and those that contain it. If
//     there are none either, it means two words written as one.
//   - Two words side by side also mean the word that they are when written as one.
//
// # Decisions
//
// All 2026-11-23, by TestSimilar_questions in cmd: mean reciprocal ranks of the right commands of climpt, git and
// chant, on the questions for tuning. Plain TF-IDF has 0.93, 0.76 and 0.81, this package 0.98, 0.92 and 0.93. On
// questions that are new to it, TF-IDF has 0.83, 0.86 and 0.80, this package 0.97, 0.91 and 0.93.
//
// Coverage: without it, a short description with one of the words comes before one that has all of them (chant's
// commands 0.90; 6,000 functions of the Go library, asked for by the second sentence of their comments, 0.34 instead of
// 0.36). Rejected: weighing the words in it, which makes no difference; and dividing by a mean of a text's length and
// the usual one instead, because scores of equal texts are no longer 1.
//
// Misspelt words: without them git's commands have 0.87 and chant's 0.88; a tenth of the questions is misspelt. Stems:
// 0.87 without them for git's. Words side by side: 0.90. Words contained in others: 0.90. Names that count as much as
// the text: 0.90, and climpt's commands 0.93.
//
// Synonyms from common documents: on lists of a hundred short descriptions they change the place of one command in two
// hundred, because hardly any two words are together three times; on the Go library they gain 0.003. Rejected: words
// that have the same neighbours (second order), and the words of the best document as part of the query (relevance
// feedback), which gain nothing on any list; words that are together in one or two documents, which cost more than they
// gain on short lists; and a list of synonyms, which would not know the words of a project.
//
// Wholes of compound words have no stems: "work-trees" is also "worktrees", but not "worktre". Their stems would take
// as long as the rest of New, because the names of commands are mostly compounds that occur once.
//
// Pairs of words are looked for in the documents that have both words, in the order of their texts. Rejected: terms of
// their own, whose number would be as large as that of all words. Words at most two or three apart find as much that is
// wrong as that is right.
//
// Rejected: the index of engine/find. It ranks by BM25F, whose scores have no upper limit, and is made for being
// stored.
package similar
