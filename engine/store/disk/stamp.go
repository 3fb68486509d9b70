package disk

import (
	"encoding/binary"
	"io/fs"
	"os"
	"time"
)

// This file holds what the kernel records about a file, which shows without reading the file whether it was written
// since.
//
// Rules:
//
//   - Two equal stamps of one file mean the same content only if the first one had settled when the file was read: a
//     write in the same tick of the clock leaves the same stamp. git calls such files "racily clean".
//   - On systems that do not record when a file was last changed, no stamp is known, and every file is read.
//   - A program that writes through a memory map can leave the stamp as it was: the kernel notes the first of several
//     writes through the same page only. No program is known to write specs in this way.
//   - A link has no stamp of what it points to, so only regular files and folders have one.
//
// Decisions:
//
// 2026-11-23: the time of the last change of metadata (ctime) and the inode are part of a stamp. Rejected: size and time
// of modification alone, which a program can restore after a write.
//
// 2026-11-23: how long a stamp takes to settle depends on the timestamp itself: one with nanoseconds comes from a file
// system that counts ticks of the kernel, at most 10 ms; one in whole milliseconds or seconds may be rounded by up to 2 s,
// as FAT does. Rejected: 2 s for all files, because all files that git has just switched would be read again and again.

// Stamp is what the kernel records about a regular file or a folder. The zero Stamp is unknown.
type Stamp struct {
	Modified int64 // time of the last write, ns since 1970
	Changed  int64 // time of the last change of content or metadata, ns since 1970
	Size     int64
	Inode    uint64
}

// FromInfo returns the stamp of a file; zero for links, pipes and devices, and where the system records too little.
func FromInfo(info fs.FileInfo) Stamp {
	if !info.Mode().IsRegular() && !info.IsDir() {
		return Stamp{}
	}
	return infoStamp(info)
}

// Known reports whether the stamp is that of a file.
func (s Stamp) Known() bool { return s.Inode != 0 && s.Changed != 0 }

// Append appends the stamp to bytes, always 32 of them, which differ for different stamps.
func (s Stamp) Append(out []byte) []byte {
	for _, v := range [...]uint64{uint64(s.Modified), uint64(s.Changed), uint64(s.Size), s.Inode} {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return out
}

// Settled reports whether a write after now will leave another stamp.
func (s Stamp) Settled(now time.Time) bool {
	at := now.UnixNano()
	return s.Known() && at > s.Modified+tick(s.Modified) && at > s.Changed+tick(s.Changed)
}

// tick returns for how long after a timestamp another write may have the same timestamp.
func tick(at int64) int64 {
	// A time in whole milliseconds or seconds may be rounded, on FAT by up to 2 s.
	if at%int64(time.Millisecond) == 0 {
		return int64(2 * time.Second)
	}
	// Clocks of kernels tick every 10 ms at most; the rest is a margin.
	return int64(50 * time.Millisecond)
}

// Folder returns the stamp of a folder. It changes when a name in the folder comes or goes or begins to mean another
// file, and not when a file is written in place.
func Folder(path string) (Stamp, error) {
	// A link to the folder counts as the folder it leads to.
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}, err
	}
	return FromInfo(info), nil
}
