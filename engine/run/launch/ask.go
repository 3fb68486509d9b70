package launch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/next"
	"chant/engine/prompt"
	"chant/engine/run/place"
	"chant/engine/spec"
	"chant/providers"
)

// Question is what an agent is asked about a place that it may only read.
type Question struct {
	Who    string            // for people: "the judge"
	Doing  string            // for progress: "judges 2 criteria"
	Prompt string            // variables not filled in
	Values map[string]string // of variables that only this question has
	Form   string            // how to answer, behind the prompt
	Again  next.Step         // asks it again
}

// askCache begins the name of a question's files, which no spec can have.
const askCache = ".ask-"

// askChecked leads on from an agent that ended without an answer: it leaves no log, and
// its reason is all that it has said.
func askChecked() next.Step { return next.Config.On().Flag("validate") }

// Ask has the run's agent answer a question, and returns its final text. The agent is told
// to change nothing and gets no tool for it where its CLI can be held to that; one that has
// changed something all the same is not believed. Errors: *Failure, the context's, or
// that of whatever broke.
func (l *Launcher) Ask(ctx context.Context, at place.Place, s *spec.Spec, q Question) (string, error) {
	before, err := l.Places.ChangedIn(ctx, at, true) // what the criteria have built
	if err != nil {
		return "", err
	}
	text, err := l.askOnce(ctx, at, s, q)
	if err != nil {
		return "", err
	}
	after, err := l.Places.ChangedIn(ctx, at, true)
	if err != nil {
		return "", err
	}
	if changed := slices.DeleteFunc(after, func(what string) bool { return slices.Contains(before, what) }); len(changed) > 0 {
		return "", &journal.Failure{Kind: spec.ReasonAgent, Next: q.Again, Details: changed, Message: q.Who + " changed what it must only read: " + strings.Join(changed, ", ")}
	}
	return text, nil
}

// askOnce runs the agent and leaves nothing of its files behind.
func (l *Launcher) askOnce(ctx context.Context, at place.Place, s *spec.Spec, q Question) (_ string, err error) {
	name := askCache + l.Job.ID
	defer func() { err = errors.Join(err, l.Store.ClearCache(name)) }()
	state, err := l.Store.CacheDir(name)
	if err != nil {
		return "", err
	}
	values := l.asking(at, s)
	maps.Copy(values, q.Values)
	file, err := l.Store.WriteCache(name, "prompt.md", []byte(l.Secrets.Text(prompt.Fill(q.Prompt, values)+q.Form)))
	if err != nil {
		return "", err
	}
	in := l.invocation(state, at.Dir)
	in.SpecID, in.Title, in.PromptFile, in.ReadOnly = s.ID, s.Title, file, true
	launch, err := l.prepare(in)
	if err != nil {
		return "", err
	}
	l.Announce(journal.Agent, "step", "%s %s", l.Job.Provider, q.Doing)
	asker, limits := l.asker(s.ID), l.limits()
	var met LimitMet // the first, which is the one that stops the agent
	limits.Spend = func(s providers.Spent) string {
		now := asker.allow(s)
		if met.Why == "" {
			met = now
		}
		return now.Why
	}
	var told error
	out, err := providers.Run(ctx, launch, limits, providers.Watch{
		Started: func(p providers.Process) { told = asker.beginSession(p) },
		Event: func(ev providers.Event) {
			told = errors.Join(told, asker.keep(ev))
			kind, _, text := l.heard(ev)
			l.Announce(journal.Agent, kind, "%s", text)
		},
	})
	if err == nil {
		err = errors.Join(told, asker.closeSession(asker.report(out)))
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		return "", err
	}
	if !out.OK {
		return "", &journal.Failure{Kind: spec.ReasonAgent, Next: wayOn(s.ID, out, met), Message: q.Who + " failed: " + out.Reason}
	}
	return out.Text, nil
}

// wayOn leads on from an agent that gave no answer: where a limit stopped it, to the spec
// whose limits may say more, or to what those that all agents share have let them use.
func wayOn(id string, out providers.Outcome, met LimitMet) next.Step {
	switch {
	case out.TimedOut && !out.Shared, out.Overdrawn && met.OfSpec:
		return next.Edit.On(id)
	case out.TimedOut, out.Overdrawn:
		return next.Status.On().Flag("usage")
	}
	return askChecked()
}

// asking is the run as a question about a spec knows it: its tree is the place, and
// nothing lies there that belongs to an attempt.
func (l *Launcher) asking(at place.Place, s *spec.Spec) map[string]string {
	asker := l.copied()
	asker.Tree, asker.Job.ID, asker.History = at.Dir, s.ID, &journal.History{}
	return asker.Briefing.Values(s)
}
