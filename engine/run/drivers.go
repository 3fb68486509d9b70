package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
	"chant/providers/text"
)

// settledDriver is a driver whose last open member lands, and what becomes of it.
type settledDriver struct {
	change store.Change
	report criteria.Report // about Commit, which makes the change; zero where the driver has no checks of its own
}

// withDrivers puts the drivers whose last open member this spec is into the merge, each in one more commit on its side.
// A driver with criteria or commands of its own is judged on the merged tree; one that does not hold stays open, with
// its reason. The run's branch itself does not move. Errors: gitops.ErrChanged when a driver had to be committed first.
func (r *Run) withDrivers(ctx context.Context, target, tip string) (side string, all []settledDriver, err error) {
	set, err := r.Store.Load(ctx)
	if err != nil {
		return "", nil, err
	}
	graph := set.Graph()
	due := graph.DueDrivers(r.Job.ID)
	if err := r.commitDrivers(ctx, due); err != nil {
		return "", nil, err
	}
	side = tip
	var open []string // those that do not hold
	for _, id := range due {
		if slices.ContainsFunc(graph.Members(id), func(m string) bool { return slices.Contains(open, m) }) {
			continue // a driver in it stays open
		}
		driver, err := r.driverAt(ctx, target, id)
		if err == nil {
			driver, err = driver.TickedBy(graph.MemberSpecs(id))
		}
		if err != nil {
			return "", nil, err
		}
		report, err := r.judgeDriver(ctx, target, tip, driver)
		if err != nil {
			return "", nil, err
		}
		change := DriverChange(driver, report, r.lastMember(), r.Now())
		if change.Event == spec.Flag {
			open = append(open, id)
			r.emit(journal.Land, "warning", "driver %s stays open: %s", id, change.Why)
		}
		if driver.Status == spec.NeedsAttention && driver.SaysDriverOpen(change.Why) {
			continue // the file says so already
		}
		if side, err = r.commitDriver(ctx, side, driver, change, &report); err != nil {
			return "", nil, err
		}
		r.derived = append(r.derived, store.SpecPath(id))
		all = append(all, settledDriver{change, report})
	}
	return side, all, nil
}

// commitDrivers commits what lies uncommitted of these drivers in the checked-out target: a driver that was written by
// hand completes like any other. Errors: gitops.ErrChanged when the target moved by that.
func (r *Run) commitDrivers(ctx context.Context, ids []string) error {
	if len(ids) == 0 || r.Job.Silent {
		return nil
	}
	head, err := r.Repo.Head(ctx, r.Store.Home())
	if err != nil || head.Branch != r.Job.Target {
		return err
	}
	moved := false
	for _, id := range ids {
		if !r.Store.Exists(id) {
			continue
		}
		commit, err := r.Store.CommitEdits(ctx, id)
		if err != nil {
			return err
		}
		if moved = moved || commit != ""; commit != "" {
			r.emit(journal.Land, "step", "committed your edits of the driver %s as %s", id, short(commit))
		}
	}
	if moved {
		return gitops.ErrChanged
	}
	return nil
}

// driverAt reads a driver as the target has it; home's copy where the target has none, or git ignores .chant.
func (r *Run) driverAt(ctx context.Context, target, id string) (*spec.Spec, error) {
	if r.Job.Silent {
		return r.Store.FromHome(id)
	}
	s, err := r.Store.At(ctx, target, id)
	if errors.Is(err, gitops.ErrNotFound) {
		return r.Store.FromHome(id)
	}
	return s, err
}

// judgeDriver judges a driver's own criteria and commands on what the landing makes of the target. The report is zero
// for a driver without any.
func (r *Run) judgeDriver(ctx context.Context, target, tip string, driver *spec.Spec) (criteria.Report, error) {
	if !driver.OwnChecks() {
		return criteria.Report{}, nil
	}
	tree, err := r.mergedTree(ctx, target, tip)
	if err != nil {
		return criteria.Report{}, err
	}
	merge, err := r.Repo.CommitTree(ctx, tree, []string{target, tip}, r.landingMessage())
	if err != nil {
		return criteria.Report{}, err
	}
	r.emit(journal.Land, "step", "running the criteria of the driver %s on the merged tree", driver.ID)
	before, err := r.around(ctx)
	if err != nil {
		return criteria.Report{}, err
	}
	report, err := r.JudgeDriver(ctx, merge, driver)
	if err == nil {
		err = r.onlyJudged(ctx, before)
	}
	if err == nil {
		err = r.unmoved(ctx, tip)
	}
	return report, err
}

