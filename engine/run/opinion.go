package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/verify"
	"chant/providers"
)

// AskJudge has the run's agent judge what in a report only boxes speak for, in the place
// that the report is about. The agent is told to change nothing and gets no tool for it
// where its CLI can be held to that; one that has changed something all the same is not
// believed. Errors: *Failure, the context's, or that of whatever broke.
func (r *Run) AskJudge(ctx context.Context, at Place, s *spec.Spec, report verify.Report) (verify.Report, error) {
	claimed := map[string]bool{}
	for _, v := range report.Criteria {
		claimed[v.ID] = v.How == verify.ByBox
	}
	open := slices.DeleteFunc(spec.Criteria(s.Doc), func(c spec.Criterion) bool { return !claimed[c.ID] })
	if len(open) == 0 {
		return report, nil
	}
	before, err := r.changedIn(ctx, at, true) // what the criteria have built
	if err != nil {
		return report, err
	}
	text, err := r.askOnce(ctx, at, s, open)
	if err != nil {
		return report, err
	}
	after, err := r.changedIn(ctx, at, true)
	if err != nil {
		return report, err
	}
	if changed := slices.DeleteFunc(after, func(what string) bool { return slices.Contains(before, what) }); len(changed) > 0 {
		return report, &Failure{Kind: AgentFailed, Details: changed, Message: "the judge changed what it should judge: " + strings.Join(changed, ", ")}
	}
	said, err := opinionsOf(text, open)
	if err != nil {
		return report, err
	}
	report.Criteria = verify.Apply(report.Criteria, said)
	report.Verified = verify.Holds(report.Criteria)
	return report, nil
}

// askOnce runs the agent, and returns its final text.
func (r *Run) askOnce(ctx context.Context, at Place, s *spec.Spec, open []spec.Criterion) (string, error) {
	name := judgeCache + r.Job.ID
	state, err := r.Store.CacheDir(name)
	if err != nil {
		return "", err
	}
	prompt, err := r.Store.WriteCache(name, "prompt.md", []byte(verify.JudgePrompt(open, string(s.Doc.Body()))))
	if err != nil {
		return "", errors.Join(err, r.Store.ClearCache(name))
	}
	in := r.invocation(state, at.Dir)
	in.PromptFile, in.ReadOnly = prompt, true
	launch, err := r.prepare(in)
	if err != nil {
		return "", errors.Join(err, r.Store.ClearCache(name))
	}
	r.emit(Verify, "step", "%s judges %d criteria", r.Job.Provider, len(open))
	out, err := providers.Run(ctx, launch, providers.Limits{Timeout: r.Settings.Timeout, Silence: r.Settings.Silence}, providers.Watch{
		Event: func(ev providers.Event) { r.emit(Verify, string(ev.Kind), "%s", ev.Text) },
	})
	if err = errors.Join(err, ctx.Err(), r.Store.ClearCache(name)); err != nil {
		return "", err
	}
	if !out.OK {
		return "", &Failure{Kind: AgentFailed, Message: "the judge failed: " + out.Reason}
	}
	return out.Text, nil
}

// judgeCache begins the name of a judge's files, which no spec can have.
const judgeCache = ".judge-"

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
