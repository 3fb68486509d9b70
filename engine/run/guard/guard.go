package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/message"
	"chant/engine/run/attempt"
	"chant/engine/run/moves"
	"chant/engine/run/place"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/gitops"
)

// Guard finds what an agent did although it must not, and decides whether a run may land.
type Guard struct {
	*attempt.Attempt
	Trees  *tree.Trees
	Places *place.Places

	seen     *journal.Before               // what was around the run when its agent had ended
	refs     *moves.Reading                // of the surroundings that were recorded last in this process
	lentSeen map[string]*criteria.Snapshot // of what lent has read, by path
	contents map[string]content            // of the programs that were read, by path
}

// RecordAround records the surroundings of the run in the journal. After a crash, what the killed attempt has recorded
// counts.
func (g *Guard) RecordAround(ctx context.Context) (journal.Before, error) {
	if last := g.History.Last(); last != nil && !last.Gone && last.Before != nil && last.Agent == nil {
		return inherited(*last.Before, g.Chant), nil
	}
	b, err := g.Around(ctx)
	if err != nil {
		return b, err
	}
	refs, err := g.watch().Read(ctx)
	if err != nil {
		return b, err
	}
	g.refs = &refs
	b.Refs, b.Heads = g.watch().Recorded(refs)
	return b, g.Record(journal.Guard, journal.Done, b)
}

// inherited is what another process has recorded, with the chant that runs now: a person may have upgraded it since.
func inherited(b journal.Before, program string) journal.Before {
	b.Tools = maps.Clone(b.Tools)
	delete(b.Tools, chantTool)
	if own := ownTool(program); own != "" && b.Tools != nil {
		b.Tools[chantTool] = own
	}
	return b
}

// watch compares the refs of the repository.
func (g *Guard) watch() moves.Watch { return moves.Watch{Attempt: g.Attempt} }

// Around reads the surroundings of the run, which no branch shows: git's hooks and settings, tools, home, and the files
// that are copied or linked into worktrees.
func (g *Guard) Around(ctx context.Context) (b journal.Before, err error) {
	if b.Tip, err = g.Repo.Resolve(ctx, "refs/heads/"+g.Job.Branch); err != nil {
		return b, err
	}
	start, err := g.Trusted(ctx)
	if err != nil {
		return b, err
	}
	// git answers some of these; the others read files meanwhile.
	var programs, home, rules error
	var git gitops.GitReading
	seen := map[string]string{}
	var asked sync.WaitGroup
	asked.Go(func() { git, programs = g.Repo.ReadGit(ctx, g.Tree, g.Store.Branch("")) })
	asked.Go(func() { b.Home, home = g.homeFiles(ctx) })
	asked.Go(func() { b.Tools = g.tools(start) })
	asked.Go(func() {
		b.Edits, rules = g.uncommittedRules(ctx, start, seen)
		programsOfHome(g, seen)
	})
	b.Lent, err = g.lentFiles(ctx)
	if err == nil {
		b.Above, err = g.filesAbove(ctx)
	}
	asked.Wait()
	if err = errors.Join(programs, home, rules, err); err != nil {
		return b, err
	}
	b.Programs, b.Kept, b.Seen = maps.Clone(git.Programs), git.Kept, git.Seen
	if b.Programs == nil {
		b.Programs = map[string]string{}
	}
	toolFiles(g, b.Kept)
	maps.Copy(b.Seen, seen)
	return b, g.ownKey(b.Programs)
}

// SideEffects lists what was changed around the run since then: changes that could mislead a later command of chant,
// git or the criteria.
func (g *Guard) SideEffects(ctx context.Context, was journal.Before) ([]string, error) {
	if _, err := g.Undisturbed(); err != nil {
		return nil, err
	}
	now, err := g.Around(ctx)
	if err != nil {
		return nil, err
	}
	g.seen = &now
	found := append(slices.Clone(g.Foreign), changesAround(now, was)...)
	forged, err := g.forged(ctx, was.Tip)
	if err != nil {
		return nil, err
	}
	moved, err := g.movedRefs(ctx, was)
	if err != nil {
		return nil, err
	}
	if err := g.report("while the agent worked", append(moved.Seen, changesSeen(now, was)...)); err != nil {
		return nil, err
	}
	return slices.Concat(found, forged, moved.Stops), nil
}

// movedRefs compares the refs with those that were recorded, by this process or by one that was killed.
func (g *Guard) movedRefs(ctx context.Context, was journal.Before) (moves.Found, error) {
	now, err := g.watch().Read(ctx)
	if err != nil || was.Refs == nil {
		return moves.Found{}, err
	}
	if g.refs != nil {
		return g.watch().Since(ctx, *g.refs, now)
	}
	return g.watch().SinceRecorded(ctx, was.Refs, was.Heads, now)
}

