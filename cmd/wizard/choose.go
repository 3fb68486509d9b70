package wizard

import (
	"context"
	"strings"

	"chant/engine/view"

	"charm.land/huh/v2"
)

// Specs asks which of these specs are meant, at least one. Errors: Canceled.
func Specs(ctx context.Context, s Screen, title string, rows []view.Row) ([]string, error) {
	var ids []string
	field := huh.NewMultiSelect[string]().Title(title).Description("/ searches, space selects, enter ends").
		Options(specOptions(rows)...).Filterable(true).Height(15).Value(&ids)
	if err := s.ask(ctx, huh.NewGroup(field)); err != nil {
		return nil, err
	}
	// In plain lines, an input that has ended selects nothing.
	if len(ids) == 0 {
		return nil, errLeft()
	}
	return ids, nil
}

// Words asks for words to search for. Errors: Canceled.
func Words(ctx context.Context, s Screen) (string, error) {
	var words string
	err := s.ask(ctx, huh.NewGroup(huh.NewInput().Title("Search for").Value(&words).Validate(checkGiven)))
	if err == nil && checkGiven(words) != nil {
		err = errLeft()
	}
	return strings.TrimSpace(words), err
}

// Line asks for one line, which may be empty; hint says what an empty one means. Errors: Canceled.
func Line(ctx context.Context, s Screen, title, hint string) (string, error) {
	var line string
	err := s.ask(ctx, huh.NewGroup(huh.NewInput().Title(title).Description(hint).Value(&line)))
	return strings.TrimSpace(line), err
}
