package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/format/adopted"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/markdown"
	"chant/text"
)

// Landing merges completed work into its target, and completes the drivers whose last member it is.
//
// Rules:
//
//   - The target moves once, by one merge commit, after all checks have passed. A failure to land leaves the spec
//     completed on its branch.
//   - A spec has landed once the target points to that merge commit, which is checked again before the branch is
//     removed.
//
// Decisions:
//
// 2026-11-22: if a driver has criteria of its own that do not hold when its last member lands, it stays open, as
// needs_attention with the reason. Rejected: refusing the landing, because the member's own criteria hold; and leaving
// the driver pending, without a reason to be read later.

// settledDriver is a driver whose last open member lands, and its change.
type settledDriver struct {
	change store.Change
	report criteria.Report // on Commit, which makes the change; zero for a driver without checks of its own
}

// addDrivers puts the drivers whose last open member this spec is into the merge, each in one more commit on its side.
// A driver with criteria or commands of its own is judged on the merged tree; one that does not hold stays open, with
// its reason. The run's branch itself does not move. Errors: gitops.ErrChanged when a driver had to be committed first.
func (l *Lander) addDrivers(ctx context.Context, graph *spec.Graph, target, tip string) (side string, all []settledDriver, err error) {
	due := graph.DueDrivers(l.Job.ID)
	// An uncommitted driver would conflict with its change on the side that lands.
	if err := l.commitDrivers(ctx, due); err != nil {
		return "", nil, err
	}
	side = tip
	var open []string // those that do not hold
	for _, id := range due {
		if slices.ContainsFunc(graph.Members(id), func(m string) bool { return slices.Contains(open, m) }) {
			// A driver in it stays open, so this one cannot complete either.
			continue
		}
		driver, err := l.Guard.DriverAt(ctx, target, id)
		if err == nil {
			err = l.adoptMerged(ctx, target, tip, driver)
		}
		if err == nil {
			driver, err = driver.TickAsMembers(spec.Files(graph.MemberSpecs(id)))
		}
		if err != nil {
			return "", nil, err
		}
		report, err := l.judgeDriver(ctx, target, tip, driver)
		if err != nil {
			return "", nil, err
		}
		change := DriverChange(driver, report, l.lastMember(), l.Now())
		if change.Event == spec.Flag {
			open = append(open, id)
			l.Announce(journal.Land, "warning", "driver %s stays open: %s", id, change.Why)
		}
		// The file has this reason already, and a commit would change nothing.
		if driver.Status == spec.NeedsAttention && driver.HasDriverOpenReason(change.Why) {
			continue
		}
		if side, err = l.commitDriver(ctx, side, driver, change, &report); err != nil {
			return "", nil, err
		}
		// Both sides then have the file, and the side's is made from the target's.
		l.derived = append(l.derived, store.SpecPath(id))
		all = append(all, settledDriver{change, report})
	}
	return side, all, nil
}

// adoptMerged gives a driver the folder that it adopts as the landing will leave it: its last member has ticked boxes.
func (l *Lander) adoptMerged(ctx context.Context, target, tip string, driver *spec.File) error {
	if driver.Fields.Source == "" {
		return nil
	}
	tree, err := l.mergedTree(ctx, target, tip)
	if err != nil {
		return err
	}
	return store.AdoptAt(ctx, l.Store, tree, driver)
}

// commitDrivers commits uncommitted changes of these drivers in the checked-out target, so that a driver written by
// hand completes like any other. Errors: gitops.ErrChanged if this has moved the target.
func (l *Lander) commitDrivers(ctx context.Context, ids []string) error {
	if len(ids) == 0 || l.Job.Silent {
		return nil
	}
	head, err := l.Repo.Head(ctx, l.Store.Home())
	// Elsewhere, a commit would go to a branch that does not land.
	if err != nil || head.Branch != l.Job.Target {
		return err
	}
	moved := false
	for _, id := range ids {
		if !l.Store.Exists(id) {
			continue
		}
		commit, err := l.Store.CommitEdits(ctx, id)
		if err != nil {
			return err
		}
		if moved = moved || commit != ""; commit != "" {
			l.Announce(journal.Land, "step", "committed your edits of the driver %s as %s", id, attempt.Short(commit))
		}
	}
	// The landing has to start again from the new target.
	if moved {
		return gitops.ErrChanged
	}
	return nil
}

