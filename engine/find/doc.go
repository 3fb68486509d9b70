// Package find ranks documents by the words of a query: it reads words from texts, stores in segments which documents
// contain them, and finds the best documents for a query.
//
// It is pure: it uses no file, process, clock or database. Callers keep the bytes of segments, and the texts. What a
// document is, and which fields it has, is up to them too: a spec, a command, a piece of code.
//
// # Words
//
// Documents and queries are read by the same rules:
//
//   - A chain of letters and digits, connected by single "_" and "-", is one word as a whole (without its joiners) and
//     one for each of its parts: getUserId, get_user_id and get-user-id are "getuserid", "get", "user" and "id". Parts
//     also end before a capital, and between letters and digits. A part of one letter is not a word; a run with more
//     than three changes between letters and digits is a hash or an id and has no parts.
//   - Words are compared without case and without accents on Latin, Greek and Cyrillic letters: "Über" is "uber".
//   - They are reduced to their English stems (Porter2): "verified" and "verifying" are "verifi". Words with digits or
//     with letters of other scripts stay as they are.
//   - The most frequent English words (isStopWord) are left out.
//   - Scripts that do not separate words by spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are read as
//     pairs of neighbouring characters.
//   - Of a word longer than 64 bytes only the beginning counts, and it has no parts.
//
// # Rules
//
//   - A segment is immutable. Its documents have numbers from 0, in the order in which they were added, and keys, which
//     callers choose. A changed document is added to a new segment; Options.Keep and Merge drop the old one.
//   - A segment that is broken or cut off leads to an error, and never to a panic (FuzzOpen).
//   - How many documents contain a word, and how long fields are on average, is counted over all segments of a search,
//     including documents that Keep drops. Therefore it does not matter how documents are divided among segments, nor
//     in which order they were added.
//   - Documents are ranked by BM25F. Equal scores are in the order of keys.
//
// # Decisions
//
// 2026-11-23: a document needs only one word of the query, and its score is reduced by up to three quarters for lacking
// the others, by their rarity. Rejected: requiring all words, because a question in words of its own would find nothing;
// and no reduction, by which a document with one of the words in its title comes before one that has all of them: on
// the shared specs, queries of three words from a line found their spec first in 59 instead of 62 of 100 cases.
//
// 2026-11-23: the dictionary also lists words as written, which only point to their stems. Rejected: correcting and
// completing stems, because "configuraton" is far from the stem "configur"; and postings for words as written, which
// would double the size of a segment.
//
// 2026-11-23: only a word that no document contains is read as similar words. Rejected: also a rare one, because the
// rarest words of a query are the ones that find a document, and each correction reads the whole dictionary.
//
// 2026-11-23: accents do not count in Latin, Greek and Cyrillic text only. Rejected: ignoring the marks of all scripts,
// because elsewhere they are vowels.
package find
