package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// lookAround takes that down. After a crash what the killed attempt saw counts.
func (r *Run) lookAround(ctx context.Context) (journal.Before, error) {
	if last := r.History.Last(); last != nil && !last.Gone && last.Before != nil && last.Agent == nil {
		return *last.Before, nil
	}
	b, err := r.around(ctx)
	if err == nil {
		err = r.record(journal.Guard, journal.Done, b)
	}
	return b, err
}

func (r *Run) around(ctx context.Context) (b journal.Before, err error) {
	if b.Tip, err = r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch); err != nil {
		return b, err
	}
	if b.Programs, err = r.Repo.Programs(ctx); err != nil {
		return b, err
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return b, err
	}
	b.Tools = r.tools(start)
	if b.Home, err = r.homeFiles(ctx); err != nil {
		return b, err
	}
	if b.Lent, err = r.lent(ctx); err != nil {
		return b, err
	}
	b.Above, err = r.above(ctx)
	return b, err
}

// behind names what was done behind the run's back since then: where a later command of
// chant's, of git's or of the criteria would be led astray.
func (r *Run) behind(ctx context.Context, was journal.Before) ([]string, error) {
	if _, err := r.undisturbed(); err != nil {
		return nil, err
	}
	now, err := r.around(ctx)
	if err != nil {
		return nil, err
	}
	r.seen = &now
	found := append(slices.Clone(r.foreign), unlike(now, was)...)
	forged, err := r.forged(ctx, was.Tip)
	return append(found, forged...), err
}

// unlike names what stands around a run otherwise than it did.
func unlike(b, was journal.Before) []string {
	found := differences(was.Programs, b.Programs)
	for _, name := range slices.Sorted(maps.Keys(b.Tools)) {
		if before, known := was.Tools[name]; known && before != b.Tools[name] {
			where, _, _ := strings.Cut(b.Tools[name], " ")
			found = append(found, fmt.Sprintf("the tool %q is no longer what it was (%s)", name, where))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(b.Home)) {
		if was.Home[what] != b.Home[what] {
			found = append(found, what+" was changed in home")
		}
	}
	if was.Above != nil { // else an older version wrote it
		found = append(found, differences(was.Above, b.Above)...)
	}
	if was.Lent != nil {
		lent := differences(was.Lent, b.Lent)
		found = append(found, limited(lent)...)
		if more := len(lent) - maxNamed; more > 0 {
			found = append(found, fmt.Sprintf("%d more linked or copied files of your checkout were changed", more))
		}
	}
	return found
}

// onlyJudged checks that what the criteria ran, which may be of the agent's making, has
// done nothing behind the run's back.
func (r *Run) onlyJudged(ctx context.Context, before journal.Before) error {
	if r.Accepted {
		return nil
	}
	now, err := r.around(ctx)
	if err != nil {
		return err
	}
	found := unlike(now, before)
	if len(found) > 0 && !r.asked { // it is there from now on: the next look would see no change
		if err := r.record(journal.Guard, journal.Failed, found); err != nil {
			return err
		}
	}
	return tampered(found)
}

// sinceAgent is what stood around when the agent had ended, or stands there now where
// none has in this process.
func (r *Run) sinceAgent(ctx context.Context) (journal.Before, error) {
	if r.seen != nil {
		return *r.seen, nil
	}
	return r.around(ctx)
}

// differences names what one of two lists has otherwise than the other.
func differences(was, now map[string]string) []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(now)) {
		if before, there := was[what]; !there {
			out = append(out, what+" was added")
		} else if before != now[what] {
			out = append(out, what+" was changed")
		}
	}
	for _, what := range slices.Sorted(maps.Keys(was)) {
		if _, there := now[what]; !there {
			out = append(out, what+" was removed")
		}
	}
	return out
}

// forged names commits and evidence on the branch that only chant makes, and that it
// has not made: while an agent works, nobody completes its spec or decides about it there.
// What came in by a merge of the target is chant's own.
func (r *Run) forged(ctx context.Context, since string) ([]string, error) {
	commits, err := r.Repo.Log(ctx, since, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	own, err := r.notOnTarget(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range commits {
		if own != nil && !own[c.Hash] {
			continue
		}
		if _, ev := store.Says(c); slices.Contains([]string{string(spec.Complete), LandWord, ApproveWord, RejectWord}, ev) {
			out = append(out, fmt.Sprintf("commit %s says that it is chant's (Chant-Event: %s)", short(c.Hash), ev))
		}
		if _, err := r.Repo.ReadNote(ctx, NotesRef, c.Hash); err == nil {
			out = append(out, fmt.Sprintf("commit %s has evidence that chant did not write", short(c.Hash)))
		} else if !errors.Is(err, gitops.ErrNotFound) {
			return nil, err
		}
	}
	return out, nil
}

// notOnTarget are the commits of the branch that the target does not have; nil where there
// is no target any more.
func (r *Run) notOnTarget(ctx context.Context) (map[string]bool, error) {
	commits, err := r.Repo.Log(ctx, "refs/heads/"+r.Job.Target, "refs/heads/"+r.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, c := range commits {
		own[c.Hash] = true
	}
	return own, nil
}

// shadows names files that the branch brings into folders of the tree that stand on
// PATH: they would be run in place of tools.
func (r *Run) shadows(changes []gitops.Change) []string {
	_, dropped := criteria.Scrub(r.Environ, nil, r.worktrees(r.Tree))
	var out []string
	for _, folder := range dropped {
		if rel, err := filepath.Rel(r.Tree, folder); filepath.IsAbs(folder) && err == nil {
			folder = rel
		}
		for _, c := range changes {
			if dir, _ := filepath.Split(filepath.FromSlash(c.Path)); c.Status != 'D' && filepath.Clean(dir) == filepath.Clean(folder) {
				out = append(out, fmt.Sprintf("%s lies in a folder of PATH, where it would stand in for a tool", c.Path))
			}
		}
	}
	return out
}
