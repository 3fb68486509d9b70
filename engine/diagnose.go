package engine

import (
	"context"
	"fmt"
	"os"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/verify"
	"chant/gitops/lockfile"
)

// DiagnoseInput names a spec.
type DiagnoseInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// DiagnoseResult says how a spec stands and what to do next.
type DiagnoseResult struct {
	SpecID     string  `json:"spec_id"`
	Status     string  `json:"status"`
	Location   string  `json:"location"` // where the spec speaks: a branch or home
	Checks     []Probe `json:"checks"`
	Diagnosis  string  `json:"diagnosis"`
	Suggestion string  `json:"suggestion"` // one command

	Failed []FailedOutput `json:"failed_output,omitempty"` // the end of what failed in the last attempt
}

// Probe is one thing that was looked at.
type Probe struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Details string `json:"details"`
}

// Diagnose looks at a spec's file, log, lock, commits and criteria and says what
// to do next. It runs no criteria and changes nothing.
func (e *Engine) Diagnose(ctx context.Context, in DiagnoseInput) (DiagnoseResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return DiagnoseResult{}, wrap(err, in.ID)
	}
	result, err := e.diagnose(ctx, id)
	return done(result, err, id)
}

func (e *Engine) diagnose(ctx context.Context, id string) (DiagnoseResult, error) {
	r := DiagnoseResult{SpecID: id, Status: "invalid", Location: "home"}
	set, g, err := e.graph(ctx)
	if err != nil {
		return r, err
	}
	s, err := readable(set, g, id)
	if err != nil {
		r.probe("file", false, err.Error())
		r.Diagnosis, r.Suggestion = "the spec file cannot be read", "chant edit "+id
		return r, nil
	}
	r.Status = string(s.Status)
	if s.Branch != "" {
		r.Location = "branch " + s.Branch
	}
	r.probe("file", true, s.Doc.Path())
	e.probeLog(&r, id)
	holder, held := e.store.Holder(id)
	e.probeLock(&r, held, holder)
	e.probeCriteria(&r, s)
	if err := e.probeCommits(ctx, &r, s); err != nil {
		return r, err
	}
	e.probeTree(ctx, &r, s)
	l, err := e.lookAt(ctx, g, s)
	if err != nil {
		return r, err
	}
	stands := l.conclude()
	r.Diagnosis, r.Suggestion = stands.Why, stands.Next
	r.Failed = e.failedOutput(s, l.history)
	return r, nil
}

func (r *DiagnoseResult) probe(name string, passed bool, details string) {
	r.Checks = append(r.Checks, Probe{name, passed, details})
}

func (e *Engine) probeLog(r *DiagnoseResult, id string) {
	info, err := os.Stat(e.store.LogPath(id))
	if err != nil {
		r.probe("log", true, "none: not worked here yet")
		return
	}
	r.probe("log", true, fmt.Sprintf("%d bytes, last written %s ago", info.Size(), e.Now().Sub(info.ModTime()).Round(time.Second)))
}

func (e *Engine) probeLock(r *DiagnoseResult, held bool, holder lockfile.Holder) {
	if !held {
		r.probe("lock", true, "free")
		return
	}
	r.probe("lock", true, fmt.Sprintf("held by process %d on %s since %s", holder.PID, holder.Host, holder.Since.Format(time.RFC3339)))
}

func (e *Engine) probeCriteria(r *DiagnoseResult, s *spec.Spec) {
	open, runs, all := 0, 0, spec.Criteria(s.Doc)
	for _, c := range all {
		switch {
		case c.Runs():
			runs++
		case !c.Checked:
			open++
		}
	}
	if e.vacuous(s) {
		r.probe("criteria", false, string(verify.Nothing))
		return
	}
	r.probe("criteria", open == 0, fmt.Sprintf("%d in all: %d run by chant, %d with an open box", len(all), runs, open))
}

func (e *Engine) probeCommits(ctx context.Context, r *DiagnoseResult, s *spec.Spec) error {
	if s.Branch == "" {
		r.probe("commits", true, "no branch")
		return nil
	}
	target, err := e.targetFor(ctx, s)
	if err != nil {
		return err
	}
	commits, err := e.repo.Log(ctx, "refs/heads/"+target, "refs/heads/"+s.Branch)
	if err != nil {
		return err
	}
	work := 0
	for _, c := range commits {
		if !run.Bookkeeping(c) {
			work++
		}
	}
	r.probe("commits", work > 0, fmt.Sprintf("%d of work on %s", work, s.Branch))
	return nil
}

func (e *Engine) probeTree(ctx context.Context, r *DiagnoseResult, s *spec.Spec) {
	tree, err := e.treeOf(ctx, s.ID)
	if s.Branch == "" || err != nil || tree == "" {
		return
	}
	dirty, err := e.repo.Status(ctx, tree)
	if err != nil {
		r.probe("worktree", false, err.Error())
		return
	}
	r.probe("worktree", len(dirty) == 0, fmt.Sprintf("%s, %d uncommitted", tree, len(dirty)))
}
