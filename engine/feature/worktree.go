package feature

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/adopted"
	"chant/engine/format/speckit"
	"chant/engine/spec"
	"chant/gitops"
)

// pointerFile is where spec-kit keeps which feature of a checkout is being worked on.
const pointerFile = ".specify/feature.json"

// pointerVariable names the folder of the feature, as spec-kit has it.
const pointerVariable = "SPECIFY_FEATURE_DIRECTORY"

// worktree is the one that the caller is in, and the feature that it is about.
type worktree struct {
	root   string // its top
	branch string // "" if none is checked out
	commit string // that is checked out; "" if there is none
	dir    string // of the feature or change, from the top, with slashes; "" without one

	open *os.Root
	fs.FS
}

// openWorktree finds the worktree of the caller and its feature. close is to be called when its files are no longer needed.
func openWorktree(ctx context.Context, p *engine.Project) (*worktree, error) {
	w := &worktree{root: p.Repo.Dir()}
	// It is a folder without a repository, which is read in place of one.
	if p.Folder != "" && p.Store.Home() == p.Repo.Home() {
		w.root = p.Folder
	} else if head, err := p.Repo.Head(ctx, w.root); err == nil || errors.Is(err, gitops.ErrUnborn) {
		w.branch, w.commit = head.Branch, head.Hash
	}
	var err error
	// No link leads out of it.
	if w.open, err = os.OpenRoot(w.root); err != nil {
		return nil, err
	}
	w.FS = w.open.FS()
	// An error must not leave the folder open.
	if w.dir, err = w.find(ctx, p); err != nil {
		return nil, errors.Join(err, w.open.Close())
	}
	return w, nil
}

func (w *worktree) close() error { return w.open.Close() }

// find returns the folder of the feature, by the first of these that leads to one that exists: the branch, the pointers
// of spec-kit, the run that the caller is in. "" without any.
func (w *worktree) find(ctx context.Context, p *engine.Project) (string, error) {
	if id, ok := strings.CutPrefix(w.branch, p.Config.Defaults.BranchPrefix); ok && id != "" {
		if s, err := p.Store.Get(ctx, id); err == nil {
			// Nothing else counts: what a run inherits may be about another feature.
			return w.sourceDir(s), nil
		}
	}
	// The branch counts first, since a variable is inherited by every worktree.
	for _, look := range []func() string{
		w.byBranch,
		func() string { return w.ifExists(w.relativePath(engine.Variable(p, pointerVariable))) },
		w.byPointer,
	} {
		if dir := look(); dir != "" {
			return dir, nil
		}
	}
	id, err := engine.RunAbove(p)
	if err != nil || id == "" {
		return "", err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return "", nil //nolint:nilerr // without a spec there is no feature
	}
	return w.sourceDir(s), nil
}

// sourceDir returns the folder that a spec adopts, as far as this worktree has it.
func (w *worktree) sourceDir(s *spec.File) string {
	a := s.Adopted()
	if a == nil {
		return ""
	}
	return w.ifExists(a.Dir)
}

// byBranch returns the feature with the number of the branch, or the open change with its name.
func (w *worktree) byBranch() string {
	if w.branch == "" {
		return ""
	}
	if dir, err := speckit.Find(w, w.branch); err == nil {
		return dir
	}
	// A branch may have a prefix, such as that of a person.
	for _, name := range []string{w.branch, path.Base(w.branch)} {
		dir := path.Join("openspec/changes", name)
		// The archive is beside the open changes, and is none.
		if name != "archive" && adopted.KindOf(dir) == adopted.OpenSpec && w.ifExists(dir) != "" {
			return dir
		}
	}
	return ""
}

// byPointer returns the folder that spec-kit's file names.
func (w *worktree) byPointer() string {
	src, err := fs.ReadFile(w, pointerFile)
	if err != nil {
		return ""
	}
	dir, err := speckit.Pointer(src)
	if err != nil {
		return ""
	}
	return w.ifExists(dir)
}

// relativePath returns a path as one from the top of the worktree; "" for one that leads out of it.
func (w *worktree) relativePath(named string) string {
	if named == "" {
		return ""
	}
	dir := filepath.FromSlash(named)
	if filepath.IsAbs(dir) {
		var err error
		if dir, err = filepath.Rel(w.root, dir); err != nil {
			return ""
		}
	}
	// Inside of .git, nothing is a feature.
	if dir = filepath.ToSlash(filepath.Clean(dir)); dir == "." || !fs.ValidPath(dir) || slices.Contains(strings.Split(dir, "/"), ".git") {
		return ""
	}
	return dir
}

// ifExists returns a folder if it exists in the worktree, else "".
func (w *worktree) ifExists(dir string) string {
	// The path comes from files that an agent can write.
	if dir == "" || !fs.ValidPath(dir) {
		return ""
	}
	if info, err := fs.Stat(w, dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}
