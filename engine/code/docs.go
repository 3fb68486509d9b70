package code

import (
	"context"

	"chant/engine"
	"chant/engine/spec/next"
)

// Docs finds the sections of documentation that a question is about, the best first. Errors as Search.
func Docs(ctx context.Context, p *engine.Project, in DocsInput) (DocsResult, error) {
	ask := question{asks: next.Docs, query: in.Query, folder: in.Path, limit: in.Limit, usual: 10, glob: in.PathFilter, docs: true}
	shot, hits, err := ask.search(ctx, p, in.Build, in.Progress)
	if err != nil {
		return DocsResult{}, err
	}
	result := DocsResult{Root: shot.Manifest.Root, Query: in.Query, Results: make([]DocsHit, 0, len(hits))}
	for _, f := range hits {
		h := f.toHit(shot)
		result.Results = append(result.Results, DocsHit{
			ID: h.ID, Path: h.Path, StartLine: h.StartLine, EndLine: h.EndLine, Kind: h.Kind, Content: h.Content, Tokens: h.Tokens,
			Language: h.Language, Relevance: h.Relevance, Breadcrumb: h.Breadcrumb,
		})
	}
	result.Count = len(result.Results)
	result.Page = engine.Whole(len(result.Results))
	return result, nil
}
