package place

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/moves"
	"chant/engine/spec"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// checkGit is what a command in a check tree can change without changing a file of the tree: branches, tags and
// settings of the repository, and the tree's own git folder.
type checkGit struct {
	folder   string
	held     *criteria.Snapshot // the content of the tree's git folder
	refs     moves.Reading
	settings map[string]string
}

func (t *checkTree) lookAtGit(ctx context.Context) (g checkGit, err error) {
	if g.folder, err = t.r.Repo.GitDir(t.at.Dir); err != nil {
		return g, err
	}
	can, err := t.r.Sandbox().ReachOfChecks()
	if err != nil {
		return g, err
	}
	var settings error
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		g.settings, settings = t.r.Repo.OtherSettings(ctx, func(file string) bool { return file != "" && !can.Covers(file) }) // only a person can change those
	}()
	if g.held, err = criteria.TakeSnapshot(ctx, g.folder, t.git.held); err == nil {
		g.refs, err = t.watch().Read(ctx)
	}
	<-asked
	return g, errors.Join(err, settings)
}

// watch compares the refs of the repository. Anything that nothing explains is held against the criteria.
func (t *checkTree) watch() moves.Watch { return moves.Watch{Attempt: t.r.Attempt, Strict: true} }

// restoreGit removes what commands have added to the git folder of the tree. A change of the target, of settings or of
// git's own files is a *Failure, since it would outlive the check. A change of another branch or of a tag is a warning,
// since a person, or a fetch in the background, may have made it.
func (t *checkTree) restoreGit(ctx context.Context) error {
	head, err := t.movedHead(ctx)
	if err != nil {
		return err
	}
	if head != "" {
		return &journal.Failure{
			Kind: spec.ReasonSpoiled, Details: []string{head},
			Message: "the criteria changed what their tree has checked out, so they did not judge what is committed: " + head,
		}
	}
	now, err := t.lookAtGit(ctx)
	if err != nil {
		return err
	}
	moved, err := t.watch().Since(ctx, t.git.refs, now.refs)
	if err != nil {
		return err
	}
	for _, what := range moved.Seen {
		t.r.Announce(journal.Verify, "warning", "while the criteria ran, %s; if you did not do that, a criterion did", what)
	}
	found := append(moved.Stops, attempt.Differences(t.git.settings, now.settings)...)
	inside := t.git.held.To(now.held)
	t.agreed = t.agreed && !slices.ContainsFunc(slices.Concat(inside.Changed, inside.Removed, inside.Added), isIndex)
	for _, name := range slices.Concat(inside.Changed, inside.Removed) {
		if !writtenByGit(name) {
			found = append(found, fmt.Sprintf("%q in the git folder of the tree was changed", name))
		}
	}
	if len(found) > 0 {
		return &journal.Failure{
			Kind: spec.ReasonRepository, Details: found,
			Message: "criteria must leave the repository as it is, but while they ran, " + strings.Join(attempt.Limited(found), ", "),
		}
	}
	return t.clearGit(now, inside.Added)
}

// KeepChanged turns a failure of the kind ReasonRepository into one of tampering, and records it: the change remains,
// so the next check would not see one.
func (p *Places) KeepChanged(err error) error {
	f, ok := errors.AsType[*journal.Failure](err)
	if !ok || p.Accepted || f.Kind != spec.ReasonRepository {
		return err
	}
	if !p.Asked {
		if err := p.Record(journal.Guard, journal.Failed, f.Details); err != nil {
			return err
		}
	}
	return attempt.Tampered(f.Details)
}

// clearGit removes what was added to the git folder of the tree.
func (t *checkTree) clearGit(now checkGit, added []string) error {
	var removed []string
	for _, name := range added {
		if neededByGit(name) {
			continue
		}
		if err := rootdir.RemoveEach(now.folder, name); err != nil {
			return err
		}
		if removed = append(removed, name); !writtenByGit(name) {
			t.r.Announce(journal.Verify, "step", "removed %q, which a command left in the git folder of the tree", name)
		}
	}
	now.held = now.held.Without(removed)
	t.git = now
	return nil
}

// isIndex reports whether a file in a worktree's git folder is its index, or a part of that.
func isIndex(name string) bool { return name == "index" || strings.HasPrefix(name, "sharedindex.") }

// writtenByGit reports whether git itself writes a file in a worktree's git folder during its work there.
func writtenByGit(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"index", "logs", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "modules"}, top) || neededByGit(name)
}

// neededByGit reports whether git, or its daemon, may need a file that was added to a worktree's git folder.
func neededByGit(name string) bool {
	return strings.HasPrefix(name, "sharedindex.") || strings.HasPrefix(name, "fsmonitor--daemon") || strings.HasPrefix(name, "modules/")
}

// movedHead describes what the tree has checked out instead of its commit, "" if it still has that.
func (t *checkTree) movedHead(ctx context.Context) (string, error) {
	folder, err := t.r.Repo.GitDir(t.at.Dir)
	if err != nil || folder != t.git.folder {
		return "the folder is no longer a worktree of this repository", nil
	}
	head, err := t.r.Repo.Head(ctx, t.at.Dir)
	switch {
	case errors.Is(err, gitops.ErrUnborn):
		return fmt.Sprintf("HEAD moved to branch %q, which has no commit", head.Branch), nil
	case errors.Is(err, gitops.ErrNotRepository):
		return "the folder is no longer a worktree of this repository", nil
	case err != nil:
		return "", err
	case head.Branch != "":
		return fmt.Sprintf("HEAD moved to branch %q", head.Branch), nil
	case head.Hash != t.at.Commit:
		return "HEAD moved to " + attempt.Short(head.Hash), nil
	}
	return "", nil
}
