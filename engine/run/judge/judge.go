package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/touched"
	"chant/gitops"
)

// Judge runs the criteria of a spec: on a commit, on the merged tree, or in the caller's own tree.
type Judge struct {
	*attempt.Attempt
	Trees  *tree.Trees
	Places *tree.Places
	Guard  *guard.Guard

	Cache criteria.Cache // of evidence, for checks that do not decide about a landing; nil = none
	Fresh bool           // ignore the cache
	// Repeat is how often commands must pass, if that is more often than the spec and the settings say.
	Repeat int

	// Report is the result of the last verification of the branch or of the merged tree, empty before the first one.
	Report criteria.Report

	// WithoutSealed leaves out held-out criteria that this machine cannot open: evidence has their results.
	WithoutSealed bool

	besideAgent bool // it runs criteria while an agent works

	held   heldOut
	base   *baseRun            // of the criteria where the work began; nil if none is under way
	judged string              // the commit that this process has found Report for, or the complete commit made right after
	lent   lent                // what that commit was judged with
	merged onMerged            // what this process has last found on a merged tree
	known  map[string]onMerged // all that it has found there, by tree, tip of the branch, and criteria

	announced []string // about inputs, each once
}

// Resume takes the report that the journal has of an attempt that resumes. Nothing lands because of it.
func (j *Judge) Resume(report criteria.Report) { j.Report = report }

// Completed makes the report count for the complete commit, which changes nothing that criteria check.
func (j *Judge) Completed(commit string) { j.judged = commit }

// Verify runs the criteria of the start commit in a clean worktree of the branch, so that files which are not committed
// cannot make them hold.
func (j *Judge) Verify(ctx context.Context) (criteria.Report, error) {
	tip, err := j.Repo.Resolve(ctx, "refs/heads/"+j.Job.Branch)
	if err != nil {
		return criteria.Report{}, err
	}
	now, err := j.OwnSpec(ctx)
	if err != nil {
		return criteria.Report{}, err
	}
	start, err := j.trustedSpec(ctx, now)
	if err != nil {
		return criteria.Report{}, err
	}
	// The state after the agent, so that its changes are not taken for those of criteria.
	before, err := j.Guard.SinceAgent(ctx)
	if err != nil {
		return criteria.Report{}, err
	}
	plan := criteria.PlanFor(start, now, j.Settings.Verify)
	with, err := j.readLent(ctx, plan)
	if err != nil {
		return criteria.Report{}, err
	}
	report, err := j.judgeAt(ctx, tip, start, now)
	// A commit made meanwhile was not judged, and would land all the same.
	if err == nil {
		err = j.CheckUnmoved(ctx, tip)
	}
	if err == nil {
		err = j.prove(ctx, plan, tip, &report)
	}
	if err == nil {
		err = j.addWeakened(ctx, &report)
	}
	if err != nil {
		return criteria.Report{}, j.Places.KeepChanged(err)
	}
	if err := j.Guard.CheckAfterCriteria(ctx, before); err != nil {
		return criteria.Report{}, err
	}
	j.Report, j.judged, j.lent = report, tip, with
	if err := j.Log.Line(describeReport(report)); err != nil {
		return criteria.Report{}, err
	}
	unfit := j.MayComplete(report)
	if unfit == nil {
		if err := j.Guard.ReportWeakened(ctx); err != nil {
			return criteria.Report{}, err
		}
		unfit = j.Guard.CheckWeakened(ctx)
	}
	if unfit != nil && !j.Asked {
		// The evidence of a failure is evidence, too.
		if err := j.Journal.Record(journal.Verify, journal.Done, report); err != nil {
			return criteria.Report{}, err
		}
	}
	return report, unfit
}

// AddStrength adds to the report on the branch what measure finds out about its criteria, and returns the report.
func (j *Judge) AddStrength(ctx context.Context, measure func(context.Context) (*criteria.Strength, error)) (criteria.Report, error) {
	before, err := j.Guard.SinceAgent(ctx)
	if err != nil {
		return criteria.Report{}, err
	}
	found, err := measure(ctx)
	// Wrong versions of what the agent has written have run, and must not have changed anything around the run either.
	if err == nil {
		err = j.Guard.CheckAfterCriteria(ctx, before)
	}
	if err == nil {
		err = j.CheckUnmoved(ctx, j.judged)
	}
	if err != nil {
		return criteria.Report{}, err
	}
	if found != nil {
		j.Report.AddStrength(*found)
	}
	return j.Report, nil
}

