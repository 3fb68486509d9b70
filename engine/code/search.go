package code

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code/corpus"
	"chant/engine/code/outline"
	"chant/engine/code/shelf"
	"chant/engine/find"
	"chant/engine/next"

	"github.com/bmatcuk/doublestar/v4"
)

// Search finds the pieces of code that a question is about, the best first. Errors: Usage for an empty query, a limit
// below 1, a weight outside of 0 to 1 or a glob that cannot be read; those of Index; NotFound if nothing was indexed.
func Search(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	weight := defaultWeight
	if in.Weight != nil {
		weight = *in.Weight
	}
	if math.IsNaN(weight) || weight < 0 || weight > 1 {
		return SearchResult{}, usage(next.Code, "Semantic weight must be between 0.0 and 1.0")
	}
	ask := question{asks: next.Code, query: in.Query, folder: in.Path, limit: in.Limit, usual: 20, glob: in.PathFilter, extensions: extensions(in.Extensions), weight: weight}
	shot, hits, err := ask.search(ctx, p, in.Build, in.Progress)
	if err != nil {
		return SearchResult{}, err
	}
	result := SearchResult{Query: in.Query, Semantic: ask.semantic, Results: make([]Hit, 0, len(hits))}
	for _, h := range hits {
		result.Results = append(result.Results, h.hit(shot))
	}
	result.Count = len(result.Results)
	return result, nil
}

// usage is the error for a wrong argument of an operation.
func usage(op next.Op, format string, args ...any) error {
	return engine.Fail(engine.Usage, op.Help(), format, args...)
}

// question is a search for code or for documentation.
type question struct {
	query      string
	folder     string
	limit      int // 0 for the usual one
	usual      int
	glob       string
	extensions map[string]bool // nil for all
	docs       bool            // documentation, otherwise code
	weight     float64

	asks     next.Op
	semantic string // "ok", or why only words were compared
}

// extensions reads a list of extensions, with or without dots; nil if it is empty.
func extensions(list string) map[string]bool {
	var set map[string]bool
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.ToLower(strings.TrimLeft(strings.TrimSpace(one), ".*")); one != "" {
			if set == nil {
				set = map[string]bool{}
			}
			set[one] = true
		}
	}
	return set
}

// found is a chunk that was found.
type found struct {
	part    int
	doc     uint32
	score   float64 // of all, from 0 to 1
	keyword float64 // of the words alone
	rank    int     // by the words alone, from 1; 0 if it has none
	file    corpus.File
	outline outline.Outline
	chunk   int
	text    string
	percent int
}

func (q *question) search(ctx context.Context, p *engine.Project, build bool, progress func(int, int, string)) (*shelf.Snapshot, []found, error) {
	if strings.TrimSpace(q.query) == "" {
		return nil, nil, usage(q.asks, "Query cannot be empty")
	}
	if q.limit < 0 {
		return nil, nil, usage(q.asks, "Limit must be greater than 0")
	}
	if !doublestar.ValidatePattern(q.glob) {
		return nil, nil, usage(q.asks, "invalid glob %q", q.glob)
	}
	at, err := placeOf(p, q.folder)
	if err != nil {
		return nil, nil, err
	}
	shot, _, err := at.current(ctx, build, progress)
	if err != nil {
		return nil, nil, err
	}
	hits, err := q.rank(shot, q.allowed(shot, at.below))
	if err != nil {
		return nil, nil, engine.Wrap(fmt.Errorf("search code: %w", err), "")
	}
	return shot, q.read(ctx, shot, hits), ctx.Err()
}

// allowed says for each file of the manifest whether it may be found.
func (q *question) allowed(shot *shelf.Snapshot, below string) []bool {
	list := make([]bool, len(shot.Manifest.Files))
	for i, f := range shot.Manifest.Files {
		if below != "" && !strings.HasPrefix(f.Path, below+"/") {
			continue
		}
		if q.extensions != nil && !q.extensions[strings.ToLower(strings.TrimPrefix(path.Ext(f.Path), "."))] {
			continue
		}
		if q.glob != "" {
			if ok, err := doublestar.Match(q.glob, f.Path); err != nil || !ok {
				continue
			}
		}
		list[i] = true
	}
	return list
}

// rank returns the best documents by words and by meaning.
func (q *question) rank(shot *shelf.Snapshot, allowed []bool) ([]found, error) {
	limit := cmp.Or(q.limit, q.usual)
	o := find.Options{Top: max(5*limit, 50), Keep: shot.Keep(q.docs, allowed)}
	hits, err := find.Search(shot.Segments(), fields(), find.ParseQuery(q.query), o)
	if err != nil {
		return nil, err
	}
	q.semantic = "off: no model"
	list := make([]found, len(hits))
	for i, h := range hits {
		list[i] = found{part: h.Segment, doc: h.Doc, score: h.Score, keyword: h.Score, rank: i + 1}
	}
	return list, nil
}

// read reads the chunks that were found, as many as were asked for. A file that cannot be read any longer is left out.
func (q *question) read(ctx context.Context, shot *shelf.Snapshot, hits []found) []found {
	limit := cmp.Or(q.limit, q.usual)
	slices.SortStableFunc(hits, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	list := make([]found, 0, limit)
	texts := map[string][]byte{}
	for _, h := range hits {
		if len(list) == limit || ctx.Err() != nil {
			break
		}
		file, ok := shot.File(h.part, h.doc)
		if !ok {
			continue
		}
		h.file, h.chunk = file, shot.Parts[h.part].Docs[h.doc].Chunk
		h.outline = shot.Outlines(ctx, []corpus.File{file})[0]
		text, ok := texts[file.Path]
		if !ok {
			text, _ = shot.Text(ctx, file)
			texts[file.Path] = text
		}
		if h.chunk >= len(h.outline.Chunks) || h.outline.Chunks[h.chunk].End > len(text) {
			continue
		}
		c := h.outline.Chunks[h.chunk]
		h.text, h.percent = string(text[c.Start:c.End]), percent(h.score)
		list = append(list, h)
	}
	return list
}

// hit returns what is told about a chunk.
func (h found) hit(shot *shelf.Snapshot) Hit {
	c := h.outline.Chunks[h.chunk]
	unit := h.file.Unit()
	hit := Hit{
		ID: fmt.Sprintf("%x-%d", unit[:], h.chunk), Path: h.file.Path, StartLine: c.StartLine, EndLine: c.EndLine, Kind: string(c.Kind),
		Symbols: c.Symbols, Relevance: h.percent, Content: h.text, Tokens: len(h.text) / 4, Language: h.outline.Language,
		Doc: c.Doc, Signature: c.Signature, Breadcrumb: c.Breadcrumb, Keyword: h.keyword, Rank: h.rank,
	}
	if hit.Symbols == nil {
		hit.Symbols = []string{}
	}
	return hit
}
