package gitops

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing/format/index"

	"chant/gitops/layout"
)

// maxIndex is the size in bytes of an index from which on git is faster than we are.
const maxIndex = 4 << 20

// indexFile reads the index of a worktree without a process. ok is false where only git can read
// it: a split, sparse or very large one, one with hashes of another kind, and a broken one.
func (r *Repo) indexFile(p layout.Place) (entries []*index.Entry, ok bool) {
	if p.GitDir == "" || r.site.Format.HashSize != 20 || r.site.Format.Foreign {
		return nil, false
	}
	file := filepath.Join(p.GitDir, "index")
	if info, err := os.Stat(file); err != nil || info.Size() > maxIndex || !info.Mode().IsRegular() {
		return nil, layout.Absent(err) // no index is an empty one
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var all index.Index
	if err := index.NewDecoder(bytes.NewReader(text)).Decode(&all); err != nil {
		return nil, false
	}
	return all.Entries, true
}
