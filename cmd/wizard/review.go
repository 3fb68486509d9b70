package wizard

import (
	"context"
	"strings"

	"chant/engine/author/review"
	"chant/engine/spec/task"

	"charm.land/huh/v2"
)

// Choice is one of the answers to a question.
type Choice struct{ Name, Title string }

// Choose asks which of these choices is meant; the first is the usual one. Errors: Canceled.
func Choose(ctx context.Context, s Screen, title string, choices ...Choice) (string, error) {
	name := ""
	if len(choices) > 0 {
		name = choices[0].Name
	}
	var list []huh.Option[string]
	for _, c := range choices {
		list = append(list, huh.NewOption(c.Title, c.Name))
	}
	err := s.ask(ctx, huh.NewGroup(huh.NewSelect[string]().Title(title).Options(list...).Value(&name)))
	return name, err
}

// Comment asks for a comment of a review, and for the place that it is about; about is the one that is offered. An
// empty text is no comment. Errors: Canceled.
func Comment(ctx context.Context, s Screen, about string) (review.Said, error) {
	said := review.Said{At: about}
	err := s.ask(ctx, huh.NewGroup(
		huh.NewText().Title("Comment").Description("enter ends it, ctrl+j begins a new line; empty: none").Value(&said.Text),
		huh.NewInput().Title("About").Description("FILE or FILE:LINE; empty: the whole").Value(&said.At).Validate(checkPlace),
	))
	said.Text, said.At = strings.TrimSpace(said.Text), strings.TrimSpace(said.At)
	return said, err
}

// checkPlace refuses what is not a place in the repository.
func checkPlace(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	_, _, err := task.ParsePlace(text)
	return err
}