// MayComplete returns nil for a report with which a spec may complete: everything holds, or there is nothing to
// verify and the settings do not require it, and a criterion failed before the work where they require that. Errors: *Failure, whose kind FailsVerification.
func (j *Judge) MayComplete(report criteria.Report) error {
	switch status := criteria.Sum(report.Criteria); {
	case status == criteria.Nothing && j.Settings.Verify.Require:
		return guard.NothingToVerify(j.Job.ID)
	case status != criteria.Passed && status != criteria.Nothing:
		return Unmet(report.Criteria)
	case j.Settings.Verify.RedFirst == spec.RedRequire && criteria.LacksRed(report.Criteria):
		return lacksRed(report.Criteria)
	}
	return nil
}

// CheckUnmoved checks that no commit was made on the branch while the criteria ran.
func (j *Judge) CheckUnmoved(ctx context.Context, tip string) error {
	now, err := j.Repo.Resolve(ctx, "refs/heads/"+j.Job.Branch)
	if err != nil || now == tip {
		return err
	}
	return attempt.TamperFailure([]string{fmt.Sprintf("branch %s moved from %s to %s while the criteria ran", j.Job.Branch, attempt.Short(tip), attempt.Short(now))})
}

// trustedSpec returns the spec whose criteria count. Where git ignores .chant, the branch has no spec, and home's copy
// is compared with the trusted one here.
func (j *Judge) trustedSpec(ctx context.Context, now *spec.File) (*spec.File, error) {
	start, err := j.Trusted(ctx)
	if err != nil || !j.Job.Silent || j.Accepted {
		return start, err
	}
	return start, attempt.TamperFailure(j.Guard.Rewritten(start, now))
}

// judgeAt checks the criteria on a commit.
func (j *Judge) judgeAt(ctx context.Context, commit string, start, now *spec.File) (report criteria.Report, err error) {
	runs := criteria.PlanFor(start, now, j.Settings.Verify).Runs() || j.hasHeldOut(start.ID)
	err = j.Places.InPlace(ctx, commit, runs, func(at tree.Place) error {
		report, err = j.JudgeIn(ctx, at, start, now)
		if err != nil || !runs {
			return err
		}
		return j.Places.CheckUntouched(ctx, at)
	})
	return report, err
}

// JudgeIn checks, in a place as it is, the criteria of start and those that now has added.
func (j *Judge) JudgeIn(ctx context.Context, at tree.Place, start, now *spec.File) (criteria.Report, error) {
	return j.judgeOthers(ctx, at, start, now, nil)
}

// judgeOthers is JudgeIn for the criteria whose verdicts are not known. The report has those, too.
func (j *Judge) judgeOthers(ctx context.Context, at tree.Place, start, now *spec.File, known []criteria.Verdict) (criteria.Report, error) {
	plan := criteria.PlanFor(start, now, j.Settings.Verify)
	report, err := j.JudgePlan(ctx, at, plan.Without(known), now.ID, j.Cache)
	if err == nil && len(known) > 0 {
		report.Join(known, j.Settings.Verify.RedFirst != spec.RedOff)
		report.Plan, err = plan.Digest()
	}
	if err == nil {
		err = j.addHeldOut(ctx, at, start, &report)
	}
	return report, err
}

