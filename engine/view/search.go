package view

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/spec/next"
)

// SearchInput says what to search for.
type SearchInput struct {
	Query  string  `json:"query" jsonschema:"Search query (case-insensitive substring match)"`
	Status *string `json:"status,omitempty" jsonschema:"Filter by status"`
	Limit  int     `json:"limit,omitempty" jsonschema:"Maximum number of specs to return, 0 for all"`
}

// Match says why something was found.
type Match string

// The reasons.
const (
	Exact   Match = "exact"   // it contains the query, in any case
	Related Match = "related" // it has similar words
)

// SearchResult lists the specs that were found, and other documents and code. A search with a status finds specs only.
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
	if err := checkListed(in.Status); err != nil {
		return SearchResult{}, err
	}
	result, err := searchRanked(ctx, p, in)
	// Code has no status, so a search with a filter leaves it out.
	if err != nil || in.Status != nil {
		return result, err
	}
	// Code that cannot be searched is a warning, because specs are what most searches are for.
	if result.Code, err = searchCode(ctx, p, in.Query, requiredWords(in.Query)); err != nil && ctx.Err() == nil {
		engine.Warn(p, "", fmt.Sprintf("code was not searched: %s", err))
	}
	return result, ctx.Err()
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
