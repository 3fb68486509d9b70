package gitops

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	goindex "github.com/go-git/go-git/v5/plumbing/format/index"

	"chant/gitops/refstore"
	"chant/gitops/rootdir"
)

// errChanged ends the search for changes at the first one.
var errChanged = errors.New("something is uncommitted")

// changed reports whether something in the working tree of a repository is in no commit: staged, edited, removed or
// untracked. Files that its own rules ignore do not count. Submodules are left to the caller.
func (r *repository) changed(ctx context.Context) (bool, error) {
	entries, written, err := r.index()
	if err != nil {
		return true, nil //nolint:nilerr // what cannot be read counts as something
	}
	committed := map[string]entry{}
	head, err := r.refs.HeadOf(ctx, r.place())
	switch {
	// Without a commit, everything in the index is in no commit.
	case errors.Is(err, refstore.ErrUnborn):
	case err != nil:
		return true, nil //nolint:nilerr // as above
	default:
		if committed, err = r.files(head.Hash); err != nil {
			return true, nil //nolint:nilerr // as above
		}
	}
	if staged(entries, committed) {
		return true, nil
	}
	err = rootdir.In(r.top, func(root *os.Root) error {
		for _, e := range entries {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			// A file that a sparse checkout leaves out is not missing.
			if !e.SkipWorktree && e.Mode != filemode.Submodule && !matchesIndex(root, e, written) {
				return errChanged
			}
		}
		return r.untracked(ctx, root, entries)
	})
	if errors.Is(err, errChanged) {
		return true, nil
	}
	return false, err
}

// staged reports whether an index has anything else than a commit.
func staged(entries []*goindex.Entry, committed map[string]entry) bool {
	// Names in an index are unique apart from conflicts, so equal numbers and equal entries mean equality.
	if len(entries) != len(committed) {
		return true
	}
	for _, e := range entries {
		if e.Stage != 0 || e.IntentToAdd || committed[e.Name] != (entry{e.Mode, e.Hash.String()}) {
			return true
		}
	}
	return false
}

// maxBlob limits the files whose content is compared, in bytes.
const maxBlob = 256 << 20

// matchesIndex reports whether a file is as the index has it. Its content is read only if its time or size do not show that.
func matchesIndex(root *os.Root, e *goindex.Entry, written fs.FileInfo) bool {
	name := filepath.FromSlash(e.Name)
	info, err := root.Lstat(name)
	if err != nil || info.IsDir() {
		return false
	}
	link := info.Mode()&fs.ModeSymlink != 0
	if link != (e.Mode == filemode.Symlink) || !link && !info.Mode().IsRegular() {
		return false
	}
	if !link && (info.Mode().Perm()&0o100 != 0) != (e.Mode == filemode.Executable) {
		return false
	}
	// A file changed in the tick in which the index was written can have the same size and time, so its content is compared
	// then.
	if info.Size() == int64(e.Size) && info.ModTime().Equal(e.ModifiedAt) && e.ModifiedAt.Before(written.ModTime()) {
		return true
	}
	var content []byte
	if link {
		to, err := root.Readlink(name)
		if err != nil {
			return false
		}
		content = []byte(to)
	} else if content, err = rootdir.Read(root, e.Name, maxBlob); err != nil {
		return false
	}
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	// A hash returns no error.
	_, _ = sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil)) == e.Hash.String()
}

// untracked returns errChanged if there is a file that neither the index has nor the repository's own rules ignore.
func (r *repository) untracked(ctx context.Context, root *os.Root, entries []*goindex.Entry) error {
	known := map[string]bool{}
	for _, e := range entries {
		known[e.Name] = true
	}
	rules := r.excludeRules()
	read := map[string]bool{}
	return rootdir.Walk(root, func(name string, kind fs.FileMode) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// The walk is in order, so the rules of a folder are read before what is in it, and deeper rules come last and win.
		if above := path.Dir(name); !read[above] {
			read[above] = true
			rules = append(rules, ignoreRules(root, above)...)
		}
		parts := strings.Split(name, "/")
		switch {
		// A submodule is a folder that is known, and its files are looked at by the caller.
		case parts[len(parts)-1] == ".git" && len(parts) == 1, known[name]:
			if kind.IsDir() {
				return fs.SkipDir
			}
			return nil
		case gitignore.NewMatcher(rules).Match(parts, kind.IsDir()):
			if kind.IsDir() {
				return fs.SkipDir
			}
			return nil
		case kind.IsDir():
			return nil
		}
		return errChanged
	})
}

// maxRules limits a file with rules, in bytes.
const maxRules = 1 << 20

// excludeRules reads the rules of a repository that are not tracked.
func (r *repository) excludeRules() []gitignore.Pattern {
	var text []byte
	// Without the file there are no rules.
	_ = rootdir.In(r.refs.Site.Common, func(root *os.Root) (err error) {
		text, err = rootdir.Read(root, "info/exclude", maxRules)
		return err
	})
	return patterns(text, nil)
}

// ignoreRules reads the rules of a folder.
func ignoreRules(root *os.Root, dir string) []gitignore.Pattern {
	text, err := rootdir.Read(root, path.Join(dir, ".gitignore"), maxRules)
	if err != nil {
		return nil
	}
	var domain []string
	if dir != "." {
		domain = strings.Split(dir, "/")
	}
	return patterns(text, domain)
}

func patterns(text []byte, domain []string) []gitignore.Pattern {
	var out []gitignore.Pattern
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			out = append(out, gitignore.ParsePattern(line, domain))
		}
	}
	return out
}
