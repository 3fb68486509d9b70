package commands

import (
	"context"
	"strings"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"
	"chant/engine/spec/next"
)

// defaultLimit is how many results a search has unless it says otherwise.
const defaultLimit = 3

// SearchInput is a question.
type SearchInput struct {
	Query string `json:"query" jsonschema:"What you want to do, in your own words"`
	Agent string `json:"agent,omitempty" jsonschema:"Agent name (default climpt)"`
	Limit int    `json:"limit,omitempty" jsonschema:"Most results (default 3)" schema:"min=1,max=100"`
}

// SearchResult lists commands, the most similar first.
type SearchResult struct {
	Results []Hit `json:"results"`
	engine.Page
	Agent string `json:"agent"`
}

// Hit is a command that a search found.
type Hit struct {
	climpt.Name
	Description string  `json:"description"`
	Score       float64 `json:"score"` // how similar it is to the question, above 0 and at most 1
}

// Search finds the commands of an agent whose names and descriptions are the most similar to a question. Errors: Usage
// for an empty question; NotFound and Invalid with *library.RegistryError.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	if strings.TrimSpace(in.Query) == "" {
		return SearchResult{}, engine.Fail(engine.Usage, next.CommandFind.Help(), "the question is empty")
	}
	l, err := library.Open(ctx, p, in.Agent)
	if err != nil {
		return SearchResult{}, err
	}
	if in.Limit <= 0 {
		in.Limit = defaultLimit
	}
	r := SearchResult{Results: []Hit{}, Agent: l.Agent}
	found, err := l.Search(in.Query, in.Limit)
	if err != nil {
		return SearchResult{}, err
	}
	for _, h := range found {
		r.Results = append(r.Results, Hit{h.Name, h.Description, h.Score})
	}
	r.Page = engine.Whole(len(r.Results))
	return r, ctx.Err()
}
