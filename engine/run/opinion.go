package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine/spec"
	"chant/engine/verify"
	"chant/providers"
)

// Opinions asks the run's agent about criteria that have no command, in a place that it
// can read. It is told to change nothing and gets no tool for it where its CLI can be
// held to that; one that has changed something all the same is not believed. Errors:
// *Failure, the context's, or that of whatever broke.
func (r *Run) Opinions(ctx context.Context, at Place, s *spec.Spec, open []spec.Criterion) (map[string]verify.Judged, error) {
	name := judgeCache + r.Job.ID
	state, err := r.Store.CacheDir(name)
	if err != nil {
		return nil, err
	}
	prompt, err := r.Store.WriteCache(name, "prompt.md", []byte(verify.JudgePrompt(open, string(s.Doc.Body()))))
	if err != nil {
		return nil, errors.Join(err, r.Store.ClearCache(name))
	}
	launch, err := r.Provider.Prepare(providers.Invocation{
		SpecID: s.ID, Title: s.Title, Worktree: at.Dir, PromptFile: prompt, Project: r.Settings.Project, Model: r.Job.Model,
		Attempt: 1, Timeout: r.Settings.Timeout, RunID: r.Job.RunID, Home: r.Store.Home(), StateDir: state, Environ: r.Environ, ReadOnly: true,
	})
	if err != nil {
		return nil, errors.Join(err, r.Store.ClearCache(name))
	}
	r.emit(Verify, "step", "%s judges %d criteria", r.Job.Provider, len(open))
	out, err := providers.Run(ctx, launch, providers.Limits{Timeout: r.Settings.Timeout, Silence: r.Settings.Silence}, providers.Watch{
		Event: func(ev providers.Event) { r.emit(Verify, string(ev.Kind), "%s", ev.Text) },
	})
	if err = errors.Join(err, ctx.Err(), r.Store.ClearCache(name)); err != nil {
		return nil, err
	}
	if !out.OK {
		return nil, &Failure{Kind: AgentFailed, Message: "the judge failed: " + out.Reason}
	}
	if err := r.onlyRead(ctx, at); err != nil {
		return nil, err
	}
	return opinionsOf(out.Text, open)
}

// judgeCache begins the name of a judge's files, which no spec can have.
const judgeCache = ".judge-"

// onlyRead checks that a judge has left a place as it was.
func (r *Run) onlyRead(ctx context.Context, at Place) error {
	head, err := r.Repo.Head(ctx, at.Dir)
	if err != nil {
		return err
	}
	changes, err := r.Repo.Status(ctx, at.Dir)
	if err != nil || len(changes) == 0 && head.Hash == at.Commit {
		return err
	}
	names := make([]string, len(changes))
	for i, c := range changes {
		names[i] = c.Path
	}
	return &Failure{Kind: AgentFailed, Details: names, Message: "the judge changed what it should judge: " + strings.Join(names, ", ")}
}

func opinionsOf(text string, open []spec.Criterion) (map[string]verify.Judged, error) {
	ids := make([]string, len(open))
	for i, c := range open {
		ids[i] = c.ID
	}
	said, err := verify.ParseVerdicts(text, ids)
	if err != nil {
		return nil, &Failure{Kind: AgentFailed, Message: fmt.Sprintf("the judge gave no verdict: %s", err)}
	}
	return said, nil
}
