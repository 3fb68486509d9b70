// Package find ranks documents by the words of a query: it stores in segments which documents contain a word, and finds
// the best documents for a query.
//
// It is pure: it uses no file, process, clock or database. Callers keep the bytes of segments, and the texts. What a
// document is, and which fields it has, is up to them too: a spec, a command, a piece of code.
//
// # Words
//
// Package words reads them from documents and queries by the same rules: parts of compound words, case, accents, stems,
// stop words, scripts without spaces.
//
// # Rules
//
//   - A segment is immutable. Its documents have numbers from 0, in the order in which they were added, and keys, which
//     callers choose. A changed document is added to a new segment, and the old one is taken out of its segment
//     (Segment.Without) until segments are merged. A search then finds, and counts, as if it had never been added.
//   - A segment that is broken or cut off leads to an error, and never to a panic (FuzzOpen).
//   - How many documents contain a word, and how long fields are on average, is counted over all segments of a search,
//     including documents that Keep drops, without those that were taken out. Therefore it does not matter how the
//     documents are divided among segments, in which order they were added, nor what was changed and merged since.
//   - Documents are ranked by BM25F. Equal scores are in the order of keys.
//
// # Queries
//
//   - A document needs only one word of the query. The more of the words it lacks, by their rarity, the more its score
//     is reduced.
//   - A word that no document contains is read as the words one edit away (from 4 letters) or two (from 8 letters), and
//     if none is one edit away, also as two words written as one. Swapped neighbours are one edit, and the first letter
//     may be wrong too. Such words count less than the word as written.
//   - Two words of the query side by side are also searched as one.
//   - With Query.Prefix, the last word is also read as words that begin with it.
//
// # Decisions
//
// 2026-11-23: for a query of n words, a document that lacks nearly all of them keeps n/(n+12) of its score. Rejected:
// requiring all words, because a question in words of its own would find nothing; no reduction, by which a document
// with one of the words in its title comes before one that has all of them (three words of a line found their spec
// first in 59 instead of 64 of 100 cases); and the same reduction for all lengths, which costs long questions more than
// it gains (functions of the Go library by the first sentence of their comment: MRR 0.414 instead of 0.421).
//
// 2026-11-23: the dictionary also lists words as written, which only point to their stems. Rejected: correcting and
// completing stems, because "configuraton" is far from the stem "configur"; and postings for words as written, which
// would nearly double the size of a segment.
//
// 2026-11-23: for a word as written, a segment has a bit for each document with its stem, or fewer bytes if the word is
// in all or in few of them: segments of specs grow by 7 %. When documents are gone, this decides whether their words
// are still known. Rejected: keeping a word as long as its stem, because misspelt and unfinished words were then read
// as words that nothing contains, until the index was built anew.
//
// 2026-11-23: a search reads the postings of its words once more to count the documents that are not gone, in segments
// with such documents only. Rejected: writing segments anew at each change, which costs more than all searches between
// two changes; and counting all documents, by which a search depends on what the texts were before.
//
// 2026-11-23: only a word that no document contains is corrected. Rejected: correcting a rare one as well, because the
// rarest words of a query are the ones that find a document, and each correction reads the whole dictionary.
//
// 2026-11-23: a segment ends with a checksum, and whatever is read from it is checked against its bounds as well.
// Rejected: trusting the checksum alone, because segments are read from files that other programs can write.
package find
