package run

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chant/engine/criteria"
	"chant/engine/prompt"
	"chant/engine/spec"
)

// prompt writes what the agent is told to the run's cache.
func (r *Run) prompt(ctx context.Context) error {
	s, err := r.ownSpec(ctx)
	if err != nil {
		return err
	}
	text, err := r.told(ctx, s)
	if err != nil {
		return err
	}
	_, err = r.Store.WriteCache(r.Job.ID, "prompt.md", []byte(text))
	return err
}

// told is all that the agent is told: the prompt, and the form of its output.
func (r *Run) told(ctx context.Context, s *spec.Spec) (string, error) {
	text, err := r.render(ctx, s)
	if err != nil || r.catching { // who resolves a conflict has nothing else to say
		return text, err
	}
	form, err := r.form(ctx, s)
	return text + form.ask(), err
}

// Told is what the agent of the next attempt would be told, before anything is made.
func (r *Run) Told(ctx context.Context, s *spec.Spec) (string, error) {
	planned, err := r.planned()
	if err != nil {
		return "", err
	}
	return planned.told(ctx, s)
}

// render fills the prompt's variables in with what is known of the run.
func (r *Run) render(ctx context.Context, s *spec.Spec) (string, error) {
	quoted, err := r.quoteContext(ctx, s)
	if err != nil {
		return "", err
	}
	values := r.values(s)
	values["spec.context"] = quoted
	return r.Secrets.Text(prompt.Fill(r.Settings.Prompt, values)), nil
}

// values are what every variable stands for that needs no file. The discussion of a spec
// is no part of its text: nobody approves of that, so nothing there tells an agent what to do.
func (r *Run) values(s *spec.Spec) map[string]string {
	title := s.Title
	if title == "" {
		title = "(untitled)"
	}
	text := strings.TrimSpace(string(s.Doc.DropSections(spec.DiscussionHeading).Body()))
	files := bullets(s.Fields.TargetFiles, "None.")
	return map[string]string{
		"project.name":      r.Settings.Project,
		"spec":              fmt.Sprintf("Spec `%s`\n\n%s\n\nTarget files:\n\n%s", s.ID, text, files),
		"spec.id":           s.ID,
		"spec.title":        title,
		"spec.type":         string(s.Fields.Type),
		"spec.model":        r.Job.Model,
		"spec.description":  text,
		"spec.quoted":       spec.Fenced("", text),
		"spec.path":         r.specFile(),
		"spec.target_files": files,
		"spec.criteria":     spellCriteria(spec.Criteria(s.Doc)),
		"spec.checks":       spellChecks(criteria.PlanFor(s, s, r.Settings.Verify)),
		"spec.context":      "",
		"judge.criteria":    "",
		"conflict.files":    bullets(r.Clashes, "None."),
		"target":            r.Job.Target,
		"worktree.path":     r.Tree,
		"worktree.branch":   r.Job.Branch,
		"worktree.isolated": strconv.FormatBool(r.Tree != r.Store.Home()),
		"attempt":           strconv.Itoa(r.Job.Attempt),
		"attempt.reason":    r.lastReason(),
		"attempt.note":      r.attemptNote(),
	}
}

func bullets(items []string, none string) string {
	if len(items) == 0 {
		return none
	}
	return "- " + strings.Join(items, "\n- ")
}

func spellCriteria(all []spec.Criterion) string {
	if len(all) == 0 {
		return "The spec has no acceptance criteria."
	}
	var b strings.Builder
	for _, c := range all {
		how := "tick its box"
		if c.Runs() {
			how = "chant runs it"
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Number, c.Text, how)
	}
	return strings.TrimRight(b.String(), "\n")
}

// spellChecks lists what is run to find out whether the spec is done.
func spellChecks(plan criteria.Plan) string {
	var b strings.Builder
	n := 0
	for _, item := range plan.Items {
		for _, step := range item.Steps {
			n++
			fmt.Fprintf(&b, "%d. `%s`", n, step.Line)
			if step.Ways.Dir != "" {
				fmt.Fprintf(&b, " in `%s`", step.Ways.Dir)
			}
			fmt.Fprintf(&b, " (%s)\n", checkOf(item))
		}
	}
	if n == 0 {
		return "Nothing: the boxes speak."
	}
	return strings.TrimRight(b.String(), "\n")
}

// checkOf says what asks for a check.
func checkOf(item criteria.Item) string {
	switch item.Source {
	case criteria.FromCriteria:
		return fmt.Sprintf("criterion %d", item.Number)
	case criteria.FromSpec:
		return "the spec's `verify`"
	case criteria.FromProject:
	}
	return "the project's `verify`"
}