// JudgePlan is JudgeIn for a plan, with a cache of evidence; nil = none.
func (j *Judge) JudgePlan(ctx context.Context, at tree.Place, plan criteria.Plan, id string, cache criteria.Cache) (criteria.Report, error) {
	// What holds without the commands of some rules may not land.
	if j.Settings.Unread != nil {
		return criteria.Report{}, j.Settings.Unread
	}
	// The worktree is left out of PATH, where an agent could put a tool.
	env, _ := criteria.Scrub(j.Environ, j.Settings.Verify.Pass, j.Trees.Worktrees(at.Dir))
	spot, more, err := j.spots(at)
	if err != nil {
		return criteria.Report{}, err
	}
	digest, digestErr := plan.Digest()
	set := criteria.Settings{
		Spot: spot, More: more, TreeID: at.Tree, Env: env, Spec: []string{"CHANT_SPEC_ID=" + id}, Timeout: j.Settings.Check, RunID: j.Job.RunID, Hide: j.Environ,
		BesideAgent: j.besideAgent, Offline: j.Sandbox().Offline, NeedsNetwork: j.needsNetwork, LearnNeed: j.learnNeed,
		Cache: cache, Fresh: j.Fresh, Clean: func(ctx context.Context) (bool, error) { return j.Places.Clean(ctx, at) },
		Command: func(line string) { j.Announce(journal.Verify, "command", "%s", line) },
		Warn:    func(text string) { j.Announce(journal.Verify, "warning", "%s", text) },
	}
	if plan.HeldOut {
		set.Cache, set.Command = nil, nil
		// The criteria before them have run in the same tree.
		if spot.Restore != nil {
			if err := spot.Restore(ctx); err != nil {
				return criteria.Report{}, err
			}
		}
	}
	verdicts, vars, err := criteria.Check(ctx, j.repeated(plan), set)
	if plan.HeldOut && err != nil && ctx.Err() == nil {
		// The cause could name a command.
		err = errors.New("the held-out criteria could not be run")
	}
	return criteria.Report{
		SpecID: j.Job.ID, Tree: at.Tree, Plan: digest, At: j.Now().UTC(), Verified: criteria.Holds(verdicts), Accepted: j.Accepted,
		Verdict: criteria.Conclude(verdicts, j.Settings.Verify.RedFirst != spec.RedOff), Environment: j.Trees.Hidden(vars), Criteria: verdicts,
	}, errors.Join(err, digestErr)
}

// repeated returns a plan whose commands run as often as was asked for; one that was flaky before must pass twice.
func (j *Judge) repeated(plan criteria.Plan) criteria.Plan {
	if j.Repeat > 1 {
		plan = plan.Repeated(j.Repeat, nil)
	}
	var flaky []string
	for _, a := range j.Journal.History().Attempts {
		for _, v := range a.Report.Criteria {
			if v.Flaky {
				flaky = append(flaky, v.ID)
			}
		}
	}
	return plan.Repeated(2, func(item criteria.Item) bool { return slices.Contains(flaky, item.ID) })
}

// needsNetwork reports whether a command of a criterion needed the network today: caches get warm.
func (j *Judge) needsNetwork(command, dir string) bool {
	// What cannot be read is found again by running the command.
	day, err := j.Store.Evidence().Find(needKey(command, dir))
	return err == nil && string(day) == j.Now().UTC().Format(time.DateOnly)
}

// learnNeed keeps that a command of a criterion needed the network.
func (j *Judge) learnNeed(command, dir string) {
	// Without it the command only takes longer.
	_ = j.Store.Evidence().Keep(needKey(command, dir), []byte(j.Now().UTC().Format(time.DateOnly)))
}

func needKey(command, dir string) string {
	sum := sha256.Sum256([]byte("network\x00" + dir + "\x00" + command))
	return hex.EncodeToString(sum[:])
}

// spots returns where commands run in a place, and how to get more such spots. In a tree that was not created for a
// check, all commands run in the tree itself.
func (j *Judge) spots(at tree.Place) (criteria.Spot, func(context.Context) (criteria.Spot, error), error) {
	if at.Check == nil {
		spot, err := j.ownSpot(at)
		return spot, nil, err
	}
	// Git locks its list of worktrees, so trees are made one at a time.
	var one sync.Mutex
	return at.Check.Spot(), func(ctx context.Context) (criteria.Spot, error) {
		one.Lock()
		defer one.Unlock()
		t, err := at.Check.More(ctx)
		return t.Spot(), err
	}, nil
}

