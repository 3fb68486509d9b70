package code

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/run/assist"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// call runs a tool as a server does and returns the texts of its reply, or those with which it reports its failure.
func call(t *testing.T, ctx context.Context, do operations, p *engine.Project, tool, arguments string) string {
	t.Helper()
	for _, row := range setOf(do).Tools {
		if row.Name != tool {
			continue
		}
		args, err := toolset.ParseArguments([]byte(arguments))
		assert.NoError(t, err)
		in, err := row.Decode(args)
		var content []toolset.Block
		if err == nil {
			_, content, err = row.Run(ctx, p, in)
		}
		if err == nil {
			return content[0].Text
		}
		text := ""
		if e, ok := errors.AsType[*engine.Error](err); ok {
			text = e.Message
		} else if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
			text = bad.Error()
		}
		f, known := row.Failure(err, text)
		if !known || len(f.Texts) != 1 {
			return "internal"
		}
		return f.Texts[0]
	}
	t.Fatalf("no tool %q", tool)
	return ""
}

// refusing are operations that fail with an error.
func refusing(err error) operations {
	return operations{
		index: func(context.Context, *engine.Project, code.IndexInput) (code.IndexResult, error) {
			return code.IndexResult{}, err
		},
		search: func(context.Context, *engine.Project, assist.SearchInput) (assist.SearchResult, error) {
			return assist.SearchResult{}, err
		},
		docs: func(context.Context, *engine.Project, code.DocsInput) (code.DocsResult, error) {
			return code.DocsResult{}, err
		},
		research: func(context.Context, *engine.Project, code.ResearchInput) (code.ResearchResult, error) {
			return code.ResearchResult{}, err
		},
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	refusal := func(c engine.Code, text string) error { return &engine.Error{Code: c, Message: text} }
	for _, tt := range []struct {
		tool, args string
		err        error
		want       string
	}{
		{"index_codebase", `{}`, nil, "Missing required argument: path"},
		{"index_codebase", `{"path":""}`, nil, "Missing required argument: path"},
		{"index_codebase", `{"path":"/x"}`, refusal(engine.Usage, "Path does not exist or is not a directory: /x"), "Path does not exist or is not a directory: /x"},
		{"index_codebase", `{"path":"/x"}`, refusal(engine.Canceled, "canceled"), "Indexing was cancelled"},
		{"index_codebase", `{"path":"/x"}`, refusal(engine.Conflict, "locked"), "Indexing failed: locked"},
		{"index_codebase", `{"path":"/x"}`, errors.New("a bug"), "internal"},
		{"index_codebase", `{"path":"/x","async":true}`, nil, "async needs a session, which this connection does not have: leave it out"},
		{"search_code", `{}`, nil, "Missing required argument: query"},
		{"search_code", `{"query":"x"}`, refusal(engine.Usage, "Query cannot be empty"), "Query cannot be empty"},
		{"search_code", `{"query":"x","limit":0}`, nil, "Limit must be greater than 0"},
		{"search_code", `{"query":"x","limit":-3}`, nil, "Limit must be greater than 0"},
		{"search_code", `{"query":"x","semantic_weight":1.5}`, nil, "Semantic weight must be between 0.0 and 1.0"},
		{"search_code", `{"query":"x","semantic_weight":-0.1}`, nil, "Semantic weight must be between 0.0 and 1.0"},
		{"search_code", `{"query":"x"}`, refusal(engine.NotFound, "No index found for path: /p. Run 'index_codebase' tool first."), "No index found for path: /p. Run 'index_codebase' tool first."},
		{"search_code", `{"query":"x"}`, refusal(engine.Conflict, "locked"), "Search failed: locked"},
		{"search_code", `{"query":"x"}`, context.Canceled, "Search was cancelled"},
		{"search_docs", `{"query":"x","limit":0}`, nil, "Limit must be greater than 0"},
		{"code_research", `{}`, nil, "Missing required argument: query"},
		{"code_research", `{"query":"x","depth":6}`, nil, "Depth must be between 1 and 5"},
		{"code_research", `{"query":"x","depth":0}`, nil, "Depth must be between 1 and 5"},
		{"code_research", `{"query":"x"}`, refusal(engine.Canceled, "canceled"), "Research was cancelled"},
		{"check_indexing_status", `{}`, nil, "Missing required argument: task_id"},
		{"check_indexing_status", `{"task_id":"t"}`, nil, "Task not found: t. The task may have expired or the ID is invalid."},
	} {
		assert.Equal(t, tt.want, call(t, t.Context(), refusing(tt.err), &engine.Project{}, tt.tool, tt.args), "%s %s", tt.tool, tt.args)
	}
	for args, want := range map[string]string{
		`{"query":"x","focus":"art"}`: "architecture", `{"query":"x","limit":"many"}`: "limit", `{"query":"x","colour":1}`: "colour",
	} {
		assert.Contains(t, call(t, t.Context(), refusing(nil), &engine.Project{}, "code_research", args), want, "%s", args)
	}
}

// found is a result with everything that a text can show.
func found() assist.SearchResult {
	long := "func Greet() {\n" + strings.Repeat("\tgreet(\"a\", 1)\n", 20) + "}"
	return assist.SearchResult{
		SearchResult: code.SearchResult{Query: "say hello, all", Count: 2, Semantic: "off: no model", Notices: []string{"no provider: the query was not expanded"}, Results: []code.Hit{
			{ID: "1", Path: "a/b.go", StartLine: 3, EndLine: 24, Kind: "function", Symbols: []string{"Greet"}, Relevance: 93, Content: long,
				Tokens: 80, Language: "go", Doc: "Greet says hello.\nTo all.", Signature: "func Greet()", Rank: 1},
			{ID: "2", Path: "c.swift", StartLine: 1, EndLine: 1, Kind: "class", Symbols: []string{"A", "B"}, Relevance: 5, Content: "class A {}\x01", Tokens: 2, Language: "swift", Breadcrumb: "A > B"},
		}},
		Expanded:  &assist.Expanded{Original: "say hello, all", Synonyms: []string{"greet"}, Variations: []string{"hello: all"}},
		Synthesis: &assist.Synthesis{Summary: "It greets.", Insights: []string{"one place"}, References: []assist.Reference{{Path: "a/b.go", Line: 3, Description: "greets"}}, Confidence: 0.7},
		FollowUps: []assist.FollowUp{{Query: "who calls Greet", Rationale: "callers", Category: "related_code"}},
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	docs := code.DocsResult{Query: "install", Count: 1, Results: []code.DocsHit{
		{ID: "1", Path: "README.md", StartLine: 1, EndLine: 3, Kind: "markdownSection", Content: "# Install\n\n`make install`\n", Tokens: 6, Language: "markdown", Relevance: 80, Breadcrumb: "Install"},
	}}
	do := operations{
		search: func(_ context.Context, _ *engine.Project, in assist.SearchInput) (assist.SearchResult, error) {
			if in.Query == "nothing" {
				return assist.SearchResult{SearchResult: code.SearchResult{Query: in.Query, Results: []code.Hit{}, Semantic: "ok"}}, nil
			}
			return found(), nil
		},
		docs: func(_ context.Context, _ *engine.Project, in code.DocsInput) (code.DocsResult, error) {
			if in.Query == "nothing" {
				return code.DocsResult{Query: in.Query, Results: []code.DocsHit{}}, nil
			}
			return docs, nil
		},
	}
	var out strings.Builder
	for _, tool := range []string{"search_code", "search_docs"} {
		for _, query := range []string{"all", "nothing"} {
			for _, format := range []string{"", `,"format":"human"`} {
				out.WriteString("== " + tool + " " + query + format + "\n" + call(t, t.Context(), do, &engine.Project{}, tool, `{"query":"`+query+`"`+format+`}`) + "\n")
			}
		}
	}
	golden := filepath.Join("testdata", "texts.golden")
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	assert.NoError(t, err)
	assert.Equal(t, string(want), out.String())
	var r assist.SearchResult
	text := call(t, t.Context(), do, &engine.Project{}, "search_code", `{"query":"all","format":"json"}`)
	assert.NoError(t, json.Unmarshal([]byte(text), &r), "as JSON: %s", text)
	assert.Equal(t, 2, r.Count, "as JSON: %s", text)
	assert.Equal(t, "func Greet()", r.Results[0].Signature, "as JSON: %s", text)
}

func TestProgress(t *testing.T) {
	t.Parallel()
	do := operations{
		index: func(_ context.Context, _ *engine.Project, in code.IndexInput) (code.IndexResult, error) {
			for i := range 1000 {
				in.Progress(i+1, 1000, "f")
			}
			return code.IndexResult{}, nil
		},
		research: func(_ context.Context, _ *engine.Project, in code.ResearchInput) (code.ResearchResult, error) {
			in.Progress(1, 2, "f")
			in.Progress(2, 2, "f")
			in.Hop(1, 2, 3)
			in.Hop(2, 2, 5)
			return code.ResearchResult{}, nil
		},
	}
	var events []engine.Event
	p := &engine.Project{}
	p.Progress = func(ev engine.Event) { events = append(events, ev) }
	call(t, t.Context(), do, p, "index_codebase", `{"path":"/x"}`)
	n := len(events)
	assert.True(t, n >= 50, "%d events, the last %+v", n, events[n-1])
	assert.True(t, n <= 150, "%d events, the last %+v", n, events[n-1])
	assert.Equal(t, 1000, events[n-1].Done)
	assert.Equal(t, 1000, events[n-1].Total)
	events = nil
	call(t, t.Context(), do, p, "code_research", `{"query":"x"}`)
	assert.Equal(t, 4, len(events))
	assert.Equal(t, 0, events[1].Total)
	assert.Equal(t, 3, events[2].Done)
	assert.Equal(t, 4, events[3].Done)
	assert.Equal(t, 4, events[3].Total)
}

// oneJob is a client with one job.
type oneJob struct {
	started toolset.Arguments
	poll    time.Duration
	job     toolset.Job
}

func (j *oneJob) Start(args toolset.Arguments, poll time.Duration) (string, error) {
	j.started, j.poll = args, poll
	return "job", nil
}

func (j *oneJob) Find(id string) (toolset.Job, bool) { return j.job, id == "job" }

func TestIndex_async(t *testing.T) {
	t.Parallel()
	jobs := &oneJob{}
	ctx := toolset.WithJobs(t.Context(), jobs)
	ask := func(tool, args string) map[string]any {
		t.Helper()
		text := call(t, ctx, refusing(errors.New("it runs")), &engine.Project{}, tool, args)
		var out map[string]any
		if json.Unmarshal([]byte(text), &out) != nil {
			return map[string]any{"error": text}
		}
		return out
	}
	got := ask("index_codebase", `{"path":"/x","force":true,"async":true,"poll_interval":2000}`)
	assert.True(t, got["task_id"] == "job", "started %v", got)
	assert.True(t, got["status"] == "started", "started %v", got)
	assert.True(t, got["path"] == nil, "started %v", got)
	assert.True(t, jobs.started["path"] == "/x", "started with %v, %s", jobs.started, jobs.poll)
	assert.True(t, jobs.started["force"] == true, "started with %v, %s", jobs.started, jobs.poll)
	assert.True(t, jobs.started["async"] == nil, "started with %v, %s", jobs.started, jobs.poll)
	assert.Equal(t, 2*time.Second, jobs.poll)
	for want, job := range map[string]toolset.Job{
		`{"files_processed":3,"message":"m","percent_complete":30,"retry_after_ms":10000,"status":"working","task_id":"job","total_files":10}`: {Status: "working", Message: "m", Done: 3, Total: 10},
		`{"error":"Indexing failed: no"}`:    {Status: "failed", Text: "Indexing failed: no"},
		`{"error":"Indexing was cancelled"}`: {Status: "cancelled"},
	} {
		jobs.job = job
		got, _ := json.Marshal(ask("check_indexing_status", `{"task_id":"job"}`))
		assert.Equal(t, want, string(got))
	}
	jobs.job = toolset.Job{Status: "completed", Result: json.RawMessage(`{"path":"/x","indexed_files":7,"total_files":9}`)}
	got = ask("check_indexing_status", `{"task_id":"job"}`)
	assert.True(t, got["path"] == "/x", "completed %v", got)
	assert.True(t, got["indexed_files"] == 7.0, "completed %v", got)
	assert.True(t, got["total_files"] == 9.0, "completed %v", got)
}
