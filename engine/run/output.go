package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chant/engine/journal"
	"chant/engine/schema"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// badOutput begins the message about output that does not fit.
const badOutput = "the agent's output does not fit"

// outputForm is the form that an agent's final output shall have: the schema as the
// run began with it.
type outputForm struct {
	path   string
	text   []byte
	schema *schema.Schema
}

// formOf reads the schema that a spec names from a commit, or from home where git
// ignores .chant and it lies there; nil for a spec that names none. Errors: *Failure,
// which says what is wrong with it.
func (r *Run) formOf(ctx context.Context, s *spec.Spec, commit string) (*outputForm, error) {
	path := filepath.ToSlash(s.Fields.OutputSchema)
	if path == "" {
		return nil, nil
	}
	if !filepath.IsLocal(path) {
		return nil, unfit("output_schema %q leaves the repository", path)
	}
	var text []byte
	var err error
	if r.Job.Silent && strings.HasPrefix(path, store.Dir+"/") {
		text, err = r.Store.ReadTree(r.Store.Home(), path)
	} else {
		text, err = r.Repo.ReadFile(ctx, commit, path)
	}
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, unfit("output_schema %q is not in commit %s, which the run begins with", path, short(commit))
	}
	if err != nil {
		return nil, unfit("output_schema %q cannot be read: %s", path, err)
	}
	form, err := schema.Compile(path, text)
	if err != nil {
		return nil, unfit("%s", err)
	}
	return &outputForm{path, text, form}, nil
}

func unfit(format string, args ...any) *journal.Failure {
	return &journal.Failure{Kind: spec.ReasonSchema, Message: fmt.Sprintf(format, args...)}
}

// form is the one that counts for this run: that of its start, or of the commit it is
// about to start from.
func (r *Run) form(ctx context.Context, s *spec.Spec) (*outputForm, error) {
	commit := r.Job.Base
	if t := r.History.Trusted; t != nil {
		start, err := r.trusted(ctx)
		if err != nil {
			return nil, err
		}
		s = start
		if commit = t.Commit; commit == "" {
			if commit, err = r.base(ctx); err != nil {
				return nil, err
			}
		}
	}
	return r.formOf(ctx, s, commit)
}

// heardOutput finds the JSON in the agent's final text and judges it. What it finds out
// stands in the agent's report, and so in the journal.
func (r *Run) heardOutput(ctx context.Context, s *spec.Spec) error {
	if !r.Agent.OK || r.catching {
		return nil
	}
	form, err := r.form(ctx, s)
	if err != nil || form == nil {
		return err
	}
	found, ok := schema.Find(r.Agent.Text)
	if !ok {
		r.Agent.OutputProblems = []schema.Problem{{What: "its final text holds no JSON"}}
	} else {
		r.Agent.Output, r.Agent.OutputProblems = found, form.schema.Check(found)
	}
	if len(r.Agent.OutputProblems) == 0 {
		return r.logLine("output: fits " + form.path)
	}
	told := fmt.Sprintf("%s %q: %s", badOutput, form.path, schema.Spell(r.Agent.OutputProblems))
	if !r.Settings.StrictOutput {
		r.emit(journal.Agent, "warning", "%s", told)
	}
	return r.logLine("warning: " + told)
}

// fitting refuses output that does not fit where the project is strict about it. What a
// person accepts is accepted with it.
func (r *Run) fitting(ctx context.Context) error {
	agent := r.Agent
	if last := r.History.Last(); agent == nil && r.asked && last != nil && !last.Gone {
		agent = last.Agent
	}
	if agent == nil || len(agent.OutputProblems) == 0 || !r.Settings.StrictOutput || r.Accepted || r.catching {
		return nil
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	f := &journal.Failure{Kind: spec.ReasonOutput, Message: fmt.Sprintf("%s %q: %s", badOutput, start.Fields.OutputSchema, schema.Spell(agent.OutputProblems))}
	for _, p := range agent.OutputProblems {
		f.Details = append(f.Details, p.String())
	}
	return f
}

// ask is what the agent is told of the form.
func (f *outputForm) ask() string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf(`
## Your final output

End your last message with one JSON value in a fence marked json that fits this JSON Schema (%s). chant checks it.

%s
`, f.path, spec.Fenced("json", strings.TrimSpace(string(f.text))))
}
