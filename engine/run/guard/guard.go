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

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"

	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/gitops"
)

// Guard finds what an agent did although it must not, and decides whether a run may land.
type Guard struct {
	*attempt.Attempt
	Trees  *tree.Trees
	Places *tree.Places

	// Outside are the SHA-256 sums of files that were copied or linked into the worktree from elsewhere, by path, as
	// evidence records them. It is empty where nothing is known.
	Outside map[string]string

	seen     *journal.Before               // what was around the run when its agent had ended
	found    *journal.Found                // what the agent that this process has run did outside its branch
	refs     *tree.Reading                 // of the surroundings that were recorded last in this process
	lentSeen map[string]*criteria.Snapshot // of what lent has read, by path
	contents map[string]content            // of the programs that were read, by path
	lentAt   map[string]string             // what lentPaths has found
	weakened comparedBranch                // what the branch weakens, as it was last compared
}

// RecordAround records the surroundings of the run in the journal, before an agent begins that can write to some paths,
// everywhere if they are nil. After a crash, what the killed attempt has recorded counts, unless its agent could write
// elsewhere. Of earlier attempts, changes that are undone since are charged no longer.
func (g *Guard) RecordAround(ctx context.Context, can []string) (journal.Before, error) {
	// What was around the run before the killed agent is what counts, since that agent may have changed it.
	if last := g.Journal.History().Last(); last != nil && !last.Gone && last.Before != nil && last.Agent == nil {
		if last.Before.Reach == nil || slices.Equal(last.Before.Reach, can) {
			return withCurrentChant(*last.Before, g.Chant), nil
		}
		// Its agent could write elsewhere, so its changes are looked for with its own reach, and then anew for this one.
		if err := g.FindSideEffects(ctx); err != nil {
			return *last.Before, err
		}
	}
	b, err := g.aroundFor(ctx, can)
	if err == nil {
		err = liftCharges(ctx, g, b)
	}
	if err != nil {
		return b, err
	}
	refs, err := g.watch().Read(ctx)
	if err != nil {
		return b, err
	}
	g.refs = &refs
	b.Refs, b.Heads = g.watch().ForJournal(refs)
	return b, g.Journal.Record(journal.Guard, journal.Done, b)
}

// withCurrentChant is what another process has recorded, with the chant that runs now: a person may have upgraded it since.
func withCurrentChant(b journal.Before, program string) journal.Before {
	b.Tools = maps.Clone(b.Tools)
	// A person may have upgraded chant since, and the agent is not charged with that.
	delete(b.Tools, chantTool)
	if own := ownTool(program); own != "" && b.Tools != nil {
		b.Tools[chantTool] = own
	}
	return b
}

// liftCharges takes back what earlier attempts are charged with if it is no longer there.
func liftCharges(ctx context.Context, g *Guard, now journal.Before) error {
	var lifted []string
	for _, a := range g.Journal.History().Attempts {
		charges := a.Around
		if a.Agent != nil {
			charges = slices.Concat(charges, a.Agent.Around)
		}
		// Without a reading from before, nothing shows whether a charge was undone.
		if a.Gone || len(charges) == 0 || a.Before == nil {
			continue
		}
		b := now
		// Compared with the reach of that attempt: out of reach, the same change would only be reported.
		if !slices.Equal(a.Before.Reach, now.Reach) {
			var err error
			if b, err = g.aroundFor(ctx, a.Before.Reach); err != nil {
				return err
			}
		}
		still := changesAround(b, *a.Before)
		lifted = append(lifted, slices.DeleteFunc(charges, func(what string) bool { return slices.Contains(still, what) })...)
	}
	if len(lifted) == 0 {
		return nil
	}
	slices.Sort(lifted)
	lifted = slices.Compact(lifted)
	for _, what := range attempt.ClipList(lifted) {
		if err := g.Log.Line("no longer so, and charged no longer: " + what); err != nil {
			return err
		}
	}
	return g.Journal.Lift(lifted)
}

// watch compares the refs of the repository.
func (g *Guard) watch() tree.Watch { return tree.Watch{Attempt: g.Attempt} }

