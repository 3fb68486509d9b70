package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/markdown"
)

// NotesRef is where the evidence of a commit lies as a git note.
const NotesRef = "refs/notes/chant"

// verify runs the criteria of the start commit in the run's tree.
func (r *Run) verify(ctx context.Context) (any, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return nil, err
	}
	verdicts, err := r.check(ctx, r.Tree, now)
	if err == nil {
		err = r.undisturbed(ctx, tip)
	}
	if err != nil {
		return nil, err
	}
	r.Verdicts = verdicts
	if err := r.logLine(spell(verdicts)); err != nil {
		return nil, err
	}
	if !verify.Holds(verdicts) && r.asked {
		return nil, Unmet(verdicts)
	}
	if !verify.Holds(verdicts) {
		if err := r.record(Verify, Done, verdicts); err != nil { // the evidence of a failure is evidence too
			return nil, err
		}
		return nil, Unmet(verdicts)
	}
	return verdicts, nil
}

// undisturbed checks that running the criteria has made no commit and has changed
// no tracked file: what was judged is what will land.
func (r *Run) undisturbed(ctx context.Context, tip string) error {
	now, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	if now != tip {
		return tampered([]string{fmt.Sprintf("branch %s moved from %s to %s while the criteria ran", r.Job.Branch, short(tip), short(now))})
	}
	changes, err := r.Repo.Status(ctx, r.Tree)
	if err != nil {
		return err
	}
	var changed []string
	for _, c := range changes {
		switch {
		case c.Code == "??": // what a build leaves behind
		case c.Path == store.SpecPath(r.Job.ID):
			return tampered([]string{"the spec file was changed while the criteria ran"})
		default:
			changed = append(changed, c.Path)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return &Failure{
		Kind: Unverified, Details: changed,
		Message: "the criteria changed tracked files, so they did not judge what is committed: " + strings.Join(changed, ", "),
	}
}

// check judges in a tree the trusted criteria and those that came since, with the
// boxes as now has them.
func (r *Run) check(ctx context.Context, tree string, now *spec.Spec) ([]verify.Verdict, error) {
	start, err := r.trusted(ctx)
	if err != nil {
		return nil, err
	}
	if r.Job.Silent {
		found := spec.Tampering(spec.Criteria(start.Doc), spec.Criteria(now.Doc))
		if !sameApproval(start.Fields.Approval, now.Fields.Approval) {
			found = append(found, "the approval in the spec was changed")
		}
		if err := tampered(found); err != nil && !r.Accepted {
			return nil, err
		}
	}
	return r.judge(ctx, tree, start, now)
}

func (r *Run) judge(ctx context.Context, tree string, start, now *spec.Spec) ([]verify.Verdict, error) {
	present := spec.Criteria(now.Doc)
	return verify.Check(ctx, spec.Join(spec.Criteria(start.Doc), present), present, verify.Settings{
		Dir: tree, Env: r.commandEnv(tree), Timeout: r.Settings.Check, RunID: r.Job.RunID,
		Command: func(line string) { r.emit(Verify, "command", "%s", line) },
	})
}

// CheckHere judges the criteria of s in a tree as it stands; those of the start
// commit where a run has one.
func (r *Run) CheckHere(ctx context.Context, tree string, s *spec.Spec) ([]verify.Verdict, error) {
	start := s
	if r.History.Trusted != nil {
		var err error
		if start, err = r.trusted(ctx); err != nil {
			return nil, err
		}
	}
	var verdicts []verify.Verdict
	err := r.withPorts(func() (err error) {
		verdicts, err = r.judge(ctx, tree, start, s)
		return err
	})
	return verdicts, err
}

// CheckAt is CheckHere in a clean worktree of a commit, made for the purpose and
// removed again. Without commands to run none is made.
func (r *Run) CheckAt(ctx context.Context, commit string, s *spec.Spec) (verdicts []verify.Verdict, err error) {
	if !slices.ContainsFunc(spec.Criteria(s.Doc), spec.Criterion.Runs) && r.History.Trusted == nil {
		return r.CheckHere(ctx, "", s)
	}
	err = r.InTree(ctx, commit, func(tree string) error {
		verdicts, err = r.CheckHere(ctx, tree, s)
		return err
	})
	return verdicts, err
}

// Unmet is the failure of verdicts of which at least one does not hold.
func Unmet(verdicts []verify.Verdict) *Failure {
	f := &Failure{Kind: Unverified}
	for _, v := range verdicts {
		if !v.Holds {
			f.Details = append(f.Details, fmt.Sprintf("criterion %d: %s (%s)", v.Number, v.Text, v.Why))
		}
	}
	shown, more := f.Details, ""
	if len(shown) > maxNamed {
		shown, more = shown[:maxNamed], fmt.Sprintf("; and %d more", len(shown)-maxNamed)
	}
	f.Message = fmt.Sprintf("%d of %d "+NotHolding+": %s%s", len(f.Details), len(verdicts), strings.Join(shown, "; "), more)
	return f
}

// maxNamed bounds how many criteria a message names; the details have all.
const maxNamed = 10

func spell(verdicts []verify.Verdict) string {
	out := fmt.Sprintf("criteria: %d", len(verdicts))
	for _, v := range verdicts {
		mark := "holds"
		if !v.Holds {
			mark = "does not hold, " + v.Why
		}
		out += fmt.Sprintf("\n%d. %s: %s", v.Number, v.Text, mark)
		for _, e := range v.Evidence {
			out += strings.TrimRight(fmt.Sprintf("\n   $ %s (exit %d, %.1f s)\n%s", e.Command, e.ExitCode, e.Seconds, e.Tail), "\n")
		}
	}
	return out
}

// complete commits the final front matter on the branch and its evidence as a
// note on that commit.
func (r *Run) complete(ctx context.Context) (any, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return nil, err
	}
	commits, err := r.agentCommits(ctx, tip)
	if err != nil {
		return nil, err
	}
	out, err := r.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, Event: spec.Complete, Attempt: r.Job.Attempt, Force: UnderWay(),
		Edits: r.FinalFields(commits, r.Verdicts),
		Edit:  r.Final,
	})
	if err != nil {
		return nil, err
	}
	r.Commit = cmp.Or(out.Commit, tip) // silent, or completed to the letter already
	return r.Commit, r.note(ctx, r.Commit)
}