// judgeDriver judges a driver's own criteria and commands on the tree that the landing will create. The report is zero
// for a driver without any.
func (l *Lander) judgeDriver(ctx context.Context, target, tip string, driver *spec.File) (criteria.Report, error) {
	if !driver.OwnChecks() && !l.Judge.hasHeldOut(driver.ID) {
		return criteria.Report{}, nil
	}
	tree, err := l.mergedTree(ctx, target, tip)
	if err != nil {
		return criteria.Report{}, err
	}
	// A commit that no ref leads to, made only so that a worktree can check it out.
	merge, err := l.Repo.CommitTree(ctx, tree, []string{target, tip}, l.landingMessage())
	if err != nil {
		return criteria.Report{}, err
	}
	l.Announce(journal.Land, "step", "running the criteria of the driver %s on the merged tree", driver.ID)
	// Read before the criteria run, which execute code of the agent.
	before, err := l.Guard.ReadSurroundings(ctx)
	if err != nil {
		return criteria.Report{}, err
	}
	report, err := l.JudgeDriver(ctx, merge, driver)
	if err == nil {
		err = l.Guard.CheckAfterCriteria(ctx, before)
	}
	if err == nil {
		err = l.Judge.CheckUnmoved(ctx, tip)
	}
	return report, err
}

// JudgeDriver judges a driver's own criteria and commands in a clean worktree of a commit. Commands that change tracked
// files there prove nothing. Errors: those of InPlace.
func (l *Lander) JudgeDriver(ctx context.Context, commit string, driver *spec.File) (report criteria.Report, err error) {
	runs := criteria.PlanFor(driver, driver, l.Settings.Verify).Runs() || l.Judge.hasHeldOut(driver.ID)
	err = l.Places.InPlace(ctx, commit, runs, func(at tree.Place) error {
		if report, err = l.Judge.JudgeIn(ctx, at, driver, driver); err != nil || !runs {
			return err
		}
		return l.Places.CheckUntouched(ctx, at)
	})
	report.SpecID, report.Commit = driver.ID, commit
	// The driver stays open with this reason; the member's own criteria are not affected.
	if f, spoiled := errors.AsType[*journal.Failure](err); spoiled && f.Kind.FailsVerification() {
		for i := range report.Criteria {
			if v := &report.Criteria[i]; v.How == criteria.ByRunning {
				v.Holds, v.Why = false, f.Message
			}
		}
		report.Verified, err = criteria.Holds(report.Criteria), nil
	}
	return report, err
}

// commitDriver adds the change of a driver to the side that lands. If git ignores .chant, the change is made after the
// landing.
func (l *Lander) commitDriver(ctx context.Context, side string, driver *spec.File, ch store.Change, report *criteria.Report) (string, error) {
	if l.Job.Silent {
		return side, nil
	}
	// A driver is never started itself, so the status before the event is set here.
	driver.Status = *ch.Force
	doc, err := driver.Apply(ch.Event, ch.Edits...)
	if err == nil {
		doc, err = ch.Edit(doc)
	}
	if err != nil {
		return "", err
	}
	file := gitops.File{Path: store.SpecPath(driver.ID), Content: doc.Bytes()}
	report.Commit, err = l.Repo.CommitOn(ctx, side, []gitops.File{file},
		message.Commit{ID: driver.ID, Event: string(ch.Event), Why: l.Secrets.Text(ch.Why)}.String())
	return report.Commit, err
}

// noteDrivers stores the evidence of drivers with the commits that complete them.
func (l *Lander) noteDrivers(ctx context.Context, all []settledDriver) error {
	for _, d := range all {
		if d.change.Event != spec.Complete || d.report.SpecID == "" || l.Job.Silent {
			continue
		}
		if err := l.Judge.NoteOf(ctx, d.report, d.report.Commit, journal.Trusted{}, nil); err != nil {
			return err
		}
	}
	return nil
}

// driversSilently changes the drivers in home if git ignores .chant.
func (l *Lander) driversSilently(ctx context.Context, all []settledDriver) error {
	if !l.Job.Silent {
		return nil
	}
	for _, d := range all {
		if _, err := l.Store.Transition(ctx, d.change); err != nil {
			return err
		}
	}
	return nil
}

// DriverOpen begins the reason of a driver that stays open although its members are done.
const DriverOpen = "its members are done, but "

