package corpus

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"slices"
	"strings"

	"chant/engine/store/packed"
	"chant/engine/store/stamp"
)

// Manifest is what a worktree contains.
type Manifest struct {
	Root    string // its top, absolute
	Rules   string // Rules.String of the rules that were applied
	Files   []File // sorted by path
	Watched []Watched
}

// File is a file of a worktree.
type File struct {
	Path    string
	Hash    string // its blob; "" if it is left out by its path or size, or cannot be read
	Skipped string // why it is left out, or why it cannot be read; "" if neither
	Failed  bool   // it cannot be read
	Stamp   stamp.Stamp
}

// Watched is a folder or a file of git whose stamp changes when files come and go.
type Watched struct {
	Path  string // relative to the root, or absolute
	Stamp stamp.Stamp
}

// Unit names a blob at a path, the same in all worktrees.
type Unit [12]byte

// Unit returns the name of the file's content at its path: the first bytes of the hash FNV-1a of 128 bits, which takes
// half the time here, for all files of each question, because nothing is copied for it.
func (f File) Unit() Unit {
	high, low := uint64(0x6c62272e07bb0142), uint64(0x62b821756295c58d)
	add := func(c byte) {
		const prime, shift = 0x13b, 24
		low ^= uint64(c)
		carry, product := bits.Mul64(prime, low)
		high, low = carry+low<<shift+prime*high, product
	}
	for i := range len(f.Hash) {
		add(f.Hash[i])
	}
	add(0)
	for i := range len(f.Path) {
		add(f.Path[i])
	}
	var u Unit
	binary.BigEndian.PutUint64(u[:8], high)
	binary.BigEndian.PutUint32(u[8:], uint32(low>>32))
	return u
}

// Find returns the file at a path.
func (m *Manifest) Find(name string) (File, bool) {
	i, ok := slices.BinarySearchFunc(m.Files, name, func(f File, name string) int { return strings.Compare(f.Path, name) })
	if !ok {
		return File{}, false
	}
	return m.Files[i], true
}

// Searched returns the files that are not left out.
func (m *Manifest) Searched() []File {
	list := make([]File, 0, len(m.Files))
	for _, f := range m.Files {
		if f.Skipped == "" && f.Hash != "" {
			list = append(list, f)
		}
	}
	return list
}

// Bytes returns the manifest for Open.
func (m *Manifest) Bytes() []byte {
	out := appendText(nil, m.Root)
	out = appendText(out, m.Rules)
	out = binary.AppendUvarint(out, uint64(len(m.Files)))
	before := ""
	for _, f := range m.Files {
		shared := sharedPrefix(before, f.Path)
		before = f.Path
		out = binary.AppendUvarint(out, uint64(shared))
		out = appendText(out, f.Path[shared:])
		hash, err := hex.DecodeString(f.Hash)
		if err != nil {
			hash = nil
		}
		out = appendText(out, string(hash))
		out = appendText(out, f.Skipped)
		out = append(out, flag(f.Failed))
		out = f.Stamp.Append(out)
	}
	out = binary.AppendUvarint(out, uint64(len(m.Watched)))
	for _, w := range m.Watched {
		out = w.Stamp.Append(appendText(out, w.Path))
	}
	return out
}

// Open reads a manifest; false if the bytes are not one.
func Open(data []byte) (*Manifest, bool) {
	r := packed.Read(string(data))
	m := &Manifest{Root: r.Text(), Rules: r.Text()}
	n := r.Uvarint()
	if n > uint64(len(data)) {
		return nil, false
	}
	m.Files = make([]File, 0, n)
	before := ""
	for range n {
		shared := r.Uvarint()
		if shared > uint64(len(before)) {
			return nil, false
		}
		f := File{Path: before[:shared] + r.Text(), Hash: hex.EncodeToString([]byte(r.Text())), Skipped: r.Text(), Failed: r.Byte() == 1}
		f.Stamp = readStamp(&r)
		before = f.Path
		m.Files = append(m.Files, f)
		if r.Failed() {
			return nil, false
		}
	}
	for n := r.Uvarint(); n > 0 && !r.Failed(); n-- {
		w := Watched{Path: r.Text()}
		w.Stamp = readStamp(&r)
		m.Watched = append(m.Watched, w)
	}
	return m, !r.Failed()
}

func readStamp(r *packed.Reader[string]) stamp.Stamp {
	return stamp.Stamp{Modified: int64(r.Uint64()), Changed: int64(r.Uint64()), Size: int64(r.Uint64()), Inode: r.Uint64()}
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}