// JudgeDriver judges a driver's own criteria and commands in a clean worktree of a commit. Commands that change tracked
// files there prove nothing. Errors: those of InPlace.
func (r *Run) JudgeDriver(ctx context.Context, commit string, driver *spec.Spec) (report criteria.Report, err error) {
	runs := criteria.PlanFor(driver, driver, r.Settings.Verify).Runs()
	err = r.InPlace(ctx, commit, runs, func(at Place) error {
		if report, err = r.JudgeIn(ctx, at, driver, driver); err != nil || !runs {
			return err
		}
		return r.Untouched(ctx, at)
	})
	report.SpecID, report.Commit = driver.ID, commit
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

// commitDriver adds the change of a driver to the side that lands. Where git ignores .chant it waits for the landing.
func (r *Run) commitDriver(ctx context.Context, side string, driver *spec.Spec, ch store.Change, report *criteria.Report) (string, error) {
	if r.Job.Silent {
		return side, nil
	}
	driver.Status = *ch.Force
	doc, err := driver.Apply(ch.Event, ch.Edits...)
	if err == nil {
		doc, err = ch.Edit(doc)
	}
	if err != nil {
		return "", err
	}
	file := gitops.File{Path: store.SpecPath(driver.ID), Content: doc.Bytes()}
	report.Commit, err = r.Repo.CommitOn(ctx, side, []gitops.File{file},
		store.Message{ID: driver.ID, Event: string(ch.Event), Why: r.Secrets.Text(ch.Why)}.String())
	return report.Commit, err
}

// noteDrivers keeps the evidence of drivers that complete with the commits that complete them.
func (r *Run) noteDrivers(ctx context.Context, all []settledDriver) error {
	for _, d := range all {
		if d.change.Event != spec.Complete || d.report.SpecID == "" || r.Job.Silent {
			continue
		}
		text, err := d.report.Encode()
		if err != nil {
			return err
		}
		if err := r.Repo.AddNote(ctx, NotesRef, d.report.Commit, text); err != nil {
			return err
		}
	}
	return nil
}

// driversSilently changes the drivers in home where git ignores .chant.
func (r *Run) driversSilently(ctx context.Context, all []settledDriver) error {
	if !r.Job.Silent {
		return nil
	}
	for _, d := range all {
		if _, err := r.Store.Transition(ctx, d.change); err != nil {
			return err
		}
	}
	return nil
}

// DriverOpen begins the reason of a driver that stays open although its members are done.
const DriverOpen = "its members are done, but "

// DriverChange completes a driver whose members are all done, or says why it stays open. The report is that of its own
// criteria and commands, zero where it has none. The driver was under way from its first member on, though it is never
// started itself.
func DriverChange(driver *spec.Spec, report criteria.Report, why string, now time.Time) store.Change {
	ch := store.Change{ID: driver.ID, Event: spec.Complete, Force: UnderWay(), Why: why}
	status := criteria.Sum(report.Criteria)
	if status != criteria.Nothing {
		ch.Edits = Summary(report.At, status, criteria.Failures(report.Criteria))
	}
	boxes := criteria.Boxes(report.Criteria)
	for _, v := range report.Criteria {
		if v.How == criteria.ByBox && v.Holds {
			boxes[v.ID] = true // by a member, perhaps
		}
	}
	ch.Edit = func(doc *markdown.Document) (*markdown.Document, error) { return spec.Check(doc, boxes) }
	if status == criteria.Passed || status == criteria.Nothing {
		ch.Edits = append(append(ch.Edits, spec.ClearReason()...), markdown.Set("completed_at", now.UTC().Format(time.RFC3339)))
		return ch
	}
	ch.Event, ch.Why = spec.Flag, text.Printable(DriverOpen+firstLine(Unmet(report.Criteria).Message))
	ch.Edits = append(ch.Edits, spec.SetReason(spec.ReasonDriverOpen, ch.Why)...)
	return ch
}

// driverAllows checks that no driver above the spec has been rejected since the run began,
// or waits for approval: a part lands with the whole.
func (r *Run) driverAllows(ctx context.Context) error {
	set, err := r.Store.Load(ctx)
	if err != nil {
		return err
	}
	driver, hold := set.Graph().HeldByDriver(r.Job.ID)
	if !r.unwaived(hold).Exists() {
		return nil
	}
	return &journal.Failure{Kind: unapproved(hold), Next: "chant approve " + driver.ID, Message: fmt.Sprintf("spec %q is a part of %q, which %s", r.Job.ID, driver.ID, hold)}
}

func (r *Run) lastMember() string { return "Its last member " + r.Job.ID + " is done." }
