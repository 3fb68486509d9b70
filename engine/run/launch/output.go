package launch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/schema"
	"chant/engine/store"
	"chant/gitops"
)

// badOutput begins the message about output that does not match its schema.
const badOutput = "the agent's output does not fit"

// outputForm is the schema of an agent's final output, as it was when the run started.
type outputForm struct {
	path   string
	text   []byte
	schema *schema.Schema
}

// formOf reads the schema that a spec names from a commit, or from home if git ignores .chant and the schema is there;
// nil for a spec that names none. Errors: *Failure with what is wrong with the schema.
func (b *Briefing) formOf(ctx context.Context, s *spec.File, commit string) (*outputForm, error) {
	path := filepath.ToSlash(s.Fields.OutputSchema)
	if path == "" {
		return nil, nil
	}
	if !filepath.IsLocal(path) {
		return nil, unfit("output_schema %q leaves the repository", path)
	}
	var text []byte
	var err error
	if b.Job.Silent && strings.HasPrefix(path, store.Dir+"/") {
		text, err = b.Store.ReadTree(b.Store.Home(), path)
	} else {
		text, err = b.Repo.ReadFile(ctx, commit, path)
	}
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, unfit("output_schema %q is not in commit %s, which the run begins with", path, attempt.Short(commit))
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

// form returns the schema that counts for this run: that of its start commit, or of the commit from which it is about
// to start.
func (b *Briefing) form(ctx context.Context, s *spec.File) (*outputForm, error) {
	commit := b.Job.Base
	if t := b.Journal.History().Trusted; t != nil {
		start, err := b.Trusted(ctx)
		if err != nil {
			return nil, err
		}
		// The agent may have changed which schema its spec names.
		s = start
		if commit = t.Commit; commit == "" {
			if commit, err = b.Base(ctx); err != nil {
				return nil, err
			}
		}
	}
	return b.formOf(ctx, s, commit)
}

// CheckOutput finds the JSON in the final text of an agent and validates it. The result becomes part of the agent's
// report, and so of the journal.
func (b *Briefing) CheckOutput(ctx context.Context, s *spec.File, report *journal.AgentReport) error {
	if !report.OK {
		return nil
	}
	form, err := b.form(ctx, s)
	if err != nil || form == nil {
		return err
	}
	found, ok := schema.Find(report.Text)
	if !ok {
		report.OutputProblems = []schema.Problem{{What: "its final text holds no JSON"}}
	} else {
		report.Output, report.OutputProblems = found, form.schema.Check(found)
	}
	if len(report.OutputProblems) == 0 {
		return b.Log.Line("output: fits " + form.path)
	}
	problem := fmt.Sprintf("%s %q: %s", badOutput, form.path, schema.Spell(report.OutputProblems))
	if !b.Settings.StrictOutput {
		b.Announce(journal.Agent, "warning", "%s", problem)
	}
	return b.Log.Line("warning: " + problem)
}

// RequireOutput refuses output that does not match the schema if the project is strict about it, unless a person has
// accepted it. agent is the report of this process, nil if it has run none.
func (b *Briefing) RequireOutput(ctx context.Context, agent *journal.AgentReport) error {
	// A person who finishes the run has no agent in this process, but the journal has its report.
	if last := b.Journal.History().Last(); agent == nil && b.Asked && last != nil && !last.Gone {
		agent = last.Agent
	}
	if agent == nil || len(agent.OutputProblems) == 0 || !b.Settings.StrictOutput || b.Accepted {
		return nil
	}
	start, err := b.Trusted(ctx)
	if err != nil {
		return err
	}
	f := &journal.Failure{Kind: spec.ReasonOutput, Message: fmt.Sprintf("%s %q: %s", badOutput, start.Fields.OutputSchema, schema.Spell(agent.OutputProblems))}
	for _, p := range agent.OutputProblems {
		f.Details = append(f.Details, p.String())
	}
	return f
}

// ask describes the schema for the agent.
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
