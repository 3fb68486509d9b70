package assist

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run"

	"chant/engine/run/launch"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/schema"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/gitops/rootdir"
	"chant/providers"
	"chant/providers/cli"
)

// asker asks the project's agent.
type asker struct {
	p        *engine.Project
	provider providers.Provider
}

// newAsker returns what asks the project's agent. Its error says why no agent can be asked.
func newAsker(p *engine.Project) (*asker, error) {
	name := p.Config.Defaults.Provider
	if name == cli.ShellName {
		return nil, errors.New("the project's provider is the shell, which answers no questions")
	}
	// Agents that start agents would have no end.
	if id, err := engine.RunAbove(p); err != nil || id != "" {
		return nil, errors.Join(err, errors.New("an agent at work starts no other agents"))
	}
	provider, err := usage.Provider(p, name)
	return &asker{p: p, provider: provider}, err
}

// ask asks a question, and reads the answer, JSON of this form, into answer. doing is for progress.
func (a *asker) ask(ctx context.Context, doing, question, form string, limit time.Duration, answer any) error {
	compiled, err := schema.Compile("answer", []byte(form))
	if err != nil {
		// It cannot fail: forms are constants.
		return err
	}
	text, err := a.inSlot(ctx, func(slot, folder string) (string, error) {
		r, err := a.run(slot, limit)
		if err != nil {
			return "", err
		}
		return r.Launcher.AskAlone(ctx, folder, launch.Question{
			Who: "the agent", Doing: doing, Prompt: question,
			Form: "\n## Your answer\n\nEnd with one JSON value in a fence marked json that fits this schema:\n\n" + spec.Fenced("json", form) + "\n",
		})
	})
	if err != nil {
		return err
	}
	src, ok := schema.Find(text)
	if !ok {
		return errors.New("the agent's answer holds no JSON")
	}
	if problems := compiled.Check(src); len(problems) > 0 {
		return fmt.Errorf("the agent's answer has another form: %s", schema.Spell(problems))
	}
	return json.Unmarshal(src, answer)
}

// run returns a run that only asks, within the limits of the settings.
func (a *asker) run(slot string, limit time.Duration) (*run.Run, error) {
	// Every question has a mark of its own, by which its processes are found after a kill.
	id, err := run.RunID(a.p)
	if err != nil {
		return nil, err
	}
	c := a.p.Config
	job := journal.Job{ID: slot, Title: "a question about code", RunID: id, Provider: c.Defaults.Provider, Model: c.Defaults.Model}
	p := a.quiet()
	set := run.SettingsOf(p)
	if set.Timeout <= 0 || set.Timeout > limit {
		set.Timeout = limit
	}
	r := run.NewRun(p, run.Plan{Job: job, Settings: set}, &journal.History{})
	r.Launcher.Provider = a.provider
	return r, usage.NewBudget(a.p).LimitQuestion(r, &spec.Spec{})
}

// quiet is the project without what the agent prints in its progress: of a search, people want to see the results.
func (a *asker) quiet() *engine.Project {
	p := *a.p
	if report := p.Progress; report != nil {
		p.Progress = func(ev engine.Event) {
			if ev.Kind == "step" || ev.Kind == "warning" {
				report(ev)
			}
		}
	}
	return &p
}

// slots is how many agents of a repository may be asked about code at once; others wait.
const slots = 8

// inSlot calls ask with the name of a free slot and an empty folder, which it removes afterwards.
func (a *asker) inSlot(ctx context.Context, ask func(slot, folder string) (string, error)) (_ string, err error) {
	slot, lock, err := a.takeSlot(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	// A killed process may have left an agent in this slot.
	if err := sandbox.StopAsked(ctx, a.p.Store, slot); err != nil {
		return "", err
	}
	parent, _, err := sandbox.ChooseDir(sandbox.CheckDirs(a.p.Repo, a.p.Environ))
	if err != nil {
		return "", err
	}
	folder := filepath.Join(parent, slot)
	// A folder of a killed process could hold files that the agent would read as data.
	if err := errors.Join(rootdir.Remove(folder), os.MkdirAll(folder, 0o700)); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, rootdir.Remove(folder)) }()
	return ask(slot, folder)
}

// takeSlot takes a free slot, or waits for the last one.
func (a *asker) takeSlot(ctx context.Context) (slot string, lock *lockfile.Lock, err error) {
	for n := range slots {
		slot = fmt.Sprintf(".code-%d", n)
		path, err := a.p.Store.Local(local.Locks, slot+".lock")
		if err != nil {
			return "", nil, err
		}
		// Only the last slot is waited for, so that processes wait in one line.
		if n < slots-1 {
			lock, err = lockfile.Acquire(path, "ask about code")
		} else {
			lock, err = lockfile.AcquireWait(ctx, path, "ask about code")
		}
		if _, held := errors.AsType[*lockfile.HeldError](err); !held || ctx.Err() != nil {
			return slot, lock, err
		}
	}
	return "", nil, errors.New("no slot is free")
}

// errorText returns the message of an error in one line, without its next step.
func errorText(err error) string {
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return oneLine(e.Message)
	}
	return oneLine(strings.TrimSpace(err.Error()))
}
