package wizard

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"chant/engine/author"
	"chant/engine/setup"
	"chant/engine/spec/next"
	"chant/engine/view"

	"charm.land/huh/v2"
)

// Known is the part of a project that a new spec can name.
type Known struct {
	Dir      string     // of the repository, in which commands run
	Specs    []view.Row // on which it can depend
	Criteria []string   // that are proposed
}

// kinds are the types of specs, the usual one first.
var kinds = []string{"code", "task", "documentation", "research", "driver", "group"}

// Add asks for a new spec: type, title, text, criteria, dependencies and labels. Errors: Canceled.
func Add(ctx context.Context, s Screen, k Known) (author.AddInput, error) {
	in := author.AddInput{Type: kinds[0]}
	var title, text, more, labels string
	groups := []*huh.Group{
		huh.NewGroup(
			huh.NewSelect[string]().Title("Type").Options(huh.NewOptions(kinds...)...).Value(&in.Type),
			huh.NewInput().Title("Title").Description("what will be true when it is done").Value(&title).Validate(checkGiven),
			huh.NewText().Title("Text").Description("what has to be known to work on it; may be empty").Value(&text),
		),
		huh.NewGroup(k.criteria(&in, &more)...).Title("Acceptance criteria"),
	}
	var further []huh.Field
	if len(k.Specs) > 0 {
		further = append(further, huh.NewMultiSelect[string]().Title("It waits for").Description("/ searches, space selects; may be empty").
			Options(specOptions(k.Specs)...).Filterable(true).Height(10).Value(&in.DependsOn))
	}
	further = append(further, huh.NewInput().Title("Labels").Description("with commas between them; may be empty").Value(&labels))
	if err := s.ask(ctx, append(groups, huh.NewGroup(further...))...); err != nil {
		return author.AddInput{}, err
	}
	// In plain lines, the input has ended.
	if checkGiven(title) != nil {
		return author.AddInput{}, errLeft()
	}
	in.Description = strings.TrimSpace(title + "\n\n" + text)
	in.Criteria = append(in.Criteria, splitLines(more, "\n")...)
	in.Labels = splitLines(labels, ",")
	return in, nil
}

// criteria are the fields for criteria: those that are proposed, and others.
func (k Known) criteria(in *author.AddInput, more *string) []huh.Field {
	var fields []huh.Field
	if len(k.Criteria) > 0 {
		in.Criteria = slices.Clone(k.Criteria[:1])
		fields = append(fields, huh.NewMultiSelect[string]().Title("Proposed").Options(huh.NewOptions(k.Criteria...)...).
			Height(len(k.Criteria)+2).Value(&in.Criteria))
	}
	return append(fields, huh.NewText().Title("Others").
		Description("one on each line; one that ends in `$ command` is checked by running it").Value(more).Validate(k.checkCriteria))
}

// checkCriteria refuses criteria whose command names a program that is not there.
func (k Known) checkCriteria(text string) error {
	for _, criterion := range splitLines(text, "\n") {
		if err := k.runnableLines(setup.CommandsIn(criterion)); err != nil {
			return err
		}
	}
	return nil
}

// runnableLines refuses commands that name a program that is not there.
func (k Known) runnableLines(commands []string) error {
	for _, command := range commands {
		program := setup.Program(command)
		if program == "" {
			continue
		}
		// A shell looks, because a command may begin with one of its built-in words.
		look := exec.Command("sh", "-c", `command -v -- "$1"`, "sh", program)
		look.Dir = k.Dir
		if look.Run() != nil {
			return fmt.Errorf("program %q is not found here", program)
		}
	}
	return nil
}

// AddStep is the command that adds the same spec.
func AddStep(in author.AddInput) next.Step {
	step := next.Add.On(in.Description)
	if in.Type != "" && in.Type != kinds[0] {
		step = step.Set("type", in.Type)
	}
	for _, criterion := range in.Criteria {
		step = step.Set("criterion", criterion)
	}
	for _, id := range in.DependsOn {
		step = step.Set("depends-on", id)
	}
	for _, label := range in.Labels {
		step = step.Set("label", label)
	}
	return step
}

// specOptions are specs to choose from.
func specOptions(rows []view.Row) []huh.Option[string] {
	out := make([]huh.Option[string], 0, len(rows))
	for _, row := range rows {
		out = append(out, huh.NewOption(row.ID+"  "+row.Title, row.ID))
	}
	return out
}

func checkGiven(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("is required")
	}
	return nil
}

// splitLines divides a text and leaves out what is blank.
func splitLines(text, separator string) []string {
	var out []string
	for _, line := range strings.Split(text, separator) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