// report announces and logs what people should know and what does not keep the run from landing.
func (g *Guard) report(when string, seen []string) error {
	for _, what := range attempt.Limited(seen) {
		g.Announce(journal.Guard, "warning", "%s, %s", when, what)
		if err := g.LogLine(when + ", " + what); err != nil {
			return err
		}
	}
	if more := len(seen) - attempt.MaxNamed; more > 0 {
		g.Announce(journal.Guard, "warning", "%s, %d more things were changed", when, more)
	}
	return nil
}

// changesAround lists what differs between two readings of the surroundings of a run.
func changesAround(b, was journal.Before) []string {
	found := attempt.Differences(was.Programs, b.Programs)
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
		found = append(found, attempt.Differences(was.Above, b.Above)...)
	}
	if was.Lent != nil {
		lent := attempt.Differences(was.Lent, b.Lent)
		found = append(found, attempt.Limited(lent)...)
		if more := len(lent) - attempt.MaxNamed; more > 0 {
			found = append(found, fmt.Sprintf("%d more linked or copied files of your checkout were changed", more))
		}
	}
	if was.Kept != nil {
		found = append(found, attempt.Differences(was.Kept, b.Kept)...)
	}
	if was.Kept != nil || was.Edits != nil {
		for _, what := range slices.Sorted(maps.Keys(b.Edits)) {
			if was.Edits[what] != b.Edits[what] {
				found = append(found, what+" was changed in home")
			}
		}
	}
	return found
}

// changesSeen lists what differs between two readings and may well be the work of a person.
func changesSeen(b, was journal.Before) []string {
	if was.Seen == nil {
		return nil
	}
	return attempt.Differences(was.Seen, b.Seen)
}

// CheckAfterCriteria checks that the commands of the criteria, which may run code of the agent, have changed nothing
// around the run.
func (g *Guard) CheckAfterCriteria(ctx context.Context, before journal.Before) error {
	if g.Accepted {
		return nil
	}
	now, err := g.Around(ctx)
	if err != nil {
		return err
	}
	if err := g.report("while the criteria ran", changesSeen(now, before)); err != nil {
		return err
	}
	found := changesAround(now, before)
	if len(found) > 0 && !g.Asked { // it is there from now on: the next look would see no change
		if err := g.Record(journal.Guard, journal.Failed, found); err != nil {
			return err
		}
	}
	return attempt.Tampered(found)
}

// SinceAgent returns the surroundings of the run when its agent had ended, or as they are now if no agent has ended in
// this process.
func (g *Guard) SinceAgent(ctx context.Context) (journal.Before, error) {
	if g.seen != nil {
		return *g.seen, nil
	}
	return g.Around(ctx)
}

// forged lists commits and evidence on the branch of a kind that only chant makes: while an agent works, nothing
// completes its spec or decides about it on its branch, so chant did not make these. What a merge of the target brought
// in is chant's.
func (g *Guard) forged(ctx context.Context, since string) ([]string, error) {
	commits, err := g.Repo.Log(ctx, since, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return nil, err
	}
	own, err := g.notOnTarget(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range commits {
		if own != nil && !own[c.Hash] {
			continue
		}
		if _, ev := message.Says(c); slices.Contains([]string{string(spec.Complete), attempt.LandWord, attempt.ApproveWord, attempt.RejectWord, attempt.ReviewWord, attempt.UndoWord}, ev) {
			out = append(out, fmt.Sprintf("commit %s says that it is chant's (Chant-Event: %s)", attempt.Short(c.Hash), ev))
		}
		if _, err := g.Repo.ReadNote(ctx, attempt.NotesRef, c.Hash); err == nil {
			out = append(out, fmt.Sprintf("commit %s has evidence that chant did not write", attempt.Short(c.Hash)))
		} else if !errors.Is(err, gitops.ErrNotFound) {
			return nil, err
		}
	}
	return out, nil
}

// notOnTarget returns the commits of the branch that the target does not have, nil if the target is gone.
func (g *Guard) notOnTarget(ctx context.Context) (map[string]bool, error) {
	commits, err := g.Repo.Log(ctx, "refs/heads/"+g.Job.Target, "refs/heads/"+g.Job.Branch)
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

// shadows lists files that the branch adds to folders of the worktree that are on PATH: they would be run instead of
// tools.
func (g *Guard) shadows(changes []gitops.Change) []string {
	_, dropped := criteria.Scrub(g.Environ, nil, g.Worktrees(g.Tree))
	var out []string
	for _, folder := range dropped {
		if rel, err := filepath.Rel(g.Tree, folder); filepath.IsAbs(folder) && err == nil {
			folder = rel
		}
		for _, c := range changes {
			if dir, _ := filepath.Split(filepath.FromSlash(c.Path)); c.Status != 'D' && filepath.Clean(dir) == filepath.Clean(folder) {
				out = append(out, fmt.Sprintf("%s lies in a folder of PATH, where it would replace a tool", c.Path))
			}
		}
	}
	return out
}