// DriverChange returns the change that completes a driver whose members are all done, or that gives the reason why it
// stays open. The report is that of its own criteria and commands, zero if it has none. The driver counts as in
// progress since its first member started, though it is never started itself.
func DriverChange(driver *spec.File, report criteria.Report, why string, now time.Time) store.Change {
	ch := store.Change{ID: driver.ID, Event: spec.Complete, Force: attempt.UnderWay(), Why: why}
	status := criteria.Sum(report.Criteria)
	if status != criteria.Nothing {
		ch.Edits = attempt.Summary(report.At, status, criteria.Failures(report.Criteria))
	}
	boxes := criteria.Boxes(report.Criteria)
	for _, v := range report.Criteria {
		if v.How == criteria.ByBox && v.Holds {
			// A member may have ticked it.
			boxes[v.ID] = true
		}
	}
	ch.Edit = func(doc *markdown.Document) (*markdown.Document, error) { return driver.WithDoc(doc).Tick(boxes) }
	if status == criteria.Passed || status == criteria.Nothing {
		ch.Edits = append(append(ch.Edits, spec.ClearReason()...), markdown.Set("completed_at", now.UTC().Format(time.RFC3339)))
		return ch
	}
	ch.Event, ch.Why = spec.Flag, text.Printable(DriverOpen+attempt.FirstLine(Unmet(report.Criteria).Message))
	ch.Edits = append(ch.Edits, spec.SetReason(spec.ReasonDriverOpen, ch.Why)...)
	return ch
}

func (l *Lander) lastMember() string { return "Its last member " + l.Job.ID + " is done." }

// appliedChange is a change of OpenSpec that lands, and what that does.
type appliedChange struct {
	dir            string
	done, warnings []string
}

func (l *Lander) announce(a appliedChange) {
	l.Announce(journal.Land, "step", "applied the change %s: %s", a.dir, strings.Join(a.done, ", "))
	for _, text := range a.warnings {
		l.Announce(journal.Land, "warning", "%s", text)
	}
}

// addDeltas returns the tree that lands for changes of OpenSpec that this landing completes: their deltas are applied to
// the living specs and their folders are in the archive, all or nothing. Without such changes it returns the merged tree
// as it is. Errors: *Failure of the kind ReasonConflict, with each delta that cannot be applied.
func (l *Lander) addDeltas(ctx context.Context, tree, side string, drivers []settledDriver) (string, []appliedChange, error) {
	done := []string{l.Job.ID}
	for _, d := range drivers {
		if d.change.Event == spec.Complete {
			done = append(done, d.change.ID)
		}
	}
	var applied []appliedChange
	for _, id := range done {
		next, change, err := l.applyDeltas(ctx, tree, side, id)
		if err != nil {
			return "", nil, err
		}
		if tree = next; change != nil {
			applied = append(applied, *change)
		}
	}
	return tree, applied, nil
}

// applyDeltas is addDeltas for one spec; the change is nil if it has none.
func (l *Lander) applyDeltas(ctx context.Context, tree, side, id string) (string, *appliedChange, error) {
	s, err := l.readCompleting(ctx, side, id)
	if err != nil {
		return "", nil, err
	}
	a := s.Adopted()
	// A member has only a part of the change, and only the whole of it is applied.
	if a == nil || a.Kind != adopted.OpenSpec || a.Moved || len(s.Fields.Part) > 0 {
		return tree, nil, nil
	}
	files, err := l.Repo.FS(ctx, tree)
	if err != nil {
		return "", nil, err
	}
	plan, err := adopted.Archive(files, a.Dir, l.Now())
	var rejected *adopted.RejectedError
	if errors.As(err, &rejected) {
		return "", nil, &journal.Failure{
			Kind: spec.ReasonConflict, Details: rejected.Problems, Next: l.WayOut(),
			Message: fmt.Sprintf("the change %q cannot be applied to the specs on %q: %s", a.Dir, l.Job.Target, strings.Join(rejected.Problems, "; ")),
		}
	}
	if err != nil {
		return "", nil, errors.Join(err, ctx.Err())
	}
	var out []gitops.File
	for _, f := range plan.Files {
		out = append(out, gitops.File{Path: f.Path, Content: f.Content, Executable: f.Executable})
	}
	landed, err := l.Repo.WriteTree(ctx, tree, out)
	return landed, &appliedChange{a.Dir, plan.Done, plan.Warnings}, err
}

// readCompleting reads a spec that the landing completes, with the folder that it adopts as the branch has that.
func (l *Lander) readCompleting(ctx context.Context, side, id string) (*spec.File, error) {
	if id == l.Job.ID {
		return l.OwnSpec(ctx)
	}
	if !l.Job.Silent {
		return l.Store.ReadAt(ctx, side, id)
	}
	s, err := l.Store.ReadHome(id)
	if err != nil {
		return nil, err
	}
	return s, store.AdoptAt(ctx, l.Store, side, s)
}