// ownSpot returns a tree that was not created for a check, such as that of the agent that asks.
func (j *Judge) ownSpot(at tree.Place) (criteria.Spot, error) {
	bounds, err := j.Sandbox().ForCriteria(at.Dir)
	if err == nil {
		err = bounds.Prepare()
	}
	spot := criteria.Spot{Tree: at.Dir, Own: append(j.Places.CheckEnv(at.Dir), bounds.Env...), Wall: bounds.Wall}
	// The checkout of a person is named by the folder of the project in it.
	if at.Dir != j.Store.Home() {
		spot.Folder = j.Repo.Folder()
	}
	return spot, err
}

// CheckHere checks the criteria of s in a folder as it is. If s has a run, they are those of its start commit.
func (j *Judge) CheckHere(ctx context.Context, dir string, s *spec.File) (report criteria.Report, err error) {
	start, err := j.StartOf(ctx, s)
	if err != nil {
		return report, err
	}
	err = j.Trees.WithPorts(func() error {
		report, err = j.JudgeIn(ctx, tree.Place{Dir: dir}, start, s)
		return err
	})
	return report, err
}

// CheckAt is CheckHere in a clean worktree of a commit.
func (j *Judge) CheckAt(ctx context.Context, commit string, s *spec.File) (criteria.Report, error) {
	start, err := j.StartOf(ctx, s)
	if err != nil {
		return criteria.Report{}, err
	}
	report, err := j.judgeAt(ctx, commit, start, s)
	// Without a run there is no work to compare with what was before.
	if err == nil && j.Journal.History().Trusted != nil {
		err = j.prove(ctx, criteria.PlanFor(start, s, j.Settings.Verify), commit, &report)
	}
	report.Commit = commit
	return report, err
}

// StartOf returns the spec whose criteria count for s: that of its start commit if it has a run, else s itself.
func (j *Judge) StartOf(ctx context.Context, s *spec.File) (*spec.File, error) {
	if j.Journal.History().Trusted == nil {
		return s, nil
	}
	return j.Trusted(ctx)
}

// Unmet is the failure for verdicts of which at least one does not hold.
func Unmet(verdicts []criteria.Verdict) *journal.Failure {
	f := &journal.Failure{Kind: spec.ReasonUnverified}
	var shown []string
	for _, v := range verdicts {
		if !v.Holds {
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why))
			shown = append(shown, fmt.Sprintf("criterion %d: %s", v.Number, v.Brief()))
		}
	}
	more := ""
	if len(shown) > attempt.MaxNamed {
		shown, more = slices.Clone(shown[:attempt.MaxNamed]), fmt.Sprintf("; and %d more", len(shown)-attempt.MaxNamed)
	}
	f.Message = fmt.Sprintf("%s: %s%s", CountUnmet(len(f.Details), len(verdicts)), strings.Join(shown, "; "), more)
	f.Next = baseStep(verdicts)
	return f
}

// CountUnmet counts the criteria that do not hold, as a sentence.
func CountUnmet(n, total int) string {
	switch {
	case total == 1:
		return "the criterion does not hold"
	case n == 1:
		return fmt.Sprintf("1 criterion of %d does not hold", total)
	}
	return fmt.Sprintf("%d of %d criteria do not hold", n, total)
}

func describeReport(report criteria.Report) string {
	out := fmt.Sprintf("criteria: %d", len(report.Criteria))
	if report.Readable != "" {
		out += "\nheld-out criteria are readable: commit " + attempt.Short(report.Readable)
	}
	for _, v := range report.Criteria {
		mark := "holds"
		switch {
		case !v.Holds:
			mark = "does not hold, " + v.Why
		case v.Flaky:
			mark = "holds, but is flaky"
		}
		if proof := v.ProofText(); proof != "" {
			mark += ", " + proof
		}
		out += fmt.Sprintf("\n%d. %s: %s", v.Number, v.Text, mark)
		for _, e := range v.Evidence {
			out += strings.TrimRight(fmt.Sprintf("\n   $ %s (%s)\n%s", e.Command, e.Result(), e.Tail), "\n")
		}
	}
	return out
}

