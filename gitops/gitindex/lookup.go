package gitindex

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Sizes of the parts of an index file, in bytes.
const (
	headSize  = 12 // signature, version, number of entries
	entrySize = 62 // times, numbers and modes, hash, flags
	hashSize  = 20
)

// Bits of the flags of an entry.
const (
	flagExtended = 0x4000
	flagStage    = 0x3000
	lengthMask   = 0x0fff
)

// lookup returns the modes and hashes of merged entries of an index file, by their names, and only of those whose flags
// say nothing further: entries that are hidden from git or only planned are left out. Not ok are files that only git can
// read as a whole: split and sparse ones, those of other versions, and broken ones.
func lookup(file []byte, names ...string) (found map[string]string, ok bool) {
	if len(file) < headSize+hashSize || string(file[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(file[4:]), binary.BigEndian.Uint32(file[8:])
	if version < 2 || version > 4 {
		return nil, false
	}
	found = map[string]string{}
	rest := file[headSize : len(file)-hashSize]
	var name []byte
	for range count {
		if len(rest) < entrySize+1 {
			return nil, false
		}
		flags := binary.BigEndian.Uint16(rest[60:])
		size := entrySize
		if flags&flagExtended != 0 {
			size += 2
		}
		if name, size, ok = entryName(rest, size, version, flags, name); !ok {
			return nil, false
		}
		for _, wanted := range names {
			if flags&^lengthMask == 0 && string(name) == wanted {
				found[wanted] = fmt.Sprintf("%06o %s", binary.BigEndian.Uint32(rest[24:]), hex.EncodeToString(rest[40:60]))
			}
		}
		rest = rest[size:]
	}
	return found, plainExtensions(rest)
}

// entryName returns the name of an entry whose fixed part has a size, and the size of the whole. In version 4, the name
// begins like the previous one.
func entryName(entry []byte, fixed int, version uint32, flags uint16, previous []byte) (name []byte, size int, ok bool) {
	if len(entry) < fixed {
		return nil, 0, false
	}
	if version < 4 {
		length := int(flags & lengthMask)
		if length == lengthMask { // or longer
			length = bytes.IndexByte(entry[fixed:], 0)
		}
		size = (fixed + length + 8) &^ 7 // filled up with 1 to 8 NULs
		if length < 0 || len(entry) < size {
			return nil, 0, false
		}
		return entry[fixed : fixed+length], size, true
	}
	removed, width := varint(entry[fixed:])
	if width == 0 || removed > len(previous) {
		return nil, 0, false
	}
	begin := fixed + width
	length := bytes.IndexByte(entry[begin:], 0)
	if length < 0 {
		return nil, 0, false
	}
	name = append(bytes.Clone(previous[:len(previous)-removed]), entry[begin:begin+length]...)
	return name, begin + length + 1, true
}

// varint reads a number as git encodes it in packs and in version 4: seven bits in each byte, the highest first, and each
// further byte adds one.
func varint(text []byte) (value, width int) {
	for i, b := range text {
		if i > 3 {
			break // longer than any path
		}
		if i > 0 {
			value++
		}
		value = value<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// plainExtensions reports whether what follows the entries of an index file does not change them.
func plainExtensions(rest []byte) bool {
	for len(rest) >= 8 {
		name, size := string(rest[:4]), binary.BigEndian.Uint32(rest[4:])
		if name == "link" || name == "sdir" || uint64(size) > uint64(len(rest)-8) {
			return false
		}
		rest = rest[8+size:]
	}
	return len(rest) == 0
}
