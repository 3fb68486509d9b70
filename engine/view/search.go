package view

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
)

// SearchInput says what to search for.
type SearchInput struct {
	Query  string  `json:"query" jsonschema:"Words to search for; the best matches come first. Other forms of a word and small misspellings match too, and the last word may be the beginning of one"`
	Status *string `json:"status,omitempty" jsonschema:"Filter by status"`
	Limit  int     `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
	Exact  bool    `json:"exact,omitempty" jsonschema:"Only specs that contain every word exactly as written, in the order of their ids"`
}

// SearchResult lists the specs that were found, and other documents and code. A search by exact words, or with a
// status, finds specs only.
type SearchResult struct {
	Specs     []FoundSpec     `json:"specs"`
	Total     int             `json:"total"` // matching specs before the limit
	Limit     int             `json:"limit"`
	Returned  int             `json:"returned"`
	Documents []FoundDocument `json:"documents,omitempty"` // the best prompts and files of documentation, at most ten
	Code      []FoundCode     `json:"code,omitempty"`      // the best pieces of code, at most ten; none before code has been indexed
}

// FoundSpec is a spec that was found, as in a list.
type FoundSpec struct {
	Row
	Score    float64   `json:"score,omitempty"` // from 0 to 1, for comparison within one reply
	Excerpts []Excerpt `json:"excerpts,omitempty"`
}

// FoundDocument is a prompt or a file of documentation that was found.
type FoundDocument struct {
	Path     string    `json:"path"`
	Title    string    `json:"title,omitempty"`
	Kind     string    `json:"kind"` // prompt or documentation
	Score    float64   `json:"score"`
	Excerpts []Excerpt `json:"excerpts,omitempty"`
}

// FoundCode is a piece of code that was found.
type FoundCode struct {
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	EndLine   int     `json:"end_line"`
	Kind      string  `json:"kind"`
	Name      string  `json:"name,omitempty"` // with the definitions around it
	Signature string  `json:"signature,omitempty"`
	Score     float64 `json:"score"` // from 0 to 1, for comparison within one reply
}

// Excerpt is a line of a text with words of the query.
type Excerpt struct {
	Line  int    `json:"line"` // of the file, from 1
	Text  string `json:"text"`
	Marks []Mark `json:"marks,omitempty"`
}

// Mark is a range of bytes of an excerpt's text that the query found.
type Mark struct {
	From int `json:"from"`
	To   int `json:"to"` // the first byte after it
}

// Search finds specs, including archived ones, prompts, documentation and code by their words, the best first. Code that
// cannot be searched is a warning. Errors: Usage for an empty query or an unknown status.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	words := strings.Fields(strings.ToLower(in.Query))
	if len(words) == 0 {
		return SearchResult{}, engine.Fail(engine.Usage, next.Search.Help(), "query is empty")
	}
	if err := checkListed(in.Status); err != nil {
		return SearchResult{}, err
	}
	if in.Exact {
		return searchExact(ctx, p, in, words)
	}
	result, err := searchRanked(ctx, p, in)
	if err != nil || in.Status != nil {
		return result, err
	}
	if result.Code, err = searchCode(ctx, p, in.Query); err != nil && ctx.Err() == nil {
		engine.Warn(p, "", fmt.Sprintf("code was not searched: %s", err))
	}
	return result, ctx.Err()
}

// searchExact lists the specs whose title or body contains every word, in any case.
func searchExact(ctx context.Context, p *engine.Project, in SearchInput, words []string) (SearchResult, error) {
	set, files, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return SearchResult{}, engine.Wrap(err, "")
	}
	g := set.Graph()
	archived, _, err := p.Store.LoadArchived() // one that cannot be read cannot match
	if err != nil {
		return SearchResult{}, engine.Wrap(err, "")
	}
	rows := []FoundSpec{}
	filter := ListInput{Status: in.Status}
	for _, s := range append(files, archived...) {
		if !containsWords(s, words) {
			continue
		}
		if row := row(p, g, &s.Spec); filter.match(&s.Spec, row) {
			rows = append(rows, FoundSpec{Row: row})
		}
	}
	return limitFound(rows, in.Limit), nil
}

// limitFound is limitRows for rows that were found.
func limitFound(rows []FoundSpec, limit int) SearchResult {
	total := len(rows)
	if limit > 0 && limit < total {
		rows = rows[:limit]
	}
	return SearchResult{Specs: rows, Total: total, Limit: limit, Returned: len(rows)}
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
