package view

import (
	"context"

	"chant/engine"
	"chant/engine/code"
)

const (
	mostFoundCode = 10
	codeShare     = 0.5 // of the best relevance, below which a piece of code is not listed
)

// searchCode finds code with one of some words, if there are any, in the project's worktree, if code has been indexed
// there.
func searchCode(ctx context.Context, p *engine.Project, query string, words []string) ([]FoundCode, error) {
	hits, err := code.Near(ctx, p, query, mostFoundCode)
	if err != nil {
		return nil, err
	}
	var list []FoundCode
	for _, h := range hits {
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
