package place

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/checktree"
	"chant/engine/journal"
	"chant/engine/message"
	"chant/engine/realpath"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/gitops"
)

// namedRefs returns the local branches and the tags, without the branches of runs: each run guards its own.
func (p *Places) namedRefs(ctx context.Context) (map[string]string, error) {
	branches, err := p.Repo.Branches(ctx, "")
	if err != nil {
		return nil, err
	}
	tags, err := p.Repo.Refs(ctx, tagPrefix)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	runs := p.Store.Branch("")
	for _, ref := range branches {
		if !strings.HasPrefix(ref.Name, runs) {
			out[fmt.Sprintf("branch %q", ref.Name)] = ref.Hash
		}
	}
	for _, ref := range tags {
		out[fmt.Sprintf("tag %q", strings.TrimPrefix(ref.Name, tagPrefix))] = ref.Hash
	}
	return out, nil
}

const tagPrefix = "refs/tags/"

// refChange is a branch or tag that was changed: `branch "release" was moved from 1234567`.
type refChange struct{ name, how string }

// ofTarget returns the changes of the run's target, and warns of the others.
func (p *Places) ofTarget(changes []refChange) []string {
	var out []string
	for _, c := range changes {
		if c.name == fmt.Sprintf("branch %q", p.Job.Target) {
			out = append(out, c.name+c.how)
		} else {
			p.Announce(journal.Verify, "warning", "while the criteria ran, %s%s; if you did not do that, a criterion did", c.name, c.how)
		}
	}
	return out
}

// movedRefs lists the branches and tags that were changed, except by people who work in their checkouts and by landings
// of other runs.
func (p *Places) movedRefs(ctx context.Context, was checkGit, now map[string]string) ([]refChange, error) {
	if maps.Equal(was.refs, now) {
		return nil, nil
	}
	people, err := p.headsSince(ctx, was.people)
	if err != nil {
		return nil, err
	}
	var out []refChange
	for _, name := range slices.Sorted(maps.Keys(now)) {
		before, known := was.refs[name]
		if before == now[name] || people[now[name]] {
			continue
		}
		if !known {
			out = append(out, refChange{name, " was added"})
			continue
		}
		landed, err := p.landedOnly(ctx, before, now[name])
		if err != nil {
			return nil, err
		}
		if !landed {
			out = append(out, refChange{name, " was moved from " + attempt.Short(before)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was.refs)) {
		if _, known := now[name]; !known {
			out = append(out, refChange{name, " was removed from " + attempt.Short(was.refs[name])})
		}
	}
	return out, nil
}

// reflogs measures the reflogs of the worktrees in which people work.
func (p *Places) reflogs(ctx context.Context) (map[string]int, error) {
	out := map[string]int{}
	err := p.eachPersonsTree(ctx, func(dir string) {
		if _, size, err := p.Repo.HeadLog(dir, 0); err == nil {
			out[dir] = size
		}
	})
	return out, err
}

// headsSince returns the commits that people have made or checked out since reflogs.
func (p *Places) headsSince(ctx context.Context, was map[string]int) (map[string]bool, error) {
	out := map[string]bool{}
	err := p.eachPersonsTree(ctx, func(dir string) {
		commits, _, err := p.Repo.HeadLog(dir, was[dir])
		if err != nil {
			return // without a reflog, a person's work leaves no trace
		}
		for _, commit := range commits {
			out[commit] = true
		}
	})
	return out, err
}

// eachPersonsTree calls do with each worktree that chant has not created: not with those of runs and checks, and not
// with spare ones, whose reflogs name the commits of runs and checks that had them before.
func (p *Places) eachPersonsTree(ctx context.Context, do func(dir string)) error {
	folder, err := p.TreePath("")
	if err != nil {
		return err
	}
	folder = realpath.Of(folder)
	trees, err := p.Repo.Worktrees(ctx)
	for _, w := range trees {
		name := filepath.Base(w.Path)
		_, check := checktree.CheckedSpec(name)
		onBranch := strings.HasPrefix(w.Branch, p.Store.Branch(""))
		if w.Main || !check && !onBranch && (filepath.Dir(w.Path) != folder || !namedByChant(name)) {
			do(w.Path)
		}
	}
	return err
}

// namedByChant reports whether a folder among the worktrees of runs has the name of a spare worktree, or of a run,
// which its agent may have taken off its branch. The settings can name a folder in which people have worktrees, too.
func namedByChant(name string) bool {
	_, err := spec.ParseID(name)
	return err == nil || strings.HasPrefix(name, tree.SpareTree)
}

// landedOnly reports whether a ref has only moved on by landings of other runs.
func (p *Places) landedOnly(ctx context.Context, before, tip string) (bool, error) {
	for tip != before {
		c, err := p.Repo.ReadCommit(ctx, tip)
		if errors.Is(err, gitops.ErrNotFound) {
			return false, nil // a tag of an object that is not a commit
		}
		if err != nil {
			return false, err
		}
		if _, event := message.Says(c); event == "" || len(c.Parents) == 0 {
			return false, nil
		}
		tip = c.Parents[0]
	}
	return true, nil
}