// Recheck runs the criteria again on the merged tree, unless there is a result for the same tree and the same criteria:
// one that this machine's key has signed or, without a key, one that this process has found. What another process has
// recorded without a signature does not count: an agent can write to where it is recorded.
func (j *Judge) Recheck(ctx context.Context, target, tip, merge string) error {
	base, err := j.Base(ctx)
	if err != nil {
		return err
	}
	// Decisions of people on top change nothing that criteria check.
	judged, err := j.Guard.UnderDecisions(ctx, tip)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("%q has moved since", j.Job.Target)
	// A target that has moved makes another tree, which no result is about.
	if base == target {
		if why, err = j.whyRecheck(ctx, judged, merge); why == "" || err != nil {
			return err
		}
	}
	err = j.judgeMerged(ctx, tip, merge, ": "+why)
	if _, unmet := errors.AsType[*journal.Failure](err); err == nil || unmet && j.merged.unmet != nil {
		j.Report = j.merged.report
	}
	if err != nil {
		return err
	}
	return j.CheckUnmoved(ctx, tip)
}

// onMerged is what the criteria of the run have given on a merged tree.
type onMerged struct {
	report criteria.Report
	lent   lent
	unmet  *journal.Failure // why the spec may not land with that, nil if it may
}

// judgeMerged checks the criteria in a clean worktree of a merge commit, unless it has already checked the same ones on the
// same tree. more says why, or behind which others. The caller uses the result only if it lands this tree.
func (j *Judge) judgeMerged(ctx context.Context, tip, merge, more string) error {
	at, err := j.Repo.ReadCommit(ctx, merge)
	if err != nil {
		return err
	}
	now, err := j.SpecAt(ctx, merge)
	if err != nil {
		return err
	}
	start, err := j.trustedSpec(ctx, now)
	if err != nil {
		return err
	}
	plan := criteria.PlanFor(start, now, j.Settings.Verify)
	digest, err := plan.Digest()
	if err != nil {
		return err
	}
	j.merged = onMerged{}
	key := at.Tree + " " + tip + " " + digest
	found, ok := j.known[key]
	if ok {
		lentNow, err := j.Guard.Lent(ctx)
		if err != nil {
			return err
		}
		ok = maps.Equal(found.lent, lentNow)
	}
	if !ok {
		known, err := j.unaffected(ctx, plan, tip, at)
		if err != nil {
			return err
		}
		j.announceMerged(plan, known, more)
		if found, err = j.judgeInMerged(ctx, merge, start, now, known); err != nil {
			return err
		}
		if j.known == nil {
			j.known = map[string]onMerged{}
		}
		// A command that ran out of time may have had too little of the machine, while others were checked.
		if j.known[key] = found; found.unmet != nil && slices.ContainsFunc(found.report.Criteria, criteria.Verdict.TimedOut) {
			delete(j.known, key)
		}
	}
	j.merged = found
	if j.merged.unmet != nil {
		return j.merged.unmet
	}
	return nil
}

// judgeInMerged is judgeMerged without memory. known are the verdicts that count there without running their commands.
func (j *Judge) judgeInMerged(ctx context.Context, merge string, start, now *spec.File, known []criteria.Verdict) (found onMerged, err error) {
	plan := criteria.PlanFor(start, now, j.Settings.Verify)
	// Read before the criteria run, which execute code of the agent.
	before, err := j.Guard.ReadSurroundings(ctx)
	if err != nil {
		return found, err
	}
	// Not those of before, of which what criteria cannot reach is left out.
	if found.lent, err = j.Guard.Lent(ctx); err != nil {
		return found, err
	}
	runs := plan.Without(known).Runs() || j.hasHeldOut(start.ID)
	err = j.Places.InPlace(ctx, merge, runs, func(place tree.Place) error {
		report, err := j.judgeOthers(ctx, place, start, now, known)
		if err == nil {
			err = j.prove(ctx, plan, merge, &report)
		}
		if err != nil {
			return err
		}
		// It was measured on the branch, and says so.
		report.Strength = j.Report.Strength
		found.report = report
		if f, unmet := errors.AsType[*journal.Failure](j.MayComplete(report)); unmet {
			// Each side holds by itself, so only the merge is to blame, and the agent is not asked again.
			f.Kind, f.Message, f.Next = spec.ReasonMergedTree, "on the merged tree "+f.Message, j.WayOut()
			found.unmet = f
			return nil
		}
		return j.Places.CheckUntouched(ctx, place)
	})
	if err != nil {
		// What ran has run, also if it was stopped since another branch has landed.
		return found, errors.Join(j.Places.KeepChanged(err), j.Guard.CheckAfterCriteria(context.WithoutCancel(ctx), before))
	}
	return found, j.Guard.CheckAfterCriteria(ctx, before)
}

