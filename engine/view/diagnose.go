package view

import (
	"context"
	"fmt"
	"os"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/question"
	"chant/engine/run"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops/lockfile"
)

// DiagnoseInput names a spec.
type DiagnoseInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// DiagnoseResult says why a spec has its present state and what to do next.
type DiagnoseResult struct {
	SpecID     string    `json:"spec_id"`
	Status     string    `json:"status"`
	Location   string    `json:"location"` // of the copy of the spec that counts: a branch or home
	Checks     []Probe   `json:"checks"`
	Diagnosis  string    `json:"diagnosis"`
	Suggestion next.Step `json:"suggestion"`

	Next   next.Advice    `json:"next,omitzero"`           // the suggestion with the diagnosis as its reason
	Failed []FailedOutput `json:"failed_output,omitempty"` // the end of what failed in the last attempt
}

// Probe is the result of one check.
type Probe struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Details string `json:"details"`
}

// Diagnose checks a spec's file, log, lock, commits and worktree, and returns why it
// has its present state and what to do next. It runs no criteria and changes nothing.
func Diagnose(ctx context.Context, p *engine.Project, in DiagnoseInput) (DiagnoseResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return DiagnoseResult{}, engine.Wrap(err, in.ID)
	}
	result, err := diagnose(ctx, p, id)
	result.Next = result.Suggestion.Because("%s", result.Diagnosis)
	return engine.Done(result, err, id)
}

func diagnose(ctx context.Context, p *engine.Project, id string) (DiagnoseResult, error) {
	r := DiagnoseResult{SpecID: id, Status: invalid, Location: "home"}
	set, g, err := engine.GraphAround(ctx, p, id)
	if err != nil {
		return r, err
	}
	s, err := engine.Readable(set, g, id)
	var file *spec.File
	if err == nil {
		file, err = engine.WithText(ctx, p, s)
	}
	// A file that cannot be read is a diagnosis, not an error.
	if err != nil {
		r.probe("file", false, err.Error())
		r.Diagnosis, r.Suggestion = "the spec file cannot be read", next.Edit.On(id)
		return r, nil
	}
	r.Status = string(s.Status)
	if s.Branch != "" {
		r.Location = "branch " + s.Branch
	}
	r.probe("file", true, s.Path)
	probeLog(p, &r, id)
	holder, held := p.Store.Holder(id)
	probeLock(p, &r, held, holder)
	probeCriteria(p, &r, file)
	if err := probeCommits(ctx, p, &r, s); err != nil {
		return r, err
	}
	probeTree(ctx, p, &r, s)
	probeSandbox(p, &r)
	if err := probeQuestions(p, &r, id); err != nil {
		return r, err
	}
	l, err := advice.Gather(ctx, p, g, s)
	if err != nil {
		return r, err
	}
	conclusion := l.Conclude()
	r.Diagnosis, r.Suggestion = conclusion.Why, conclusion.Next
	// What another machine knows of the spec is newer than what this clone has.
	if there := advice.ReadElsewhere(ctx, p, s); len(there) > 0 {
		r.Status = string(there.As(s).Status)
		r.Location = "machine " + there[id].Worker
		if there[id].Worker == "" {
			r.Location = "the remote"
		}
		r.Diagnosis, r.Suggestion = there.Conclude(id)
	}
	r.Failed = failedOutput(p, s, l.History)
	return r, nil
}

func (r *DiagnoseResult) probe(name string, passed bool, details string) {
	r.Checks = append(r.Checks, Probe{name, passed, details})
}

func probeLog(p *engine.Project, r *DiagnoseResult, id string) {
	info, err := os.Stat(p.Store.LogPath(id))
	if err != nil {
		r.probe("log", true, "none: not worked here yet")
		return
	}
	r.probe("log", true, fmt.Sprintf("%d bytes, last written %s ago", info.Size(), p.Now().Sub(info.ModTime()).Round(time.Second)))
}

func probeLock(p *engine.Project, r *DiagnoseResult, held bool, holder lockfile.Holder) {
	if !held {
		r.probe("lock", true, "free")
		return
	}
	r.probe("lock", true, fmt.Sprintf("held by process %d on %s since %s", holder.PID, holder.Host, holder.Since.UTC().Format(time.RFC3339)))
}

func probeCriteria(p *engine.Project, r *DiagnoseResult, s *spec.File) {
	open, runs, failed, all := 0, 0, 0, s.Criteria()
	for _, c := range all {
		if c.Failed {
			failed++
		}
		switch {
		case c.Runs():
			runs++
		case !c.Checked:
			open++
		}
	}
	if advice.NothingToVerify(p, &s.Spec) {
		r.probe("criteria", false, string(criteria.Nothing))
		return
	}
	text := fmt.Sprintf("%d in all: %d run by chant, %d with an open box", len(all), runs, open)
	if failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	r.probe("criteria", open+failed == 0, text)
}

func probeCommits(ctx context.Context, p *engine.Project, r *DiagnoseResult, s *spec.Spec) error {
	if s.Branch == "" {
		r.probe("commits", true, "no branch")
		return nil
	}
	target, err := run.TargetFor(ctx, p, s)
	if err != nil {
		return err
	}
	commits, err := p.Repo.Log(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
	if err != nil {
		return err
	}
	work := 0
	for _, c := range commits {
		// Commits of chant itself do not show that an agent has done anything.
		if !attempt.Bookkeeping(c) {
			work++
		}
	}
	r.probe("commits", work > 0, fmt.Sprintf("%d of work on %s", work, s.Branch))
	return nil
}

// probeQuestions reports questions only if there are any.
func probeQuestions(p *engine.Project, r *DiagnoseResult, id string) error {
	all, err := questionsOf(p, id)
	if err != nil || len(all) == 0 {
		return err
	}
	open := question.WithState(all, question.Open)
	if len(open) == 0 {
		r.probe("questions", true, fmt.Sprintf("%d asked, none is open", len(all)))
		return nil
	}
	r.probe("questions", false, fmt.Sprintf("open: %d; the oldest: %s", len(open), advice.OneLine(open[0].Prompt)))
	return nil
}

// probeSandbox reports whether agents run behind a wall, and what their rules are worth without one.
func probeSandbox(p *engine.Project, r *DiagnoseResult) {
	state := p.Sandbox().State()
	if state.InForce {
		r.probe("sandbox", true, state.String())
		return
	}
	r.probe("sandbox", false, state.String()+"; what an agent may do is a guard then, not a wall: "+
		"the same rules hold, as far as chant recognises who calls it")
}

func probeTree(ctx context.Context, p *engine.Project, r *DiagnoseResult, s *spec.Spec) {
	tree, err := engine.TreeOf(ctx, p, s.ID)
	if s.Branch == "" || err != nil || tree == "" {
		return
	}
	dirty, err := p.Repo.Status(ctx, tree)
	if err != nil {
		r.probe("worktree", false, err.Error())
		return
	}
	r.probe("worktree", len(dirty) == 0, fmt.Sprintf("%s, %d uncommitted", tree, len(dirty)))
}
