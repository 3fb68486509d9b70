// Package words reads words from texts as search compares them: without case, accents and endings, with the parts of
// compound words, and with the words that a misspelt one may mean.
//
// It is pure: it uses no file, process, clock or database. Documents and queries are read by the same rules.
//
// # Rules
//
//   - A chain of letters and digits, connected by single "_" and "-", is one word as a whole (without its joiners) and
//     one for each of its parts: getUserId, get_user_id and get-user-id are "getuserid", "get", "user" and "id". Parts
//     also end before a capital, and between letters and digits; what lies between joiners is a word as well ("q7e" of
//     "001-q7e"). A part of one letter is not a word; a run with more than three changes between letters and digits is
//     a hash or an id and has no parts.
//   - Words are compared without case and without accents on Latin, Greek and Cyrillic letters: "Über" is "uber".
//   - They are reduced to their English stems (Porter2): "verified" and "verifying" are "verifi". Words with digits or
//     with letters of other scripts stay as they are.
//   - The most frequent English words (IsStop) are left out.
//   - Scripts that do not separate words by spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) are read as
//     pairs of neighbouring characters.
//   - Of a word longer than 64 bytes only the beginning counts, and it has no parts.
//
// # Misspelt words
//
// A word from 4 letters may be one edit away from the word that was meant, and a word from 8 letters two
// (AllowedEdits). An edit inserts, removes or replaces a letter, or swaps two neighbours; the first letter may be wrong
// too. A Speller compares one word with many.
//
// # Decisions
//
// 2026-11-26: the words of common chains are remembered in places that a new chain takes from an old one (Cache).
// Rejected: a map that is emptied when it is full, because it then reads the common chains anew.
//
// 2026-11-23: a misspelt word is compared with the whole dictionary by an automaton (Speller), which skips texts by
// their length and by the beginning that they share with the text before: 1 to 3 ms for 300,000 words. Rejected: an
// index of words with letters left out, which is several times as large as the dictionary.
//
// 2026-11-23: accents do not count in Latin, Greek and Cyrillic text only. Rejected: ignoring the marks of all scripts,
// because elsewhere they are vowels.
//
// 2026-11-23: pairs of characters for scripts without spaces, and the last character of a run alone, so that one
// character finds the pairs that begin with it and the runs that end with it. Rejected: single characters, which are
// in far too many documents; and a dictionary of words, which costs megabytes.
package words