// Final makes the further changes of a spec that completes, and lets the boxes of
// criteria with commands follow their results.
func (r *Run) Final(doc *markdown.Document) (*markdown.Document, error) {
	if r.Also != nil {
		var err error
		if doc, err = r.Also(doc); err != nil {
			return nil, err
		}
	}
	return spec.Check(doc, verify.Boxes(r.Verdicts))
}

// FinalFields is the front matter of a completed spec.
func (r *Run) FinalFields(commits []string, verdicts []verify.Verdict) []markdown.Edit {
	shorts := make([]string, len(commits))
	for i, c := range commits {
		shorts[i] = short(c)
	}
	now := r.Now().UTC().Format(time.RFC3339)
	edits := []markdown.Edit{markdown.Set("completed_at", now), markdown.Unset("reason"), markdown.Unset(retryKey)}
	if len(shorts) > 0 {
		edits = append(edits, markdown.Set("commits", shorts))
	}
	if r.Agent != nil && r.Agent.Model != "" {
		edits = append(edits, markdown.Set("model", r.Agent.Model))
	}
	if len(verdicts) > 0 {
		edits = append(edits, markdown.Set("last_verified", now), markdown.Set("verification_status", "passed"))
	}
	return append(edits, markdown.Unset("verification_failures"))
}

// note keeps the evidence with the commit it speaks of.
func (r *Run) note(ctx context.Context, commit string) error {
	info, err := r.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(verify.Report{
		SpecID: r.Job.ID, Commit: commit, Tree: info.Tree, At: r.Now().UTC(), Verified: true, Criteria: r.Verdicts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.Repo.AddNote(ctx, NotesRef, commit, append(text, '\n'))
}
