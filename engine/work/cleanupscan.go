package work

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/message"
)

// survey finds everything that may belong to a run, in id order.
func (c *cleaner) survey(ctx context.Context) ([]remains, error) {
	found := map[string]*remains{}
	at := func(id string) *remains {
		if found[id] == nil {
			found[id] = &remains{id: id, entries: -1}
		}
		return found[id]
	}
	set, err := c.p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range set.Specs {
		at(s.ID).known = s
	}
	for _, id := range set.Archived {
		at(id).archived = true
	}
	// Every place is asked, since a killed process can have left a run in any of them alone.
	if err := errors.Join(c.surveyTrees(ctx, at), c.surveyBranches(ctx, at), c.surveyJournals(at)); err != nil {
		return nil, err
	}
	out, err := c.surveyChecks(ctx)
	if err != nil {
		return nil, err
	}
	for id, r := range found {
		// A folder with any other name is a person's.
		if madeForRuns(id) || spec.ValidName(id) == nil {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b remains) int { return spec.Compare(a.id, b.id) })
	for i := range out {
		if err := c.fillIn(ctx, &out[i], set); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// madeForRuns reports whether a folder among the worktrees has the name of a check's
// tree or of one that an earlier version has kept for later runs.
func madeForRuns(name string) bool {
	return strings.HasPrefix(name, sandbox.CheckTree) || strings.HasPrefix(name, tree.Spare)
}

// surveyChecks finds the check trees outside the repository: those in the folders where this process
// would make them, and those that git has registered, because another environment puts them elsewhere.
func (c *cleaner) surveyChecks(ctx context.Context) ([]remains, error) {
	found := map[string]*remains{}
	at := func(path string) *remains {
		if found[path] == nil {
			found[path] = &remains{id: filepath.Base(path), path: path, entries: -1}
		}
		return found[path]
	}
	trees, err := c.p.Repo.Worktrees(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		// Trees in chant's own folder are found with those of runs.
		if _, check := sandbox.CheckedSpec(filepath.Base(t.Path)); check && !t.Main && filepath.Dir(t.Path) != disk.RealPath(engine.TreesDir(c.p)) {
			at(t.Path).registered = true
		}
	}
	for _, dir := range sandbox.CheckDirs(c.p.Repo, c.p.Environ) {
		entries, err := os.ReadDir(disk.RealPath(dir))
		if err != nil {
			// No check tree was ever made there.
			continue
		}
		for _, entry := range entries {
			if _, check := sandbox.CheckedSpec(entry.Name()); check && entry.IsDir() {
				at(filepath.Join(disk.RealPath(dir), entry.Name()))
			}
		}
	}
	var out []remains
	for path, r := range found {
		if inside, err := os.ReadDir(path); err == nil {
			r.entries = len(inside)
		}
		out = append(out, *r)
	}
	return out, nil
}

// surveyTrees finds the worktrees and folders in the folder for worktrees of runs. A
// worktree elsewhere is a person's own, whatever it has checked out.
func (c *cleaner) surveyTrees(ctx context.Context, at func(string) *remains) error {
	dir := engine.TreesDir(c.p)
	trees, err := c.p.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		// A worktree elsewhere is a person's own, whatever it has checked out.
		if !t.Main && filepath.Dir(t.Path) == disk.RealPath(dir) {
			r := at(filepath.Base(t.Path))
			r.path, r.registered = t.Path, true
			r.ours = t.Branch == c.p.Store.Branch(r.id)
		}
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		// There never was a worktree.
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		inside, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		r := at(entry.Name())
		r.path, r.entries = path, len(inside)
	}
	return nil
}

func (c *cleaner) surveyBranches(ctx context.Context, at func(string) *remains) error {
	refs, err := c.p.Repo.Branches(ctx, c.p.Config.Defaults.BranchPrefix)
	for _, ref := range refs {
		at(strings.TrimPrefix(ref.Name, c.p.Config.Defaults.BranchPrefix)).branch = ref.Name
	}
	return err
}

// surveyJournals marks every run that has a journal as chant's.
func (c *cleaner) surveyJournals(at func(string) *remains) error {
	journals, err := c.p.Store.Journals(time.Time{})
	for id := range journals {
		if id != journal.QuestionsName && id != journal.Own {
			at(id).ours = true
		}
	}
	return err
}

// fillIn adds what the survey of trees, branches and journals has not found out about a run.
func (c *cleaner) fillIn(ctx context.Context, r *remains, set *store.Set) error {
	if r.path == "" {
		r.path = filepath.Join(engine.TreesDir(c.p), r.id)
	}
	if r.ours {
		h, err := journal.ReadHistory(c.p.Store, r.id)
		if err != nil {
			return err
		}
		r.journal = h.Open() != nil || h.AgentBegan()
		last := h.Last()
		r.wanted = last != nil && !last.Gone && last.Taken.KeepTree
	}
	unreadable := slices.ContainsFunc(set.Invalid, func(bad store.Invalid) bool { return bad.ID == r.id })
	switch {
	// Its status is unknown, so it counts as open.
	case unreadable:
		r.known, r.ours = &spec.Spec{ID: r.id, Branch: r.branch}, true
	case r.known != nil, r.archived:
		r.ours = true
	case !r.ours && r.branch != "":
		var err error
		r.ours, err = c.startedHere(ctx, r)
		return err
	case !r.ours && c.p.Config.Worktree.Dir == "" && !r.registered:
		// The folder is in .chant/worktrees, where only chant makes any.
		r.ours = true
	}
	return nil
}

// startedHere looks for the start commit of a run on its branch: without a journal and
// a spec, only that commit distinguishes it from a person's branch with the same name.
func (c *cleaner) startedHere(ctx context.Context, r *remains) (bool, error) {
	target, err := engine.Target(ctx, c.p)
	if err != nil {
		return false, err
	}
	commits, err := c.p.Repo.Log(ctx, "refs/heads/"+target, "refs/heads/"+r.branch)
	for _, commit := range commits {
		// Without a journal and a spec, only this commit separates it from a person's branch of the same name.
		if id, ev := message.SpecAndEvent(commit); id == r.id && slices.Contains([]string{string(spec.Start), string(spec.Replay)}, ev) {
			return true, nil
		}
	}
	return false, err
}
