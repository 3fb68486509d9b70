package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// branchFiles lists what is in the folder of the branches of runs, by names of refs: files with their sizes, folders with
// -1. Agents can write there.
func branchFiles(t *Trees) (map[string]int64, error) {
	found := map[string]int64{}
	folder := path.Dir("refs/heads/" + t.Job.Branch)
	err := rootdir.In(filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(folder)), func(root *os.Root) error {
		return rootdir.Walk(root, func(name string, kind fs.FileMode) error {
			if len(name) > longestRef {
				return fs.SkipDir
			}
			size := int64(-1)
			if !kind.IsDir() {
				info, err := root.Lstat(name)
				if err != nil {
					return nil //nolint:nilerr // removed meanwhile
				}
				size = info.Size()
			}
			found[folder+"/"+name] = size
			return nil
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return found, err
}

// longestRef is longer than the name of any branch can be, in bytes, since git needs a file of that name.
const longestRef = 1024

// dropBroken removes what was added among the branches of runs and is no ref: files of other content, symbolic refs,
// folders without a ref in them, any file there that is too large for one. A broken branch that was known stays, since its
// owner is told where its last commit is; and so does the run's own, which dropGitLinks restores. Locks of others stay,
// which their git may hold, and are removed by who cannot get them; no git holds the run's own any more. What it removed is
// reported and not charged, since another agent that is at work may have left it.
func dropBroken(t *Trees, known map[string]int64) error {
	now, err := branchFiles(t)
	if err != nil || len(now) == 0 {
		return err
	}
	var taken []string
	ref := "refs/heads/" + t.Job.Branch
	folder := path.Dir(ref)
	err = rootdir.In(filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(folder)), func(root *os.Root) error {
		gone := "\x00"
		for _, name := range slices.Sorted(maps.Keys(now)) { // folders before what they hold
			if strings.HasPrefix(name, gone) {
				continue
			}
			size := now[name]
			was, there := known[name]
			below := strings.TrimPrefix(name, folder+"/")
			switch {
			case name == ref:
				continue
			case name == ref+".lock":
			case size < 0:
				if there || holdsRefs(t, root, below) {
					continue
				}
				taken = append(taken, fmt.Sprintf("git's folder %s was added and has no refs", name))
			case strings.HasSuffix(name, ".lock"):
				continue
			default:
				why := notRef(t, root, below, size)
				if why == "" || there && size == was && why != symbolic && size <= mostOfRef {
					continue
				}
				taken = append(taken, fmt.Sprintf("git's %s was added and is %s", name, why))
			}
			if err := rootdir.RemoveAll(root, below); err != nil {
				return err
			}
			gone = name + "/"
		}
		return nil
	})
	const most = 10
	for i, text := range taken {
		if i == most {
			text = fmt.Sprintf("and %d more", len(taken)-most)
		}
		t.Announce(journal.Agent, "warning", "%s", text)
		if err = errors.Join(err, t.LogLine("warning: "+text)); i == most {
			break
		}
	}
	return err
}

// MakeWay keeps by rescue refs, and removes, branches whose names continue that of the run's own, such as chant/ID/x: git can
// have no branch chant/ID beside them. Chant makes none, and any agent can.
func MakeWay(ctx context.Context, t *Trees) error {
	below, err := t.Repo.Branches(ctx, t.Job.Branch+"/")
	for _, one := range below {
		if err != nil {
			return err
		}
		if err = t.rescue(ctx, one.Hash); err == nil {
			err = gitops.DeleteCheckedOut(ctx, t.Repo, one.Name, one.Hash)
			t.Announce(journal.Branch, "warning", "removed branch %s, beside which there can be no branch %s", one.Name, t.Job.Branch)
		}
	}
	return err
}

// symbolic is what is said of a symbolic ref: no branch of a run is one, whoever has made it.
const symbolic = "another name for a ref"

// notRef returns why a file in the folder of the branches of runs is no branch, "" if it is one or is gone.
func notRef(t *Trees, root *os.Root, name string, size int64) string {
	if size > mostOfRef {
		return "not a ref"
	}
	text, err := rootdir.Read(root, name, mostOfRef)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err == nil && strings.HasPrefix(string(text), "ref:"):
		return symbolic
	case err != nil || !plainRef().Match(text) || t.Repo.ValidBranch(path.Dir(t.Job.Branch)+"/"+name) != nil:
		return "not a ref"
	}
	return ""
}

// holdsRefs reports whether there is a branch somewhere below a folder.
func holdsRefs(t *Trees, root *os.Root, name string) (found bool) {
	sub, err := root.OpenRoot(name)
	if err != nil {
		return false
	}
	defer sub.Close()
	_ = rootdir.Walk(sub, func(below string, kind fs.FileMode) error { // the function returns no other error
		if len(below) > longestRef {
			return fs.SkipDir
		}
		found = found || kind.IsRegular() && !strings.HasSuffix(below, ".lock") && notRef(t, sub, below, 0) == ""
		return nil
	})
	return found
}
