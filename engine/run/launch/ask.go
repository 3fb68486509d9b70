package launch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/question"
	"chant/engine/prompt"
	"chant/engine/run/tree"
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
func (l *Launcher) Ask(ctx context.Context, at tree.Place, s *spec.File, q Question) (string, error) {
	// The criteria may have built files, which the agent is not to blame for.
	before, err := l.Places.ChangedIn(ctx, at, true)
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
func (l *Launcher) askOnce(ctx context.Context, at tree.Place, s *spec.File, q Question) (string, error) {
	rules, err := l.Briefing.quoteRules(s)
	if err != nil {
		return "", err
	}
	values := l.questionValues(at, s)
	maps.Copy(values, q.Values)
	text := prompt.Fill(q.Prompt, values) + rules + q.Form
	return l.runQuestion(ctx, questionRun{dir: at.Dir, about: s.ID, title: s.Title, text: text}, q)
}

// AskAlone has the run's agent answer a question that needs nothing but its prompt, in an empty folder outside of the
// repository, which the caller removes. The prompt is sent as it is. Errors are those of Ask.
func (l *Launcher) AskAlone(ctx context.Context, folder string, q Question) (string, error) {
	return l.runQuestion(ctx, questionRun{dir: folder, title: l.Job.Title, text: q.Prompt + q.Form}, q)
}

// questionRun is where and how a question is put to an agent.
type questionRun struct {
	dir   string // the folder of the agent
	about string // the id of a spec; "" for none
	title string
	text  string // the prompt
}

// runQuestion runs the agent and removes the files that were written for it.
func (l *Launcher) runQuestion(ctx context.Context, as questionRun, q Question) (_ string, err error) {
	name := local.AskCache + l.Job.ID
	defer func() { err = errors.Join(err, l.Store.ClearCache(name)) }()
	state, err := l.Store.CacheDir(name)
	if err != nil {
		return "", err
	}
	// Secrets are removed before an agent reads the text.
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
	asker, limits := l.questionLauncher(as.about), l.limits()
	var met LimitMet // the first one, which stops the agent
	// The first limit stops the agent; later calls may name another.
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
			told = errors.Join(told, asker.recordUse(ev))
			kind, _, text := l.describe(ev)
			l.Announce(journal.Agent, kind, "%s", text)
		},
	})
	if err == nil {
		err = errors.Join(told, asker.closeSession(asker.report(out)))
	}
	// After a stop there is no answer, even if the agent has printed one.
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

// questionValues returns the values for a question about a spec: its worktree is the place, and it uses nothing of an
// attempt.
func (l *Launcher) questionValues(at tree.Place, s *spec.File) map[string]string {
	job := l.Job
	job.ID = s.ID
	asker := &Briefing{Attempt: l.ForJob(job, &journal.History{}), Code: l.Briefing.Code}
	return asker.Values(s, Site{Tree: at.Dir})
}

// The kinds of progress about questions.
const (
	askedKind     = "question"
	answeredKind  = "answered"
	withdrawnKind = "withdrawn"
)

// listener announces the questions that the agent at work asks, and what becomes of them.
type listener struct {
	*Launcher
	box  question.Box
	seen map[int]question.State
	err  error // the first one; used when the listener has ended
}

// listen begins to announce questions. What is announced takes turns with the agent's output. stop announces what is
// left and returns the first error.
func (l *Launcher) listen(ctx context.Context) (stop func() error) {
	on := &listener{Launcher: l, box: question.OpenBox(l.Store.Files, l.Now), seen: map[int]question.State{}}
	if all, err := on.box.List(on.place()); err == nil {
		for _, q := range all {
			// An open one is announced again, because its first event may have been missed.
			if q.State != question.Open {
				on.seen[q.Number] = q.State
			}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	changed, done, err := on.box.Changes(ctx)
	if err != nil {
		cancel()
		return func() error { return err }
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// A question may have come between the first list and the start of watching.
		on.announceChanges()
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				on.announceChanges()
			}
		}
	}()
	return func() error {
		cancel()
		// The watcher first, so that no change is announced after the last look.
		<-done
		<-ended
		// An answer that came just before the end is still announced.
		on.announceChanges()
		return on.err
	}
}

func (on *listener) place() question.Place { return question.OfSpec(on.Job.ID) }

// announceChanges announces what has changed since the last look.
func (on *listener) announceChanges() {
	all, err := on.box.List(on.place())
	if err != nil {
		on.fail(err)
		return
	}
	on.turn.Lock()
	defer on.turn.Unlock()
	for _, q := range all {
		was, known := on.seen[q.Number]
		if known && was == q.State {
			continue
		}
		on.seen[q.Number] = q.State
		on.announce(q)
	}
}

func (on *listener) fail(err error) {
	if on.err == nil {
		on.err = err
	}
}

// announce reports a question and writes it to the log.
func (on *listener) announce(q question.Question) {
	kind, text := askedKind, q.Prompt
	switch q.State {
	case question.Answered:
		kind, text = answeredKind, q.Answer
	case question.Withdrawn:
		kind, text = withdrawnKind, q.Why
	case question.Open:
	}
	if on.Emit != nil {
		on.Emit(journal.Event{Time: on.Now(), ID: on.Job.ID, Step: journal.Agent, Kind: kind, Text: text, Question: q.Number})
	}
	if err := on.Log.Line(fmt.Sprintf("%s %d: %s", kind, q.Number, text)); err != nil {
		on.fail(err)
	}
}

// AskJudge has the run's agent judge the criteria that only boxes decide in a report, in the place that the report is
// about, with this prompt. Errors are those of Ask.
func (l *Launcher) AskJudge(ctx context.Context, at tree.Place, s *spec.File, report criteria.Report, question string) (criteria.Report, error) {
	claimed := map[string]bool{}
	for _, v := range report.Criteria {
		claimed[v.ID] = v.How == criteria.ByBox
	}
	// Commands have decided the others, and a judge must not overrule them.
	open := slices.DeleteFunc(s.Criteria(), func(c spec.Criterion) bool { return !claimed[c.ID] })
	if len(open) == 0 {
		return report, nil
	}
	again := next.Verify.On(s.ID).Set("provider", l.Job.Provider)
	text, err := l.Ask(ctx, at, s, Question{
		Who: "the judge", Doing: fmt.Sprintf("judges %d criteria", len(open)),
		Prompt: question, Values: map[string]string{"judge.criteria": criteria.ToJudge(open)}, Form: criteria.AnswerForm, Again: again,
	})
	if err != nil {
		return report, err
	}
	said, err := opinionsOf(text, open)
	if err != nil {
		return report, &journal.Failure{Kind: spec.ReasonAgent, Next: again, Message: fmt.Sprintf("the judge gave no verdict: %s", err)}
	}
	report.Criteria = criteria.Apply(report.Criteria, said)
	report.Verified = criteria.Holds(report.Criteria)
	return report, nil
}

func opinionsOf(text string, open []spec.Criterion) (map[string]criteria.Judged, error) {
	ids := make([]string, len(open))
	for i, c := range open {
		ids[i] = c.ID
	}
	return criteria.ParseVerdicts(text, ids)
}