// whyRecheck returns why the criteria must run again although the target has not moved, "" if there is a result for the
// commit. A signed result becomes that of this process.
func (j *Judge) whyRecheck(ctx context.Context, judged, merge string) (string, error) {
	found, why, err := j.believed(ctx, judged, merge)
	if why == "" && err == nil {
		j.Report, j.judged = found.Report, judged
	}
	return why, err
}

// believed returns the result for a commit that counts for the merge, or why there is none.
func (j *Judge) believed(ctx context.Context, judged, merge string) (criteria.Note, string, error) {
	own, err := keyfile.Load(j.Environ)
	switch {
	case err != nil:
		return criteria.Note{}, "", err
	case own != nil:
		return j.signedResult(ctx, own.Public, judged, merge)
	// Without a key, an agent could have written the evidence, so only this process is believed.
	case j.judged == judged:
		return criteria.Note{Report: j.Report}, "", nil
	}
	return criteria.Note{}, "another process ran them for this commit", nil
}

// signedResult returns the result for a commit that this machine's key has signed, or why there is none that counts for
// the merge.
func (j *Judge) signedResult(ctx context.Context, key attest.Key, judged, merge string) (criteria.Note, string, error) {
	none := criteria.Note{}
	text, err := j.Repo.ReadNote(ctx, attempt.NotesRef, judged)
	if errors.Is(err, gitops.ErrNotFound) {
		return none, "there is no evidence for this commit", nil
	}
	if err != nil {
		return none, "", err
	}
	at, err := j.Repo.ReadCommit(ctx, judged)
	if err != nil {
		return none, "", err
	}
	note, err := criteria.ReadNote(text)
	if err != nil || note.Attestation == nil {
		return none, "the evidence for this commit is not signed", nil //nolint:nilerr // evidence that cannot be read does not count
	}
	// The note could be copied from another commit, so the signature must be about this one.
	sig := note.Attestation.Check(ctx, at.Hash, at.Tree, []attest.Trusted{{Name: "this machine", Key: key}})
	if sig.State != attest.Signed {
		return none, fmt.Sprintf("the evidence for this commit is not signed by this machine's key (%s)", sig), nil
	}
	counts, err := j.countsFor(ctx, note.Report, at.Tree, merge)
	if err != nil || counts {
		return note, "", err
	}
	return none, "the signed evidence for this commit is about other criteria or another tree", nil
}

// countsFor reports whether a result is about this spec, its criteria as they count for the merge, and a tree that
// differs from that of the judged commit in nothing but the spec itself, and whether the spec may complete with it.
func (j *Judge) countsFor(ctx context.Context, report criteria.Report, tree, merge string) (bool, error) {
	now, err := j.SpecAt(ctx, merge)
	if err != nil {
		return false, err
	}
	start, err := j.trustedSpec(ctx, now)
	if err != nil {
		return false, err
	}
	plan, err := criteria.PlanFor(start, now, j.Settings.Verify).Digest()
	// The criteria may have changed since, on the target or by an edit.
	if err != nil || report.SpecID != j.Job.ID || report.Plan != plan || j.MayComplete(report) != nil {
		return false, err
	}
	held, err := j.readHeldOut(j.Job.ID)
	if err != nil || held != nil && held.Digest != report.HeldOut || held == nil && report.HeldOut != "" {
		return false, err
	}
	// Complete and decision commits change only the spec, which criteria do not run.
	diff, err := j.Repo.Diff(ctx, report.Tree, tree)
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	own := store.SpecPath(j.Job.ID)
	return !slices.ContainsFunc(diff, func(c gitops.Change) bool { return c.Path != own }), err
}

