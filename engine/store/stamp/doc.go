// Package stamp holds what the kernel records about a file, which shows without reading the file whether it was
// written since.
//
// # Rules
//
//   - Two equal stamps of one file mean the same content only if the first one had settled when the file was read: a
//     write in the same tick of the clock leaves the same stamp. git calls such files "racily clean".
//   - On systems that do not record when a file was last changed, no stamp is known, and every file is read.
//   - A program that writes through a memory map can leave the stamp as it was: the kernel notes the first of several
//     writes through the same page only. No program is known to write specs in this way.
//   - A link has no stamp of what it points to, so only regular files and folders have one.
//
// # Decisions
//
// 2026-11-23: the time of the last change of metadata (ctime) and the inode are part of a stamp. Rejected: size and time
// of modification alone, which a program can restore after a write.
//
// 2026-11-23: how long a stamp takes to settle depends on the timestamp itself: one with nanoseconds comes from a file
// system that counts ticks of the kernel, at most 10 ms; one in whole milliseconds or seconds may be rounded by up to 2 s,
// as FAT does. Rejected: 2 s for all files, because all files that git has just switched would be read again and again.
package stamp
