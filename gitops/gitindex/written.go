package gitindex

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"chant/gitops/layout"
)

// Written returns git's names, in SHA-1, of the files that a checkout has written to the worktree at dir exactly as git
// has stored them, by path, slash-separated from its top: nil where attributes, or an index that only git can read, leave
// that open. Links and submodules are left out. Errors: ErrNotRepository.
func (x *Index) Written(dir string) (map[string]string, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	entries, ok := x.File(p)
	// These attributes are outside of any commit, so what they do is not known here.
	if _, err := os.Lstat(filepath.Join(x.Site.Common, "info", "attributes")); !ok || err == nil {
		return nil, nil
	}
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		if path.Base(e.Name) == ".gitattributes" {
			text, err := layout.ReadPlain(filepath.Join(p.Top, filepath.FromSlash(e.Name)))
			// One file of attributes that converts leaves all names open, since its patterns are not matched here.
			if err != nil || mayConvert(string(text), runtime.GOOS) {
				return nil, nil
			}
		}
		if e.Stage == 0 && !e.SkipWorktree && (e.Mode == filemode.Regular || e.Mode == filemode.Executable) {
			out[e.Name] = e.Hash.String()
		}
	}
	return out, nil
}

// mayConvert reports whether a file of attributes may have a checkout write something else than what is stored. Line ends do
// where they are not those of the system; a name for several attributes may mean anything.
func mayConvert(attributes, system string) bool {
	for line := range strings.Lines(attributes) {
		// A macro can stand for any attribute.
		if strings.Contains(line, "[attr]") {
			return true
		}
		for _, field := range strings.Fields(line) {
			name, value, _ := strings.Cut(field, "=")
			switch {
			case slices.Contains([]string{"filter", "ident", "working-tree-encoding"}, name), name == "eol" && value != "lf":
				return true
			case system == "windows" && (name == "text" || name == "crlf"):
				return true
			}
		}
	}
	return false
}