// ReadSurroundings reads the surroundings of the run as criteria find them, which no branch shows: git's hooks and settings, tools,
// home, and the files that are copied or linked into worktrees.
func (g *Guard) ReadSurroundings(ctx context.Context) (journal.Before, error) {
	can, err := g.Sandbox().ReachOfChecks()
	if err != nil {
		return journal.Before{}, err
	}
	return g.aroundFor(ctx, can)
}

// aroundFor is Around for processes that can write to some paths, everywhere if they are nil.
func (g *Guard) aroundFor(ctx context.Context, can []string) (b journal.Before, err error) {
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
	seen, files := map[string]string{}, map[string][]string{}
	var asked sync.WaitGroup
	asked.Go(func() { git, programs = g.Repo.ReadGit(ctx, g.Trees.Tree, g.Store.Branch("")) })
	asked.Go(func() { b.Home, home = g.homeFiles(ctx) })
	asked.Go(func() { b.Tools = g.tools(start) })
	asked.Go(func() {
		b.Edits, rules = g.uncommittedRules(ctx, start, seen)
		programsOfHome(g, seen)
	})
	b.Lent, err = g.lentFiles(ctx, files)
	if err == nil {
		b.Above, err = g.filesAbove(ctx, files)
	}
	// Only the calls above write to seen, so it is complete now.
	asked.Wait()
	if err = errors.Join(programs, home, rules, err); err != nil {
		return b, err
	}
	b.Programs, b.Kept, b.Seen = maps.Clone(git.Programs), git.Kept, git.Seen
	if b.Programs == nil {
		b.Programs = map[string]string{}
	}
	toolFiles(g, b.Kept, files)
	maps.Copy(b.Seen, seen)
	// A key that an agent has made could sign anything.
	if err := g.addOwnKey(b.Programs); err != nil {
		return b, err
	}
	if b.Reach = can; can != nil {
		maps.Copy(files, git.Files)
		files[journal.MachineKey] = keyFiles(g)
		b.Modes = git.Modes
		moveOutOfReach(g, &b, files)
	}
	return b, nil
}

// CompareAfterAgent lists what the agent of this process, which has just ended, has changed around the run. Beside what
// SideEffects finds, it has changed these things in git's own files.
func (g *Guard) CompareAfterAgent(ctx context.Context, was journal.Before, gitFiles []string) (journal.Found, error) {
	found, err := g.SideEffects(ctx, was)
	if err != nil {
		return found, err
	}
	found.Behind = slices.Concat(found.Behind, gitFiles)
	g.found = &found
	return found, nil
}

// SideEffects lists what was changed around the run since then, unless no agent can have changed it: changes that could
// mislead a later command of chant, git or the criteria. All others are reported.
func (g *Guard) SideEffects(ctx context.Context, was journal.Before) (journal.Found, error) {
	// First, since reading takes a while, and the journal says what was before.
	if _, err := g.Journal.Check(); err != nil {
		return journal.Found{}, err
	}
	now, err := g.aroundFor(ctx, was.Reach)
	if err != nil {
		return journal.Found{}, err
	}
	// Criteria run later, and this separates their changes from the agent's.
	g.seen = &now
	around, own, err := separateOwn(g, changesAround(now, was), now, was)
	if err != nil {
		return journal.Found{}, err
	}
	forged, err := findForged(ctx, g, was.Tip)
	if err != nil {
		return journal.Found{}, err
	}
	moved, err := g.movedRefs(ctx, was)
	if err != nil {
		return journal.Found{}, err
	}
	if err := g.report("while the agent worked", slices.Concat(moved.Seen, changesSeen(now, was), own)); err != nil {
		return journal.Found{}, err
	}
	return journal.Found{Behind: slices.Concat(g.Journal.Foreign(), around, forged, moved.Stops), Around: around}, nil
}