// Attest stores a report with a commit that was made outside the run; "" means that nothing was committed, and stores
// nothing.
func (j *Judge) Attest(ctx context.Context, report criteria.Report, commit string) error {
	if commit == "" {
		return nil
	}
	return j.note(ctx, report, commit)
}

// baseStep is what helps if everything that failed fails without the work, too: no agent of the spec is to blame. It is the
// zero step if another attempt can help.
func baseStep(verdicts []criteria.Verdict) next.Step {
	if !criteria.BaseIsBroken(verdicts) {
		return next.Step{}
	}
	// A folder to link, or a set-up command, may be missing.
	if slices.ContainsFunc(verdicts, criteria.LacksParts) {
		return next.EditFile(store.ConfigPath)
	}
	at := slices.IndexFunc(verdicts, func(v criteria.Verdict) bool { return !v.Holds })
	if ev := verdicts[at].Evidence; len(ev) > 0 {
		return next.Add.On("Make this pass: " + ev[len(ev)-1].Command)
	}
	return next.Step{}
}

// Note stores the run's report as a git note on the commit that it is about, signed if this machine has a key.
func (j *Judge) Note(ctx context.Context, commit string) error { return j.note(ctx, j.Report, commit) }

func (j *Judge) note(ctx context.Context, report criteria.Report, commit string) error {
	// A driver is judged by its own file and has no trusted one.
	if j.Journal.History().Trusted == nil {
		return j.NoteOf(ctx, report, commit, journal.Trusted{}, nil)
	}
	start, err := j.Trusted(ctx)
	if err != nil {
		return err
	}
	if report.Programs, err = j.programs(ctx); err != nil {
		return err
	}
	if err := j.addWeakened(ctx, &report); err != nil {
		return err
	}
	return j.NoteOf(ctx, report, commit, *j.Journal.History().Trusted, start)
}

// addWeakened adds to a report which checks the branch weakens.
func (j *Judge) addWeakened(ctx context.Context, report *criteria.Report) error {
	found, err := j.Guard.Weakened(ctx)
	report.Weakened, report.Uncompared = found.Findings, found.Cut
	return err
}

// programs lists the files that the run's branch changes and that other programs run or trust.
func (j *Judge) programs(ctx context.Context) ([]string, error) {
	base, err := j.Base(ctx)
	if err != nil {
		return nil, err
	}
	return touched.Commits{Repo: j.Repo, Store: j.Store}.Programs(ctx, base, "refs/heads/"+j.Job.Branch)
}

// NoteOf stores the evidence of a spec as a git note on a commit. from says where the criteria that count are, and start
// is the spec that has them, nil for those of the commit.
func (j *Judge) NoteOf(ctx context.Context, report criteria.Report, commit string, from journal.Trusted, start *spec.File) error {
	at, err := j.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	about := criteria.Circumstances{
		Commit: at.Hash, Tree: at.Tree, Start: from.Commit, SpecPath: store.SpecPath(report.SpecID),
		Git: j.Repo.GitVersion(), Chant: j.Version, Outside: j.Guard.Outside,
	}
	if state := j.Sandbox().State(); state.InForce {
		about.Sandbox, about.Network = state.By, state.Network
	}
	if about.Sandbox != "" {
		about.Caches = string(j.Sandbox().Settings.Caches)
	}
	if start != nil {
		sum := sha256.Sum256(start.Doc.Bytes())
		about.SpecHash = hex.EncodeToString(sum[:])
	}
	text, err := report.Attest(ctx, about, j.signer())
	if err != nil {
		return err
	}
	return j.Repo.AddNote(ctx, attempt.NotesRef, at.Hash, text)
}

// signer returns what signs with this machine's key, nil without a key. It reports a key that cannot sign: the evidence
// then is unsigned, which every check of it shows.
func (j *Judge) signer() attest.Signer {
	own, err := keyfile.Load(j.Environ)
	if own == nil && err == nil {
		return nil
	}
	if err == nil {
		var s attest.Signer
		if s, err = own.Signer(); err == nil {
			return s
		}
	}
	j.Announce(journal.Complete, "warning", "the evidence is UNSIGNED: %s", err)
	return nil
}
