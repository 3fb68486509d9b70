package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"

	"chant/engine/store"
	"chant/text"
)

// tryLimit bounds how long Init tries the commands that every spec must pass.
const tryLimit = time.Minute

// triedID names the check in which commands are tried: no spec has this number.
const triedID = "2000-01-01-000-try"

// Tried is a command that every spec must pass, as it ended in a clean tree of what is committed.
type Tried struct {
	Command string `json:"command"`
	Passed  bool   `json:"passed"`
	Why     string `json:"why,omitempty"`
	Last    string `json:"last_line,omitempty"` // of its output
}

// packages finds out how the packages of the project come into worktrees.
func (i *initializer) packages(ctx context.Context) error {
	found, err := PackagesOf(os.DirFS(i.repo.Home()), func(paths []string) (map[string]bool, error) { return i.repo.Ignored(ctx, paths...) })
	i.link, i.setup = found.Link, found.Setup
	return err
}

// try runs the commands that every spec must pass in a clean tree of what is committed, as runs will: behind the sandbox, with
// links and set-up commands of the settings. A project whose tests fail there fails every spec. It is bounded in time, and
// whatever keeps it from an answer is reported and no more: the project is there.
func (i *initializer) try(ctx context.Context) {
	// Nothing but chant's files is committed.
	if len(i.in.Verify) == 0 && !slices.Contains(i.result.Made, store.RulesPath) || i.in.NoTry || i.result.First != "" {
		return
	}
	i.progress("step", "trying the commands that every spec must pass, for at most %s; Ctrl-C skips that", tryLimit)
	limited, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	verdicts, err := i.judge(limited)
	switch {
	// Ctrl-C ends the trial only: the project is there.
	case ctx.Err() != nil:
		err = errors.New("stopped")
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("they take more than %s", tryLimit)
	}
	if err != nil {
		i.progress("warning", "the commands that every spec must pass were not tried to the end: %s", err)
		return
	}
	for _, v := range verdicts {
		t := Tried{Command: v.Text, Passed: v.Holds, Why: v.Why}
		if n := len(v.Evidence); n > 0 {
			// The last command decided.
			t.Command = v.Evidence[n-1].Command
			if !v.Holds {
				t.Last = lastLine(v.Evidence[n-1].Tail)
			}
		}
		i.result.Tried = append(i.result.Tried, t)
		// The settings are what has to be changed, or the rules.
		file := store.ConfigPath
		if !slices.Contains(i.in.Verify, t.Command) && slices.Contains(i.result.Made, store.RulesPath) {
			file = store.RulesPath
		}
		if !v.Holds {
			i.result.Next = next.EditFile(file).Because("a command that every spec would have to pass fails already")
		}
	}
}

// judge runs the commands of the new settings on the commit that is checked out.
func (i *initializer) judge(ctx context.Context) ([]criteria.Verdict, error) {
	p, err := engine.Open(i.repo.Home(), i.Options)
	if err != nil {
		return nil, err
	}
	head, err := p.Repo.Head(ctx, engine.Home(p))
	if err != nil {
		return nil, err
	}
	// A spec without criteria of its own, so only the commands of all specs run.
	s, err := spec.Parse(triedID, store.SpecPath(triedID), []byte("---\nstatus: pending\n---\n# Try the commands\n"))
	if err != nil {
		return nil, err
	}
	id, err := run.RunID(p)
	if err != nil {
		return nil, err
	}
	report, err := run.NewQuestionRun(p, journal.Job{ID: triedID, Title: s.Title, RunID: id}, &journal.History{}).Judge.CheckAt(ctx, head.Hash, s)
	return report.Criteria, err
}

// progress reports what Init does, or a warning.
func (i *initializer) progress(kind, format string, args ...any) {
	if i.Progress != nil {
		i.Progress(journal.Event{Kind: kind, Step: journal.Verify, Text: fmt.Sprintf(format, args...)})
	}
}

// lastLine is the last line of an output that is not empty, cut to what a line of a report has room for.
func lastLine(output string) string {
	output = strings.TrimRight(output, " \r\n\t")
	return text.Clip(text.Printable(output[strings.LastIndexByte(output, '\n')+1:]), 120)
}
