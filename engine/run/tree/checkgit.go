package tree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/gitops/rootdir"
)

// keptGit is the content of what git itself writes in the git folder of a check tree, by path. Everything else there may not
// change.
type keptGit map[string]keptFile

// keptFile is a file, or a folder.
type keptFile struct {
	mode fs.FileMode
	text []byte
}

// maxKept is how many bytes of a git folder are kept: set-up, which may run code of the agent, can make files of any size.
const maxKept = 512 << 20

// keepGit reads what git writes in a git folder. What it does not keep is refused if it changes: links and pipes, objects of
// submodules, which git never changes, and what is too large.
func keepGit(folder string) (keptGit, error) {
	kept, left := keptGit{}, int64(maxKept)
	err := rootdir.In(folder, func(root *os.Root) error {
		return rootdir.Walk(root, func(name string, kind fs.FileMode) error {
			if !writtenByGit(name) || isObject(name) {
				return skipFolder(kind)
			}
			info, err := root.Lstat(name)
			switch {
			case err != nil:
				return err
			case info.IsDir():
				kept[name] = keptFile{mode: info.Mode()}
			case info.Mode().IsRegular() && info.Size() <= left:
				text, err := rootdir.Read(root, name, left)
				if err != nil {
					return err
				}
				kept[name] = keptFile{info.Mode(), text}
				left -= int64(len(text))
			}
			return nil
		})
	})
	return kept, err
}

func skipFolder(kind fs.FileMode) error {
	if kind.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// isObject reports whether a path is in a folder of objects, of a submodule.
func isObject(name string) bool {
	return strings.HasPrefix(name, "modules/") && slices.Contains(strings.Split(path.Dir(name), "/"), "objects")
}

// putBack gives paths the content that they had.
func (k keptGit) putBack(folder string, names []string) error {
	return rootdir.In(folder, func(root *os.Root) error {
		// Folders come before what is in them, as the names are sorted.
		for _, name := range names {
			file, known := k[name]
			switch {
			case !known:
				return gitChanged(name)
			case !file.mode.IsDir():
				if err := rootdir.Write(root, name, file.text, file.mode.Perm()); err != nil {
					return err
				}
				continue
			}
			if info, err := root.Lstat(name); err == nil && !info.IsDir() {
				if err := rootdir.RemoveAll(root, name); err != nil {
					return err
				}
			}
			if err := root.MkdirAll(name, file.mode.Perm()); err != nil {
				return err
			}
		}
		return nil
	})
}

// putBackGit makes the git folder of the tree what it was after set-up, with permissions and times.
func (t *checkTree) putBackGit(ctx context.Context) error {
	read := func() (*criteria.Snapshot, criteria.Difference, error) {
		now, err := criteria.TakeSnapshot(ctx, t.git.folder, t.git.held)
		if err != nil {
			return nil, criteria.Difference{}, err
		}
		return now, t.git.held.DifferenceTo(now), nil
	}
	now, differs, err := read()
	if err != nil {
		return err
	}
	if lost := slices.Sorted(slices.Values(slices.Concat(differs.Changed, differs.Removed))); len(lost)+len(differs.Added) > 0 {
		if err := rootdir.RemoveEach(t.git.folder, differs.Added...); err != nil {
			return err
		}
		if err := t.gitKept.putBack(t.git.folder, lost); err != nil {
			return err
		}
		if now, differs, err = read(); err != nil {
			return err
		}
		// A process that a command has left behind may still write there.
		if lost = slices.Concat(differs.Added, differs.Changed, differs.Removed); len(lost) > 0 {
			return gitChanged(lost...)
		}
	}
	if err := t.git.held.Reset(now); err != nil {
		return err
	}
	// The newer reading has the same content, and need not read again what was written just before the first one.
	t.git.held = now
	return nil
}

// gitChanged is the failure of commands that have changed what cannot be put back.
func gitChanged(names ...string) *journal.Failure {
	var found []string
	for _, name := range names {
		found = append(found, fmt.Sprintf("%q in the git folder of the tree was changed", name))
	}
	return &journal.Failure{
		Kind: spec.ReasonRepository, Details: found,
		Message: "criteria must leave the repository as it is, but while they ran, " + strings.Join(attempt.ClipList(found), ", "),
	}
}
