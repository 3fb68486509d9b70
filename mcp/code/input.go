package code

import (
	"context"
	"fmt"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/run/assist"
)

// The formats of texts.
const (
	formatTOON  = "toon"
	formatJSON  = "json"
	formatHuman = "human"
)

type searchInput struct {
	Query      string   `json:"query" jsonschema:"Natural language search query or code pattern"`
	Path       string   `json:"path,omitempty" jsonschema:"Path to indexed codebase" schema:"default=."`
	Limit      int      `json:"limit,omitempty" jsonschema:"Maximum number of results" schema:"min=1,max=1000,default=20"`
	Weight     *float64 `json:"semantic_weight,omitempty" jsonschema:"Weight for semantic search (0.0-1.0). 0.4 finds most here; SwiftIndex has 0.7" schema:"min=0,max=1"`
	Extensions string   `json:"extensions,omitempty" jsonschema:"Filter by file extensions (comma-separated)"`
	PathFilter string   `json:"path_filter,omitempty" jsonschema:"Filter by path pattern (glob syntax)"`
	Format     string   `json:"format,omitempty" jsonschema:"Output format (default: toon)" schema:"enum=toon|json|human"`
	Expand     bool     `json:"expand_query,omitempty" jsonschema:"Use LLM to expand query" schema:"default=false"`
	Synthesize bool     `json:"synthesize,omitempty" jsonschema:"Generate LLM summary" schema:"default=false"`
}

type docsInput struct {
	Query      string `json:"query" jsonschema:"Natural language search query"`
	Path       string `json:"path,omitempty" jsonschema:"Path to indexed codebase" schema:"default=."`
	Limit      int    `json:"limit,omitempty" jsonschema:"Maximum number of results" schema:"min=1,max=1000,default=10"`
	PathFilter string `json:"path_filter,omitempty" jsonschema:"Filter by path pattern (glob syntax)"`
	Format     string `json:"format,omitempty" jsonschema:"Output format (default: toon)" schema:"enum=toon|json|human"`
}

type researchInput struct {
	Query string `json:"query" jsonschema:"Research question about codebase"`
	Path  string `json:"path,omitempty" jsonschema:"Path to indexed codebase" schema:"default=."`
	Depth int    `json:"depth,omitempty" jsonschema:"How many references to follow in a row" schema:"min=1,max=5,default=2"`
	Focus string `json:"focus,omitempty" jsonschema:"Optional focus area" schema:"enum=architecture|dependencies|patterns|flow"`
}

func (do operations) searchCode(ctx context.Context, p *engine.Project, in searchInput) (assist.SearchResult, error) {
	return do.search(ctx, p, assist.SearchInput{
		SearchInput: code.SearchInput{
			Query: in.Query, Path: in.Path, Limit: in.Limit, Weight: in.Weight, Extensions: in.Extensions, PathFilter: in.PathFilter,
			Progress: (&reporter{p: p}).files(),
		},
		Expand: in.Expand, Synthesize: in.Synthesize,
	})
}

func (do operations) searchDocs(ctx context.Context, p *engine.Project, in docsInput) (code.DocsResult, error) {
	return do.docs(ctx, p, code.DocsInput{
		Query: in.Query, Path: in.Path, Limit: in.Limit, PathFilter: in.PathFilter, Progress: (&reporter{p: p}).files(),
	})
}

func (do operations) codeResearch(ctx context.Context, p *engine.Project, in researchInput) (code.ResearchResult, error) {
	tell := &reporter{p: p, steps: true}
	return do.research(ctx, p, code.ResearchInput{
		Query: in.Query, Path: in.Path, Depth: in.Depth, Focus: in.Focus, Progress: tell.files(), Hop: tell.hop(),
	})
}

// reports is about how many times indexing reports its progress.
const reports = 100

// reporter reports the progress of an operation to the client. Operations do not call it twice at a time.
type reporter struct {
	p     *engine.Project
	steps bool // hops follow: only these are counted, behind what was reported of files
	sent  int
}

// files returns what reports the files of an index, nil where the client does not ask.
func (r *reporter) files() func(done, total int, file string) {
	if r.p.Progress == nil {
		return nil
	}
	return func(done, total int, file string) {
		// Thousands of files would be as many notifications, of which the last one has to come.
		if every := total/reports + 1; done%every != 0 && done != total {
			return
		}
		r.sent++
		ev := engine.Event{Kind: "step", Text: fmt.Sprintf("Indexed %d of %d files: %s", done, total, file)}
		// Hops are counted behind this, and their number must only grow.
		if !r.steps {
			ev.Done, ev.Total = done, total
		}
		r.p.Progress(ev)
	}
}

// hop returns what reports the hops of research, nil where the client does not ask.
func (r *reporter) hop() func(hop, depth, found int) {
	if r.p.Progress == nil {
		return nil
	}
	return func(hop, depth, found int) {
		r.p.Progress(engine.Event{
			Kind: "step", Text: fmt.Sprintf("Hop %d of %d, from %d definitions", hop, depth, found), Done: r.sent + hop, Total: r.sent + max(hop, depth),
		})
	}
}
