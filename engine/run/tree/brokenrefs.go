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

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// branchFile is what is in the folder of the branches of runs: a file and its content, if it is short enough for a ref, or a
// folder, whose size is -1.
type branchFile struct {
	size  int64
	value string
}

// branchFiles lists what is in the folder of the branches of runs, by names of refs. Agents can write there.
func branchFiles(t *Trees) (map[string]branchFile, error) {
	found := map[string]branchFile{}
	folder := path.Dir("refs/heads/" + t.Job.Branch)
	err := rootdir.In(filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(folder)), func(root *os.Root) error {
		return rootdir.Walk(root, func(name string, kind fs.FileMode) error {
			if len(name) > maxRefName {
				return fs.SkipDir
			}
			f := branchFile{size: -1}
			if !kind.IsDir() {
				info, err := root.Lstat(name)
				if err != nil {
					// It was removed meanwhile.
					return nil //nolint:nilerr
				}
				if f.size = info.Size(); kind.IsRegular() && f.size <= maxRefSize {
					// A file that cannot be read does not count as a ref.
					text, _ := rootdir.Read(root, name, maxRefSize)
					f.value = string(text)
				}
			}
			found[folder+"/"+name] = f
			return nil
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return found, err
}

// maxRefName is longer than the name of any branch can be, in bytes, since git needs a file of that name.
const maxRefName = 1024

// dropBroken removes what was added among the branches of runs and is no ref: files of other content, symbolic refs, values that
// are no commit, folders without a ref in them, any file there that is too large for one. A branch that was there is put back to
// its commit. A broken branch that was known so stays, and so does the run's own, which dropGitLinks
// restores. Locks of others stay, which their git may hold, and are removed by who cannot get them; no git holds the run's own
// any more. What it removed is reported and not charged, since another agent that is at work may have left it.
func dropBroken(ctx context.Context, t *Trees, known map[string]branchFile) error {
	now, err := branchFiles(t)
	if err != nil || len(now) == 0 {
		return err
	}
	var taken []string
	putBack := map[string]string{}
	ref := "refs/heads/" + t.Job.Branch
	folder := path.Dir(ref)
	err = rootdir.In(filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(folder)), func(root *os.Root) error {
		look := brokenLook{t: t, root: root, ref: ref, now: now, known: known}
		gone := "\x00"
		// Folders come before what they hold, so one that is removed hides its content.
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if strings.HasPrefix(name, gone) {
				continue
			}
			what, broken, err := look.judge(ctx, name)
			if err != nil {
				return err
			}
			if !broken {
				continue
			}
			if what != "" {
				taken = append(taken, what)
			}
			if was, there := known[name]; there && what != "" {
				putBack[name] = strings.TrimSpace(was.value)
			}
			if err := rootdir.RemoveAll(root, look.nameInFolder(name)); err != nil {
				return err
			}
			gone = name + "/"
		}
		return nil
	})
	// Only after the root is closed and all broken refs are gone, with which git could write none.
	for name, value := range putBack {
		// A tag's hash resolves to another commit, which the branch must not get.
		if c, bad := t.Repo.ReadCommit(ctx, value); err == nil && bad == nil && c.Hash == value {
			err = t.Repo.UpdateRef(ctx, name, value, "", "chant: restore "+path.Base(name))
		}
	}
	return errors.Join(err, reportTaken(t, journal.Agent, taken))
}

// reportTaken reports what was undone beside the run's own work, in a step: the first things one by one.
func reportTaken(t *Trees, step journal.Step, taken []string) (err error) {
	const most = 10
	for i, text := range taken {
		if i == most {
			text = fmt.Sprintf("and %d more", len(taken)-most)
		}
		t.Announce(step, "warning", "%s", text)
		if err = errors.Join(err, t.Log.Line("warning: "+text)); i == most {
			break
		}
	}
	return err
}

// brokenLook looks at what is among the branches of runs.
type brokenLook struct {
	t          *Trees
	root       *os.Root // of the folder
	ref        string   // the run's own
	now, known map[string]branchFile
}

// nameInFolder returns the name of an entry in the folder.
func (l *brokenLook) nameInFolder(name string) string {
	return strings.TrimPrefix(name, path.Dir(l.ref)+"/")
}

// judge reports whether an entry has to go, and what to report of it; "" for nothing.
func (l *brokenLook) judge(ctx context.Context, name string) (what string, broken bool, err error) {
	_, there := l.known[name]
	switch {
	// The run's own branch is put back by dropGitLinks, which knows the commit that its worktree had.
	case name == l.ref:
		return "", false, nil
	// No git holds this lock any more, since the processes of the run have ended.
	case name == l.ref+".lock":
		return "", true, nil
	case l.now[name].size < 0 && (there || holdsRefs(l.t, l.root, l.nameInFolder(name))):
		return "", false, nil
	case l.now[name].size < 0:
		return fmt.Sprintf("git's folder %s was added and has no refs", name), true, nil
	// Another run's git may hold it; who cannot get it removes it.
	case strings.HasSuffix(name, ".lock"):
		return "", false, nil
	}
	return l.judgeRef(ctx, name)
}

// judgeRef is judge for a file that should be a ref.
func (l *brokenLook) judgeRef(ctx context.Context, name string) (what string, broken bool, err error) {
	is := l.now[name]
	was, there := l.known[name]
	why := whyNotRef(l.t, l.root, l.nameInFolder(name), is.size)
	// Only what has changed is asked about, since git starts once for each value.
	if why == "" && is != was {
		if why, err = whyNotCommit(ctx, l.t, strings.TrimSpace(is.value)); err != nil {
			return "", false, err
		}
	}
	// A broken branch that was known so is not this agent's, and another process may be about to mend it.
	if why == "" || there && is == was && why != symbolic && is.size <= maxRefSize {
		return "", false, nil
	}
	done := "added"
	if there {
		done = "changed"
	}
	return fmt.Sprintf("git's %s was %s and is %s", name, done, why), true, nil
}

// whyNotCommit returns why the value of a branch is no commit, "" if it is one. The commit of a tag is kept.
func whyNotCommit(ctx context.Context, t *Trees, value string) (why string, err error) {
	switch c, err := t.Repo.ReadCommit(ctx, value); {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "no commit", nil
	case c.Hash != value:
		return "no commit", t.rescue(ctx, c.Hash)
	}
	return "", nil
}

// RemoveBranchesBelow keeps by rescue refs, and removes, branches whose names continue that of the run's own, such as chant/ID/x: git can
// have no branch chant/ID beside them. Chant makes none, and any agent can.
func RemoveBranchesBelow(ctx context.Context, t *Trees) error {
	branches, err := t.Repo.Branches(ctx, t.Job.Branch+"/")
	for _, one := range branches {
		if err != nil {
			return err
		}
		// The rescue ref first: a kill between the two must not lose the commit.
		if err = t.rescue(ctx, one.Hash); err == nil {
			err = t.Repo.DeleteCheckedOut(ctx, one.Name, one.Hash)
			t.Announce(journal.Branch, "warning", "removed branch %s, beside which there can be no branch %s", one.Name, t.Job.Branch)
		}
	}
	return err
}

// maxAddedBranches is how many branches that are not of runs an agent can add and keep. Every command reads them all.
const maxAddedBranches = 200

// dropAddedBranches removes the branches that were added if they are more than anyone needs. A few rescue refs keep their commits.
func dropAddedBranches(ctx context.Context, t *Trees, known map[string]branchFile) error {
	all, err := t.Repo.Branches(ctx, strings.TrimSuffix(t.Job.Branch, path.Base(t.Job.Branch)))
	if err != nil {
		return err
	}
	// A branch whose run chant has a journal of belongs to that run, even if it was made meanwhile.
	added := slices.DeleteFunc(all, func(b gitops.Ref) bool {
		_, was := known["refs/heads/"+b.Name]
		return was || b.Name == t.Job.Branch || hasJournal(t, b.Name)
	})
	if len(added) <= maxAddedBranches {
		return setAsideBranches(ctx, t, added)
	}
	tips := map[string]bool{}
	for _, b := range added {
		tips[b.Hash] = true
	}
	// The parents of a commit are arguments of git, whose length is limited.
	const perCommit = 500
	for some := range slices.Chunk(slices.Sorted(maps.Keys(tips)), perCommit) {
		commit, err := t.Repo.ReadCommit(ctx, some[0])
		if err != nil {
			return err
		}
		// One commit with many parents keeps all of them by a single ref, which every command reads.
		kept, err := t.Repo.CommitUnsigned(ctx, commit.Tree, some, t.Message("rescue", "What branches had that an agent has added."))
		if err == nil {
			err = t.rescue(ctx, kept)
		}
		if err != nil {
			return err
		}
	}
	if err := t.Repo.DeleteRefs(ctx, added); err != nil {
		return err
	}
	text := fmt.Sprintf("removed %d branches that were added during the run", len(added))
	t.Announce(journal.Agent, "warning", "%s", text)
	return t.Log.Line("warning: " + text)
}

// setAsideBranches keeps by rescue refs, and removes, branches that were added where the run of another spec will have its own, which
// could not start beside them. One that a worktree has checked out is a person's.
func setAsideBranches(ctx context.Context, t *Trees, added []gitops.Ref) error {
	if len(added) == 0 {
		return nil
	}
	all, err := t.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, b := range added {
		id := strings.TrimPrefix(b.Name, t.Store.Branch(""))
		// Where no spec can start, the branch is in no way and may be a person's.
		if !t.Store.Exists(id) {
			continue
		}
		started, err := attempt.StartedByChant(ctx, t.Repo, journal.Job{ID: id, Branch: b.Name, Target: t.Job.Target, Silent: t.Job.Silent})
		if err != nil {
			return err
		}
		if started || slices.ContainsFunc(all, func(w gitops.Worktree) bool { return w.Branch == b.Name }) {
			continue
		}
		if err := t.rescue(ctx, b.Hash); err != nil {
			return err
		}
		if err := t.Repo.DeleteRefs(ctx, []gitops.Ref{b}); err != nil {
			return err
		}
		text := fmt.Sprintf("removed branch %s, added during the run where the run of another spec has its own; its commit is kept: git branch NAME %s", b.Name, t.Rescued[len(t.Rescued)-1])
		t.Announce(journal.Agent, "warning", "%s", text)
		if err := t.Log.Line("warning: " + text); err != nil {
			return err
		}
	}
	return nil
}

// hasJournal reports whether chant has a journal of the run with this branch.
func hasJournal(t *Trees, branch string) bool {
	_, err := os.Lstat(t.Store.JournalPath(strings.TrimPrefix(branch, t.Store.Branch(""))))
	return err == nil
}

// symbolic describes a symbolic ref, which no branch of a run may be.
const symbolic = "another name for a ref"

// whyNotRef returns why a file in the folder of the branches of runs is no branch, "" if it is one or is gone.
func whyNotRef(t *Trees, root *os.Root, name string, size int64) string {
	if size > maxRefSize {
		return "not a ref"
	}
	text, err := rootdir.Read(root, name, maxRefSize)
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
	// The function returns no other error.
	_ = rootdir.Walk(sub, func(name string, kind fs.FileMode) error {
		if len(name) > maxRefName {
			return fs.SkipDir
		}
		found = found || kind.IsRegular() && !strings.HasSuffix(name, ".lock") && whyNotRef(t, sub, name, 0) == ""
		return nil
	})
	return found
}
