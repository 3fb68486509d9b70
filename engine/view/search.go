package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// SearchInput says what to search for.
type SearchInput struct {
	Query  string        `json:"query" jsonschema:"Search query (case-insensitive substring match)"`
	Status *string       `json:"status,omitempty" jsonschema:"Filter by status"`
	Limit  int           `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
	Cursor engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
	Selection
	Scope Scope `json:"-"` // of SearchAll

	ActiveOnly    bool `json:"active_only,omitempty" jsonschema:"No archived specs"`
	ArchivedOnly  bool `json:"archived_only,omitempty" jsonschema:"Only archived specs"`
	TitleOnly     bool `json:"title_only,omitempty" jsonschema:"Only specs with the words of the query in their titles"`
	BodyOnly      bool `json:"body_only,omitempty" jsonschema:"Only specs with the words of the query below their titles"`
	Details       bool `json:"details,omitempty" jsonschema:"Also when specs were created and changed, and what they cost"`
	CaseSensitive bool `json:"case_sensitive,omitempty" jsonschema:"Only specs with the words of the query as they are written"`
}

// isFiltered reports whether only some specs are searched, and nothing else.
func (in SearchInput) isFiltered() bool {
	return in.Status != nil || !in.Selection.isEmpty() || in.ActiveOnly || in.ArchivedOnly || in.TitleOnly || in.BodyOnly || in.CaseSensitive
}

// check refuses values that no spec can have, and what excludes each other.
func (in *SearchInput) check(p *engine.Project) error {
	if err := checkListed(in.Status); err != nil {
		return err
	}
	if in.ActiveOnly && in.ArchivedOnly || in.TitleOnly && in.BodyOnly {
		return engine.Fail(engine.Usage, next.Search.Help(), "nothing is active and archived, or only in the title and only below it")
	}
	return in.Selection.check(p, next.Search.Help())
}

// keeps reports whether a spec passes the filter, but for what only its commits say. text is the file of the spec.
func (in SearchInput) keeps(row Row, s *spec.Spec, text func() string) bool {
	list := ListInput{Status: in.Status, Selection: in.Selection}
	switch {
	case row.Archived && in.ActiveOnly, !row.Archived && in.ArchivedOnly:
		return false
	case s == nil && !list.matchInvalid(), s != nil && !list.match(s, row):
		return false
	case in.TitleOnly:
		return in.hasWords(row.Title)
	case in.BodyOnly:
		return in.hasWords(withoutTitle(text(), row.Title))
	}
	return !in.CaseSensitive || in.hasWords(text())
}

// hasWords reports whether a text has each word of the query.
func (in SearchInput) hasWords(text string) bool {
	query := in.Query
	if !in.CaseSensitive {
		text, query = strings.ToLower(text), strings.ToLower(query)
	}
	for _, word := range strings.Fields(query) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Match says why something was found.
type Match string

// The reasons.
const (
	Exact   Match = "exact"   // it contains the query, in any case; where the query is an id, it is the spec with that id
	Related Match = "related" // it has similar words
)

// SearchResult lists the specs that were found, and other documents and code. A search with a status finds specs only.
type SearchResult struct {
	Specs []FoundSpec `json:"specs"`
	engine.Page
	Limit     int             `json:"limit"`
	Documents []FoundDocument `json:"documents,omitempty"` // the best prompts and files of documentation, at most ten
	Code      []FoundCode     `json:"code,omitempty"`      // the best pieces of code, at most ten; none before code has been indexed
}

// FoundSpec is a spec that was found, as in a list.
type FoundSpec struct {
	Row
	Match    Match     `json:"match"`
	Score    float64   `json:"score,omitempty"` // from 0 to 1, for comparison of equal matches within one reply
	Excerpts []Excerpt `json:"excerpts,omitempty"`
}

// FoundDocument is a prompt or a file of documentation that was found.
type FoundDocument struct {
	Path     string    `json:"path"`
	Title    string    `json:"title,omitempty"`
	Kind     string    `json:"kind"` // prompt or documentation
	Match    Match     `json:"match"`
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

// Search finds specs, including archived ones, prompts, documentation and code: first the specs whose title or body
// contains the query, in any case, and then what has similar words, the best first. With several words, nothing is found
// that contains none of them. Code that cannot be searched is a warning. Errors: Usage for an empty query or an unknown
// status.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	if in.Query = strings.TrimSpace(in.Query); in.Query == "" {
		return SearchResult{}, engine.Fail(engine.Usage, next.Search.Help(), "query is empty")
	}
	if err := in.check(p); err != nil {
		return SearchResult{}, err
	}
	start, err := in.Cursor.Start(next.Search.Help())
	if err != nil {
		return SearchResult{}, err
	}
	if in.needsHistory() {
		return searchByHistory(ctx, p, in, start)
	}
	limit := in.Limit
	if limit > 0 {
		in.Limit += start
	}
	result, err := searchRanked(ctx, p, in)
	total := result.Total
	result.Specs, _ = engine.Cut(result.Specs, start, limit)
	result.Page, result.Limit = engine.PageAt(start, len(result.Specs), total), limit
	if in.Details && err == nil {
		err = addFoundDetails(ctx, p, result.Specs)
	}
	// Code has no status, so a search with a filter leaves it out.
	if err != nil || in.isFiltered() {
		return result, err
	}
	// Code that cannot be searched is a warning, because specs are what most searches are for.
	if result.Code, err = searchCode(ctx, p, in.Query, requiredWords(in.Query)); err != nil && ctx.Err() == nil {
		engine.Warn(p, "", fmt.Sprintf("code was not searched: %s", err))
	}
	return result, ctx.Err()
}

// searchByHistory searches with a filter that only commits can answer: all that is found is filtered, then limited.
func searchByHistory(ctx context.Context, p *engine.Project, in SearchInput, start int) (SearchResult, error) {
	limit := in.Limit
	in.Limit = 0
	found, err := searchRanked(ctx, p, in)
	if err != nil {
		return SearchResult{}, err
	}
	rows := make([]Row, len(found.Specs))
	for i, s := range found.Specs {
		rows[i] = s.Row
	}
	kept, err := in.byHistory(ctx, p, rows)
	if err != nil {
		return SearchResult{}, engine.Wrap(err, "")
	}
	ids := map[string]bool{}
	for _, row := range kept {
		ids[row.ID] = true
	}
	found.Specs = slices.DeleteFunc(found.Specs, func(s FoundSpec) bool { return !ids[s.ID] })
	found.Limit = limit
	found.Specs, found.Page = engine.Cut(found.Specs, start, limit)
	if in.Details {
		err = addFoundDetails(ctx, p, found.Specs)
	}
	return found, errors.Join(err, ctx.Err())
}

// addFoundDetails is addDetails for the rows of found specs.
func addFoundDetails(ctx context.Context, p *engine.Project, specs []FoundSpec) error {
	rows := make([]Row, len(specs))
	for i, s := range specs {
		rows[i] = s.Row
	}
	if err := addDetails(ctx, p, rows); err != nil {
		return engine.Wrap(err, "")
	}
	for i := range specs {
		specs[i].Row = rows[i]
	}
	return nil
}

const (
	maxFoundCode = 10
	codeShare    = 0.5 // of the best relevance, below which a piece of code is not listed
)

// searchCode finds code with one of some words, if there are any, in the project's worktree, if code has been indexed
// there.
func searchCode(ctx context.Context, p *engine.Project, query string, words []string) ([]FoundCode, error) {
	hits, err := code.Near(ctx, p, query, maxFoundCode)
	if err != nil {
		return nil, err
	}
	var list []FoundCode
	for _, h := range hits {
		// Hits come in the order of their relevance.
		if float64(h.Relevance) < codeShare*float64(hits[0].Relevance) {
			break
		}
		if !hasWord(h.Path+"\n"+h.Content, words) {
			continue
		}
		list = append(list, FoundCode{
			Path: h.Path, StartLine: h.StartLine, EndLine: h.EndLine, Kind: h.Kind, Name: h.Name(), Signature: h.Signature, Score: float64(h.Relevance) / 100,
		})
	}
	return list, nil
}
