package launch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/prompt"
	"chant/engine/run/place"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/providers"
)

// Question is what an agent is asked about a place that it must only read.
type Question struct {
	Who    string            // what messages call it: "the judge"
	Doing  string            // for progress: "judges 2 criteria"
	Prompt string            // with its variables
	Values map[string]string // of the question's own variables
	Form   string            // how to answer; follows the prompt
	Again  next.Step         // the step that asks again
}

// askChecked is the next step after an agent that ended without an answer. It leaves no log; its reason is all there
// is.
func askChecked() next.Step { return next.Config.On().Flag("validate") }

// Ask has the run's agent answer a question, and returns its final text. The prompt asks it to change nothing, and it
// gets no tool for it if its CLI supports that; the answer of an agent that has changed something is not used. Errors:
// *Failure, the context's, or that of whatever broke.
func (l *Launcher) Ask(ctx context.Context, at place.Place, s *spec.File, q Question) (string, error) {
	before, err := l.Places.ChangedIn(ctx, at, true) // what the criteria have built so far
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

// askOnce asks about a spec in a place, and does not look at what the agent has done there.
func (l *Launcher) askOnce(ctx context.Context, at place.Place, s *spec.File, q Question) (string, error) {
	values := l.asking(at, s)
	maps.Copy(values, q.Values)
	return l.put(ctx, putting{dir: at.Dir, about: s.ID, title: s.Title, text: prompt.Fill(q.Prompt, values) + q.Form}, q)
}

// AskAlone has the run's agent answer a question that needs nothing but its prompt, in an empty folder outside of the
// repository, which the caller removes. The prompt is sent as it is. Errors are those of Ask.
func (l *Launcher) AskAlone(ctx context.Context, folder string, q Question) (string, error) {
	return l.put(ctx, putting{dir: folder, title: l.Job.Title, text: q.Prompt + q.Form}, q)
}

// putting is where and how a question is put to an agent.
type putting struct {
	dir   string // the folder of the agent
	about string // the id of a spec; "" for none
	title string
	text  string // the prompt
}

// put runs the agent and removes the files that were written for it.
func (l *Launcher) put(ctx context.Context, as putting, q Question) (_ string, err error) {
	name := local.AskCache + l.Job.ID
	defer func() { err = errors.Join(err, l.Store.ClearCache(name)) }()
	state, err := l.Store.CacheDir(name)
	if err != nil {
		return "", err
	}
	file, err := l.Store.WriteCache(name, "prompt.md", []byte(l.Secrets.Text(as.text)))
	if err != nil {
		return "", err
	}
	in := l.invocation(state, as.dir)
	in.SpecID, in.Title, in.PromptFile, in.ReadOnly = as.about, as.title, file, true
	launch, bounds, err := l.prepare(in)
	if err == nil {
		err = errors.Join(bounds.Prepare(), l.Sandbox().Admit(&bounds, launch))
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, bounds.Clear()) }()
	l.Announce(journal.Agent, "step", "%s %s", l.Job.Provider, q.Doing)
	asker, limits := l.asker(as.about), l.limits()
	var met LimitMet // the first one, which stops the agent
	limits.Spend = func(s providers.Spent) string {
		now := asker.allow(s)
		if met.Why == "" {
			met = now
		}
		return now.Why
	}
	var told error
	out, err := providers.Run(ctx, launch, limits, providers.Watch{
		Started: func(p providers.Process, _ func(int) bool) { told = asker.beginSession(p) },
		Event: func(ev providers.Event) {
			told = errors.Join(told, asker.keep(ev))
			kind, _, text := l.describe(ev)
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
		return "", &journal.Failure{Kind: spec.ReasonAgent, Next: nextWithoutAnswer(as.about, out, met), Message: q.Who + " failed: " + out.Reason}
	}
	return out.Text, nil
}

// nextWithoutAnswer is the next step after an agent that gave no answer. If a limit stopped it, that is the spec whose
// limits can be raised, or the use under limits that all agents share.
func nextWithoutAnswer(id string, out providers.Outcome, met LimitMet) next.Step {
	switch {
	case id != "" && (out.TimedOut && !out.Shared || out.Overdrawn && met.OfSpec):
		return next.Edit.On(id)
	case out.TimedOut, out.Overdrawn:
		return next.Status.On().Flag("usage")
	}
	return askChecked()
}

// asking changes the run into one that asks a question about a spec: its worktree is the place, and it uses nothing of
// an attempt.
func (l *Launcher) asking(at place.Place, s *spec.File) map[string]string {
	asker := l.copied()
	asker.Tree, asker.Job.ID, asker.History = at.Dir, s.ID, &journal.History{}
	return asker.Briefing.Values(s)
}
