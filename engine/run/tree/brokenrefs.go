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

// mostAdded is how many branches that are not of runs an agent can add and keep. Every command reads them all.
const mostAdded = 200

// dropCrowd removes the branches that were added if they are more than anyone needs. A few rescue refs keep their commits.
func dropCrowd(ctx context.Context, t *Trees, known map[string]int64) error {
	all, err := t.Repo.Branches(ctx, strings.TrimSuffix(t.Job.Branch, path.Base(t.Job.Branch)))
	if err != nil {
		return err
	}
	added := slices.DeleteFunc(all, func(b gitops.Ref) bool {
		_, was := known["refs/heads/"+b.Name]
		return was || b.Name == t.Job.Branch || ofRun(t, b.Name)
	})
	if len(added) <= mostAdded {
		return nil
	}
	tips := map[string]bool{}
	for _, b := range added {
		tips[b.Hash] = true
	}
	const perCommit = 500 // the parents of a commit are arguments of git
	for some := range slices.Chunk(slices.Sorted(maps.Keys(tips)), perCommit) {
		commit, err := t.Repo.ReadCommit(ctx, some[0])
		if err != nil {
			return err
		}
		kept, err := gitops.CommitUnsigned(ctx, t.Repo, commit.Tree, some, t.Message("rescue", "What branches had that an agent has added."))
		if err == nil {
			err = t.rescue(ctx, kept)
		}
		if err != nil {
			return err
		}
	}
	if err := gitops.DeleteRefs(ctx, t.Repo, added); err != nil {
		return err
	}
	text := fmt.Sprintf("removed %d branches that were added during the run", len(added))
	t.Announce(journal.Agent, "warning", "%s", text)
	return t.LogLine("warning: " + text)
}

// ofRun reports whether chant has a journal of the run with this branch.
func ofRun(t *Trees, branch string) bool {
	_, err := os.Lstat(t.Store.JournalPath(strings.TrimPrefix(branch, t.Store.Branch(""))))
	return err == nil
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
