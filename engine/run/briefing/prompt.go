package briefing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"chant/engine/criteria"
	"chant/engine/prompt"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/reviewed"
)

// Briefing writes what an agent reads: the prompt with its values, context and notes on earlier attempts.
type Briefing struct {
	*attempt.Attempt
	Clashes []string // files in which branch and target conflict
	// Code returns pieces of the code in a folder that the work of a spec is about, "" if there are none; nil = none are
	// looked for.
	Code func(ctx context.Context, dir, about string) string
}

// Prompt writes the agent's prompt to the run's cache.
func (b *Briefing) Prompt(ctx context.Context) error {
	s, err := b.OwnSpec(ctx)
	if err != nil {
		return err
	}
	text, err := b.Text(ctx, s)
	if err != nil {
		return err
	}
	if _, err = b.Store.WriteCache(b.Job.ID, "prompt.md", []byte(text)); err != nil {
		return err
	}
	return b.receive(ctx)
}

// Text returns everything that the agent reads: the prompt, the comments of reviews, the questions and answers about
// the spec, and the description of its output.
func (b *Briefing) Text(ctx context.Context, s *spec.File) (string, error) {
	text, err := b.Fill(ctx, s, b.Settings.Prompt, b.Settings.Given)
	if err != nil || b.Catching { // an agent that resolves a conflict has no other output
		return text, err
	}
	asked, err := b.questions()
	if err != nil {
		return text, err
	}
	form, err := b.form(ctx, s)
	return text + b.Secrets.Text(b.review(s)+asked) + form.ask(), err
}

// Fill fills in the variables of a text. Values that are given count before those of the spec.
func (b *Briefing) Fill(ctx context.Context, s *spec.File, text string, given map[string]string) (string, error) {
	quoted, err := b.quoteContext(ctx, s)
	if err != nil {
		return "", err
	}
	values := b.Values(s)
	if strings.Contains(text, "spec.context") || strings.Contains(text, "spec_context") {
		quoted += b.quoteCode(ctx, s)
	}
	values["spec.context"] = quoted
	prompt.AddSpecNames(values)
	maps.Copy(values, given)
	return b.Secrets.Text(prompt.Fill(text, values)), nil
}

// Values returns the values of all variables that need no file, also by the names that commands use for them. The
// discussion of a spec is not part of its text: it is not approved, so it must not instruct an agent. The comments of
// its reviews are a part of the prompt of their own.
func (b *Briefing) Values(s *spec.File) map[string]string {
	title := s.Title
	if title == "" {
		title = "(untitled)"
	}
	text := strings.TrimSpace(string(reviewed.Without(s.Doc.DropSections(spec.DiscussionHeading)).Body()))
	text += spellSource(s.Adopted())
	files := Bullets(s.Fields.TargetFiles, "None.")
	values := map[string]string{
		"project.name":      b.Settings.Project,
		"spec":              fmt.Sprintf("Spec `%s`\n\n%s\n\nTarget files:\n\n%s", s.ID, text, files),
		"spec.id":           s.ID,
		"spec.title":        title,
		"spec.type":         string(s.Fields.Type),
		"spec.model":        b.Job.Model,
		"spec.description":  text,
		"spec.quoted":       spec.Fenced("", text),
		"spec.path":         b.SpecFile(),
		"spec.target_files": files,
		"spec.criteria":     spellCriteria(s.Criteria()),
		"spec.checks":       spellChecks(criteria.PlanFor(s, s, b.Settings.Verify)),
		"spec.context":      "",
		"judge.criteria":    "",
		"conflict.files":    Bullets(b.Clashes, "None."),
		"target":            b.Job.Target,
		"worktree.path":     b.Tree,
		"worktree.branch":   b.Job.Branch,
		"worktree.isolated": strconv.FormatBool(b.Tree != b.Store.Home()),
		"attempt":           strconv.Itoa(b.Job.Attempt),
		"attempt.reason":    b.lastReason(),
		"attempt.note":      b.attemptNote(),
	}
	prompt.AddSpecNames(values)
	return values
}

// Bullets returns a Markdown list of items, or the text none if there are none.
func Bullets(items []string, none string) string {
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
		switch {
		case c.Runs():
			how = "chant runs it"
		case c.Boxless:
			how = fmt.Sprintf("from %s; once it holds, check it as %s", c.File, cmp.Or(c.Key, c.ID))
		case c.File != "":
			how = "tick its box in " + c.File
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Number, c.Text, how)
	}
	return strings.TrimRight(b.String(), "\n")
}

// spellChecks lists the commands by which the spec is verified.
func spellChecks(plan criteria.Plan) string {
	var b strings.Builder
	n := 0
	for _, item := range plan.Items {
		for _, step := range item.Steps {
			n++
			fmt.Fprintf(&b, "%d. `%s`", n, step.Line)
			if step.Options.Dir != "" {
				fmt.Fprintf(&b, " in `%s`", step.Options.Dir)
			}
			fmt.Fprintf(&b, " (%s)\n", checkOf(item))
		}
	}
	if n == 0 {
		return "Nothing: the boxes speak."
	}
	return strings.TrimRight(b.String(), "\n")
}

// checkOf names what asks for a check.
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