// movedRefs compares the refs with those that were recorded, by this process or by one that was killed.
func (g *Guard) movedRefs(ctx context.Context, was journal.Before) (tree.Found, error) {
	now, err := g.watch().Read(ctx)
	if err != nil || was.Refs == nil {
		return tree.Found{}, err
	}
	// The journal has only digests of large folders, this process all refs.
	if g.refs != nil {
		return g.watch().FindMoved(ctx, *g.refs, now)
	}
	return g.watch().SinceRecorded(ctx, was.Refs, was.Heads, now)
}

// report announces and logs what people should know and what does not keep the run from landing.
func (g *Guard) report(when string, seen []string) error {
	for i, what := range seen[:min(len(seen), maxLogged)] {
		if i < attempt.MaxNamed {
			g.Announce(journal.Guard, "warning", "%s, %s", when, what)
		}
		if err := g.Log.Line(when + ", " + what); err != nil {
			return err
		}
	}
	if more := len(seen) - attempt.MaxNamed; more > 0 {
		g.Announce(journal.Guard, "warning", "%s, %d more things were changed; the log names them", when, more)
	}
	return nil
}

// maxLogged bounds how many things the log names: a package manager changes thousands.
const maxLogged = 200

// changesAround lists what differs between two readings of the surroundings of a run.
func changesAround(b, was journal.Before) []string {
	found := append(attempt.Differences(was.Programs, b.Programs), switchedHooks(b, was)...)
	// A tool without an earlier value is new in the spec, and was not changed.
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
	// An older version of chant has not recorded it.
	if was.Above != nil {
		found = append(found, attempt.Differences(was.Above, b.Above)...)
	}
	if was.Lent != nil {
		lent := attempt.Differences(was.Lent, b.Lent)
		found = append(found, attempt.ClipList(lent)...)
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
	now, err := g.aroundFor(ctx, before.Reach)
	if err != nil {
		return err
	}
	found, own, err := separateOwn(g, changesAround(now, before), now, before)
	if err != nil {
		return err
	}
	if err := g.report("while the criteria ran", append(changesSeen(now, before), own...)); err != nil {
		return err
	}
	// It is there from now on, so the next look would see no change.
	if len(found) > 0 && !g.Asked {
		if err := g.Journal.Record(journal.Guard, journal.Failed, found); err != nil {
			return err
		}
	}
	return attempt.TamperFailure(found)
}

// SinceAgent returns the surroundings of the run when its agent had ended, or as they are now if no agent has ended in
// this process.
func (g *Guard) SinceAgent(ctx context.Context) (journal.Before, error) {
	if g.seen != nil {
		return *g.seen, nil
	}
	return g.ReadSurroundings(ctx)
}

// findForged lists commits and evidence on the branch of a kind that only chant makes: while an agent works, nothing
// completes its spec or decides about it on its branch, so chant did not make these. What a merge of the target brought
// in is chant's.
func findForged(ctx context.Context, g *Guard, since string) ([]string, error) {
	commits, err := g.Repo.Log(ctx, since, "refs/heads/"+g.Job.Branch)
	if err != nil {
		return nil, err
	}
	own, err := notOnTarget(ctx, g)
	if err != nil {
		return nil, err
	}
	var out []string
	// What a merge of the target brought in was made by chant there.
	for _, c := range commits {
		if own != nil && !own[c.Hash] {
			continue
		}
		if _, ev := message.SpecAndEvent(c); slices.Contains([]string{string(spec.Complete), attempt.LandWord, attempt.ApproveWord, attempt.RejectWord, attempt.ReviewWord, attempt.UndoWord}, ev) {
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
func notOnTarget(ctx context.Context, g *Guard) (map[string]bool, error) {
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

// findShadows lists files that the branch adds to folders of the worktree that are on PATH: they would be run instead of
// tools.
func (g *Guard) findShadows(changes []gitops.Change) []string {
	_, dropped := criteria.Scrub(g.Environ, nil, g.Trees.Worktrees(g.Trees.Tree))
	var out []string
	for _, folder := range dropped {
		// PATH may name such a folder absolutely or relative to the worktree.
		if rel, err := filepath.Rel(g.Trees.Tree, folder); filepath.IsAbs(folder) && err == nil {
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
