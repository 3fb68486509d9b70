package code

import (
	"context"
	"math"
	"strings"

	"chant/engine"
	"chant/engine/code/shelf"
	"chant/engine/spec/next"
)

// Search finds the pieces of code that a question is about, the best first. Errors: Usage for an empty query, a limit
// below 1, a weight outside of 0 to 1 or a glob that cannot be read; those of Index; NotFound if nothing was indexed.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	ask, err := in.question()
	if err != nil {
		return SearchResult{}, err
	}
	shot, hits, err := ask.search(ctx, p, in.Build, in.Progress)
	if err != nil {
		return SearchResult{}, err
	}
	result := SearchResult{Root: shot.Manifest.Root, Query: in.Query, Semantic: ask.near.semantic, Results: make([]Hit, 0, len(hits))}
	for _, h := range hits {
		result.Results = append(result.Results, h.toHit(shot))
	}
	result.Count = len(result.Results)
	if ask.near.notice != "" {
		result.Notices = append(result.Notices, ask.near.notice)
	}
	result.Page = engine.Whole(len(result.Results))
	return result, nil
}

// CheckSearch returns the error that Search would return at once for a question that cannot be asked, before anything is
// indexed or searched.
func CheckSearch(p *engine.Project, in SearchInput) error {
	ask, err := in.question()
	if err != nil {
		return err
	}
	if err := ask.valid(); err != nil {
		return err
	}
	_, err = placeOf(p, in.Path, in.Build)
	return err
}

func (in SearchInput) question() (*question, error) {
	weight := shelf.DefaultWeight
	if in.Weight != nil {
		weight = *in.Weight
	}
	// NaN compares with nothing, so it needs a check of its own.
	if math.IsNaN(weight) || weight < 0 || weight > 1 {
		return nil, usage(next.Code, "Semantic weight must be between 0.0 and 1.0")
	}
	return &question{
		asks: next.Code, query: in.Query, also: in.Also, folder: in.Path, limit: in.Limit, usual: 20, glob: in.PathFilter,
		extensions: extensions(in.Extensions), weight: weight,
	}, nil
}

// Near returns the pieces of code in the project's worktree that a text is most likely about, the best first, nothing
// before any code has been indexed.
func Near(ctx context.Context, p *engine.Project, about string, limit int) ([]Hit, error) {
	at, err := placeOf(p, "", false)
	if err != nil || !at.shelf.Exists(ctx) || strings.TrimSpace(about) == "" {
		return nil, err
	}
	found, err := Search(ctx, p, SearchInput{Query: about, Limit: limit})
	return found.Results, err
}

// usage is the error for a wrong argument of an operation.
func usage(op next.Op, format string, args ...any) error {
	return engine.Fail(engine.Usage, op.Help(), format, args...)
}
