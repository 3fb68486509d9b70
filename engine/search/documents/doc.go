// Package documents finds texts of a project by their words: active and archived specs, prompts, and the Markdown files
// that git tracks. Package find ranks them; this package knows which texts there are, and keeps what was read of them
// as segments in the index.
//
// # Rules
//
//   - Only documents are read that no segment has with their present stamps. Which documents are current is decided by
//     stamps and ids of blobs alone.
//   - A search finds the same, with the same scores, with the index, without it and with a broken one. Former texts that
//     segments still contain are taken out of them (find.Segment.Without).
//   - A process stores segments only while it holds the lease. The others store nothing.
//
// # Decisions
//
// 2026-11-28: segments also have the texts of specs, in lower case, because a spec that contains a query must be found and
// come first: a search in 10,000 specs of 1.5 KB takes 53 ms instead of 29. Rejected: pieces of three letters of each spec,
// which name more specs than contain a query, so that the number found is only known after reading all of these; and the
// words of the index, which lack stop words, punctuation and the middle of words.
//
// 2026-11-23: each search compares the stamps of all files, in servers too, while the segments are read. At 10,000
// specs this is half of its work. Rejected: notifications of the kernel (inotify), which do not report writes through a
// memory map; and to trust the stamps of the last search for a moment, because a search must find what was just
// written.
//
// 2026-11-23: all matches are counted but only the best are kept (find.SearchGroups), specs and other documents apart.
// Rejected: keeping all in order, of which a search for frequent words in 10,000 specs threw almost all away.
//
// 2026-11-23: a package of its own. Rejected: the store, whose files other packages change by the same few functions;
// a search needs only the list of current versions and the segments.
//
// 2026-11-23: a search covers the version of a spec in the worktree of its run if the caller is there, on the branch of
// its run, or in home. Rejected: also the version on the target if home has another branch checked out, because which
// specs are completed there is known only after reading them; rows of results have the right status all the same.
//
// 2026-11-23: a process that reads many documents for the index holds a lease, and others that need the same documents
// meanwhile read them for themselves. Rejected: waiting for the lease, because its holder may be stopped; and answering
// without the documents, which would be wrong.
package documents
