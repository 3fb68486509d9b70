package planning

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/format/tracker"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/verify"
	"chant/engine/work/node/leader"

	"github.com/bmatcuk/doublestar/v4"
)

// readSource makes an idea of an issue, of the comments that ask for work, or of drift. An idea in words is added to it. It returns the
// ids of specs that the plan may change or retire.
func readSource(ctx context.Context, p *engine.Project, in *PlanInput) (mayAmend []string, err error) {
	sources := 0
	for _, given := range []bool{in.FromIssue != "", in.FromTodo != "", in.FromDrift} {
		if given {
			sources++
		}
	}
	if sources > 1 {
		return nil, engine.Fail(engine.Usage, next.Plan.Help(), "a plan begins with one of an issue, comments and drift")
	}
	words := strings.TrimSpace(in.Idea)
	switch {
	case in.FromIssue != "":
		issue, err := leader.ReadIssue(ctx, p, in.FromIssue)
		if err != nil {
			return nil, err
		}
		for _, left := range issue.Left {
			engine.Warn(p, "", left)
		}
		in.Idea, in.Source = "# "+spec.OneLine(issue.Title)+"\n\n"+issue.Text, issue.URL
	case in.FromTodo != "":
		if in.Idea, err = todoIdea(ctx, p, in.FromTodo); err != nil {
			return nil, err
		}
		in.Source = "comments in " + in.FromTodo
	case in.FromDrift:
		if in.Idea, mayAmend, err = driftIdea(ctx, p); err != nil {
			return nil, err
		}
		in.Source = "drift"
	default:
		return nil, nil
	}
	if words != "" {
		in.Idea += "\n\n" + words
	}
	return mayAmend, nil
}

// todoIdea is the idea to do what comments in the target's files ask for.
func todoIdea(ctx context.Context, p *engine.Project, glob string) (string, error) {
	target, err := run.TargetFor(ctx, p, &spec.Spec{})
	if err != nil {
		return "", err
	}
	files, err := p.Repo.FS(ctx, "refs/heads/"+target)
	if err != nil {
		return "", err
	}
	found, err := tracker.FindTodos(files, glob)
	if errors.Is(err, doublestar.ErrBadPattern) {
		return "", engine.Fail(engine.Usage, next.Plan.Help(), "%q is not a glob", glob)
	}
	if err != nil {
		return "", err
	}
	if len(found.Found) == 0 {
		return "", engine.Fail(engine.NotFound, next.Plan.Help(), "no comment in %q asks for work, by TODO, FIXME, HACK or XXX", glob)
	}
	return "Do what comments ask for\n\nPlan what is worth doing of these, and remove each comment with what it asks for.\n\n" + found.String(), nil
}

// driftIdea is the idea to make completed specs and the code agree again, and the ids of those that do not.
func driftIdea(ctx context.Context, p *engine.Project) (idea string, ids []string, err error) {
	drift, err := verify.Drift(ctx, p, verify.DriftInput{})
	if err != nil {
		return "", nil, err
	}
	var out strings.Builder
	out.WriteString("Make specs and code agree again\n\nThe code of these completed specs has changed since they were done. For each, propose one of three: a new spec that restores the code, " +
		"in `specs`, with criteria that fail now; other wording for what the code does now, in `amend`, with criteria that hold now; or to retire it, in `retire`.\n")
	for _, s := range drift.Specs {
		if s.State != verify.Drifted {
			continue
		}
		ids = append(ids, s.ID)
		file, err := p.Store.ReadHome(s.ID)
		if err != nil {
			return "", nil, err
		}
		fmt.Fprintf(&out, "\n## %s\n\nIts files have changed: %s\n\n%s\n", s.ID, strings.Join(s.DescribeFiles(), ", "), spec.Fenced("markdown", strings.TrimSpace(string(file.WithoutRunSections().Body()))))
	}
	if len(ids) == 0 {
		return "", nil, engine.Fail(engine.NotFound, next.Drift.On(), "no completed spec has drifted")
	}
	return out.String(), ids, nil
}
