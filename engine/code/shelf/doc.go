// Package shelf keeps what is known about the files of all worktrees of a repository, in its index (package index): the
// outline of each blob, segments of search, vectors, and a manifest of each worktree.
//
// # Rules
//
//   - An outline belongs to a blob and its language, and a document of a segment to a unit, that is a blob at a path.
//     Therefore a worktree with the same files needs nothing but a manifest.
//   - A document is one chunk. Its key is the unit and the number of the chunk in its outline.
//   - A file without chunks, or one that is left out for its content, has a document without words, so that it is known.
//   - If several segments contain a unit, the newest counts. So a unit is replaced by adding it once more, and what was
//     stored before stays whole until then.
//   - What is stored is complete for each segment: when a process is killed, the next one continues after the last segment.
//     A manifest is stored at the end, and a search answers only with units of a manifest that was checked meanwhile.
//   - One process at a time adds segments, under a lock. Another one that misses units waits and looks again.
//   - Small segments are merged. Documents of units that no worktree has are left out then, and manifests of worktrees
//     that are gone are removed.
//   - A segment has the vectors of one model or none. They are made of its words, so they are the same whenever and in
//     whichever process that is done.
//   - Vectors of other embedders belong to units, since they are costly: they outlive merges and new indexes. A search
//     makes few of them, and does not wait for another process that makes them.
//   - What a worktree contains is counted once. The counts hold while its manifest does and there are the same segments.
//   - Of outlines, a process keeps the bytes of a few that searches have read (recent). A search reads single chunks of
//     them (Pieces). Outlines that cannot be stored are kept, because files would be divided again for each search.
//   - A model is trained when there is none, or when the code has doubled, on a sample that depends on the code alone.
//
// # Decisions
//
// 2026-11-26: 4 MiB of outlines are kept, as bytes. Rejected: whole outlines of all files that were found, with which the
// memory in use grew from 21 to 37 MB during 200 searches and on; and none, with which unpacking took 7 % of
// the processor time of a search.
//
// 2026-11-26: chant index reads counts where nothing has changed. Rejected: counting the documents of all segments each
// time, for which 34 MB are read for Go's library, two thirds of the time of such a command.
package shelf
