package view

import (
	"context"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
)

// SearchInput says what to search for.
type SearchInput struct {
	Query  string  `json:"query" jsonschema:"Search query (case-insensitive substring match)"`
	Status *string `json:"status,omitempty" jsonschema:"Filter by status"`
	Limit  int     `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
}

// Search lists the specs, including archived ones, whose title or body contains
// every word of the query, in any case. Errors: Usage for an empty query or an
// unknown status.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (ListResult, error) {
	words := strings.Fields(strings.ToLower(in.Query))
	if len(words) == 0 {
		return ListResult{}, engine.Fail(engine.Usage, next.Search.Help(), "query is empty")
	}
	if err := checkListed(in.Status); err != nil {
		return ListResult{}, err
	}
	set, files, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return ListResult{}, engine.Wrap(err, "")
	}
	g := set.Graph()
	archived, _, err := p.Store.LoadArchived() // one that cannot be read cannot match
	if err != nil {
		return ListResult{}, engine.Wrap(err, "")
	}
	rows := []Row{}
	filter := ListInput{Status: in.Status}
	for _, s := range append(files, archived...) {
		if !containsWords(s, words) {
			continue
		}
		if row := row(p, g, &s.Spec); filter.match(&s.Spec, row) {
			rows = append(rows, row)
		}
	}
	return limitRows(rows, in.Limit), nil
}

func containsWords(s *spec.File, words []string) bool {
	text := strings.ToLower(s.Title + "\n" + string(s.Doc.Body()))
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
