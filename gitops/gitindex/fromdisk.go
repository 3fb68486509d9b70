package gitindex

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// stageFromDisk lets git read the entries from files that have the same contents as the commit, which gives them the
// times of the files by the same write. It reports whether the index has the entries of the commit then (not if git
// converts the files, hides them, or if they have changed meanwhile), and whether it may have been written.
func (x *Index) stageFromDisk(ctx context.Context, p layout.Place, edits []objectstore.Edit) (settled, written bool, err error) {
	if x.Site.Format.HashSize != hashSize || !HoldsAll(p.Top, edits) {
		return false, false, nil
	}
	names := make([]string, len(edits))
	for i, e := range edits {
		names[i] = e.Path
	}
	_, err = x.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"update-index", "--add", "-z", "--stdin"}, Stdin: []byte(strings.Join(names, "\x00") + "\x00")})
	if gitexec.Contended(err) {
		return false, false, err
	}
	if gitexec.ExitCode(err) != 0 {
		return false, false, nil // a file that is gone by now, or that git refuses to convert
	}
	if err != nil {
		return false, true, err
	}
	file, err := layout.ReadPlain(filepath.Join(p.GitDir, "index"))
	if err != nil {
		return false, true, nil //nolint:nilerr // git reports what is wrong with it at the next write
	}
	have, settled := lookup(file, names...)
	for _, e := range edits {
		settled = settled && have[e.Path] == e.Mode+" "+e.Hash
	}
	return settled, true, nil
}

// HoldsAll reports whether the worktree at top has a regular file with the content of each entry.
func HoldsAll(top string, edits []objectstore.Edit) bool {
	for _, e := range edits {
		file := filepath.Join(top, filepath.FromSlash(e.Path))
		info, err := os.Lstat(file)
		if e.Hash == "" || err != nil || !info.Mode().IsRegular() {
			return false
		}
		text, err := layout.ReadPlain(file) // not one of any size
		if err != nil || !objectstore.IsBlob(text, e.Hash) {
			return false
		}
	}
	return len(edits) > 0
}
