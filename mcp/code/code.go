package code

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/code/shelf"
	"chant/engine/run/assist"
	"chant/engine/spec/next"
	"chant/mcp/toolset"

	"github.com/google/jsonschema-go/jsonschema"
)

// instructions describe to a model how code is searched.
const instructions = `index_codebase indexes the code of a folder, or of the whole git worktree that it is in; a second call reads only what has changed.
search_code finds code by what it does or by names, search_docs finds sections of documentation, and code_research follows callers, implementations and imports for questions about how parts are connected.`

// operations are the functions behind the tools.
type operations struct {
	index    func(context.Context, *engine.Project, code.IndexInput) (code.IndexResult, error)
	search   func(context.Context, *engine.Project, assist.SearchInput) (assist.SearchResult, error)
	docs     func(context.Context, *engine.Project, code.DocsInput) (code.DocsResult, error)
	research func(context.Context, *engine.Project, code.ResearchInput) (code.ResearchResult, error)
}

// Set is the toolset "code": the tools of the contract in its order, then the one that looks for jobs.
func Set() toolset.Set {
	return setOf(operations{code.Index, assist.Search, code.Docs, code.Research})
}

// foreign is what clients of SwiftIndex expect of every tool.
func foreign(failure func(error, string) (toolset.Failure, bool), drawing string) toolset.Foreign {
	return toolset.Foreign{ArgsOptional: true, ProjectOptional: true, Failure: failure, Icons: icon(drawing)}
}

func setOf(do operations) toolset.Set {
	path, query, format := toolset.Param{Name: "path"}, toolset.Param{Name: "query"}, toolset.Param{Name: "format"}
	limit, filter := toolset.Param{Name: "limit"}, toolset.Param{Name: "path_filter"}
	return toolset.Set{
		Name: "code", About: "searching code and documentation, for clients of SwiftIndex", Instructions: instructions,
		Standalone: toolset.Standalone{Server: "swiftindex", Strict: true},
		Tools: []toolset.Tool{
			{
				Name: "index_codebase", Title: "Index codebase", Effect: toolset.Adds, Slow: toolset.Always, Task: true,
				Text:   "Index a codebase for semantic search. Only files that have changed since the last time are read",
				Params: []toolset.Param{path, {Name: "force"}, {Name: "async"}, {Name: "poll_interval"}},
				Op:     toolset.WithContent(do.indexCodebase, jsonContent), Foreign: foreign(failure("Indexing"), boxes),
			},
			{
				Name: "search_code", Title: "Search code", Effect: toolset.Reads, Slow: toolset.Always, NextOp: next.Code,
				Text:   "Semantic search in indexed codebase",
				Params: []toolset.Param{query, path, limit, {Name: "semantic_weight", Refine: setWeightDefault}, {Name: "extensions"}, filter, format, {Name: "expand_query"}, {Name: "synthesize"}},
				Op:     toolset.WithContent(do.searchCode, searchContent), Foreign: foreign(failure("Search"), lens),
			},
			{
				Name: "search_docs", Title: "Search documentation", Effect: toolset.Reads, Slow: toolset.Always, NextOp: next.Docs,
				Text:   "Search indexed documentation using full-text search",
				Params: []toolset.Param{query, path, limit, filter, format},
				Op:     toolset.WithContent(do.searchDocs, docsContent), Foreign: foreign(failure("Search"), page),
			},
			{
				Name: "code_research", Title: "Research code", Effect: toolset.Reads, Slow: toolset.Always, Task: true, NextOp: next.Research,
				Text:   "Deep architectural analysis with multi-hop search: callers and their callers, implementations, dependencies",
				Params: []toolset.Param{query, path, {Name: "depth"}, {Name: "focus"}},
				Op:     toolset.WithContent(do.codeResearch, jsonContent), Foreign: foreign(failure("Research"), graph),
			},
			{
				Name: "check_indexing_status", Title: "Check indexing status", Effect: toolset.Reads,
				Text:   "Report how far index_codebase is that was called with async",
				Params: []toolset.Param{{Name: "task_id"}},
				Op:     toolset.WithContent(status, jsonContent), Foreign: foreign(failureOfJob, clock),
			},
		},
	}
}

// The icons of the tools, as paths on a square of 24 units.
const (
	boxes = "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z"
	lens  = "M10 4a6 6 0 1 0 0 12a6 6 0 1 0 0-12M15 15l5 5"
	page  = "M6 3h9l4 4v14H6zM9 11h7M9 15h7"
	graph = "M6 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6M18 3a3 3 0 1 0 0 6a3 3 0 1 0 0-6M18 15a3 3 0 1 0 0 6a3 3 0 1 0 0-6M9 11l6-4M9 13l6 4"
	clock = "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5l4 2"
)

// icon is an icon with the outline of a path.
func icon(path string) []toolset.Icon {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#888" stroke-width="2"><path d="` + path + `"/></svg>`
	return []toolset.Icon{{
		Src: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg)), MIME: "image/svg+xml", Sizes: []string{"any"},
	}}
}

// setWeightDefault shows the share of the semantic score where a call does not say it.
func setWeightDefault(s *jsonschema.Schema) {
	s.Default = json.RawMessage(strconv.FormatFloat(shelf.DefaultWeight, 'f', -1, 64))
}

// jsonContent is a result as JSON.
func jsonContent[I, R any](_ I, r R) ([]toolset.Block, error) {
	text, err := toolset.JSON(r)
	return []toolset.Block{assistantText(text)}, err
}

// assistantText is a text that models are to read; people see what they make of it.
func assistantText(text string) toolset.Block {
	return toolset.Block{Text: text, Hints: toolset.Annotations{Audience: []string{toolset.ForAssistant}}}
}
