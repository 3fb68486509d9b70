package code

import (
	"strings"

	"chant/engine"
)

// IndexInput says what is to be indexed.
type IndexInput struct {
	Path  string // an absolute folder; "" = the project's worktree. In a git repository its whole worktree is indexed
	Force bool   // read every file anew, as if there were no index
	// Progress is called for each file that is read, one call at a time; it may be nil.
	Progress func(done, total int, file string)
}

// IndexResult counts files and chunks. Chunks are pieces of code, snippets are pieces of documentation.
type IndexResult struct {
	Path          string    `json:"path"` // the top of the worktree
	Forced        bool      `json:"forced"`
	IndexedFiles  int       `json:"indexed_files"` // that were read and divided now
	SkippedFiles  int       `json:"skipped_files"` // whose content was known already
	ExcludedFiles int       `json:"excluded_files"`
	Removed       int       `json:"removed_files"` // that are not there any longer
	ChunksIndexed int       `json:"chunks_indexed"`
	Snippets      int       `json:"snippets_indexed"`
	TotalChunks   int       `json:"total_chunks"`
	TotalSnippets int       `json:"total_snippets"`
	TotalFiles    int       `json:"total_files"`
	Errors        int       `json:"errors"` // files that could not be read
	Failed        []Failure `json:"failed,omitempty"`
	Excluded      []Failure `json:"excluded,omitempty"` // files that are left out, each with the rule
	Saved         bool      `json:"saved"`              // false if the index cannot be written: then each process reads all files
	Semantic      string    `json:"semantic"`           // "ok", or why there is no semantic search
}

// Failure is a file that could not be read.
type Failure struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// SearchInput is a question about code.
type SearchInput struct {
	Query string
	Path  string // the project or a folder in it, whose files alone are searched; "" or "." = the whole worktree
	Limit int    // most results; 20 if it is 0
	// Weight is the share of the semantic score from 0 to 1; nil is the default, defaultWeight.
	Weight     *float64
	Extensions string                             // "swift,ts", without dots; "" = all
	PathFilter string                             // a glob of paths from the top of the worktree or from Path, or absolute: * within a folder, ** across folders
	Also       []string                           // further words and phrases, which count less than those of the query
	Build      bool                               // index a repository of which nothing has been indexed; otherwise that is an error
	Progress   func(done, total int, file string) // of indexing what is missing; may be nil
}

// SearchResult is what was found, the best first.
type SearchResult struct {
	Root    string `json:"-"` // the worktree, absolute
	Query   string `json:"query"`
	Count   int    `json:"result_count"`
	Results []Hit  `json:"results"`
	engine.Page
	Notices  []string `json:"notices,omitempty"` // what was asked for and could not be done
	Semantic string   `json:"semantic"`          // "ok", or why only words were compared
}

// Hit is a chunk of a file.
type Hit struct {
	ID         string   `json:"id"`   // of this chunk of this content, the same in every worktree
	Path       string   `json:"path"` // relative to the top of the worktree, with slashes
	StartLine  int      `json:"start_line"`
	EndLine    int      `json:"end_line"`
	Kind       string   `json:"kind"`
	Symbols    []string `json:"symbols"`
	Relevance  int      `json:"relevance_percent"` // 0 to 100, never rising from one hit to the next
	Content    string   `json:"content"`
	Tokens     int      `json:"token_count"` // roughly, a quarter of the characters
	Language   string   `json:"language"`
	Doc        string   `json:"doc_comment,omitempty"`
	Signature  string   `json:"signature,omitempty"`
	Breadcrumb string   `json:"breadcrumb,omitempty"`
	Keyword    float64  `json:"bm25_score,omitempty"`
	Meaning    *float64 `json:"semantic_score,omitempty"`
	Rank       int      `json:"keyword_rank,omitempty"` // among the hits of words alone, from 1
}

// Name returns the definition with those around it, or all that the piece defines.
func (h Hit) Name() string {
	if h.Breadcrumb != "" {
		return h.Breadcrumb
	}
	return strings.Join(h.Symbols, ", ")
}

// DocsInput is a question about documentation.
type DocsInput struct {
	Query      string
	Path       string
	Limit      int // 10 if it is 0
	PathFilter string
	Build      bool
	Progress   func(done, total int, file string)
}

// DocsResult has the pieces of documentation that were found, the best first.
type DocsResult struct {
	Root    string    `json:"-"`
	Query   string    `json:"query"`
	Count   int       `json:"result_count"`
	Results []DocsHit `json:"results"`
	engine.Page
}

// DocsHit is a section of a document.
type DocsHit struct {
	ID         string `json:"id"`
	Path       string `json:"path"`
	StartLine  int    `json:"start_line"`
	EndLine    int    `json:"end_line"`
	Kind       string `json:"kind"`
	Content    string `json:"content"`
	Tokens     int    `json:"token_count"`
	Language   string `json:"language"`
	Relevance  int    `json:"relevance_percent"`
	Breadcrumb string `json:"breadcrumb,omitempty"`
}

// ResearchInput is a question about how code is connected.
type ResearchInput struct {
	Query string
	Path  string
	Depth int    // hops, 1 to 5; 2 if it is 0
	Focus string // "", "architecture", "dependencies", "patterns" or "flow"
	Build bool
	// Progress is called for each file that is indexed, Hop before each hop; both may be nil.
	Progress func(done, total int, file string)
	Hop      func(hop, depth int, found int)
}

// ResearchResult is what following references has found.
type ResearchResult struct {
	Root       string         `json:"-"`
	Query      string         `json:"query"`
	Depth      int            `json:"depth"`
	Focus      string         `json:"focus,omitempty"`
	Analysis   string         `json:"analysis"`     // Markdown
	Count      int            `json:"result_count"` // of the references before they were cut to 50
	References []ResearchItem `json:"references"`
	Chains     []Chain        `json:"call_chains,omitempty"`
	Graph      string         `json:"graph,omitempty"` // a Mermaid flowchart
	Topics     []string       `json:"related_topics"`
	Notices    []string       `json:"notices,omitempty"` // why links were found by names only
}

// ResearchItem is a piece of code that belongs to the answer.
type ResearchItem struct {
	Path         string  `json:"path"` // for what is defined outside of the worktree, the import path of its package
	Line         int     `json:"line"` // 0 outside of the worktree
	Symbol       string  `json:"symbol"`
	Kind         string  `json:"kind"`
	Relationship string  `json:"relationship"`    // direct_match, calls, called_by, implements, implemented_by, imports, imported_by, references or referenced_by
	Hop          int     `json:"hop_level"`       // 0 for what the question names
	Confidence   float64 `json:"confidence"`      // 1 where the definition is known exactly; less where only a name says so
	Exact        bool    `json:"exact,omitempty"` // a type checker has found all links from what the question names
	From         string  `json:"from,omitempty"`
}

// Chain is a way along references, the first symbol uses the second and so on.
type Chain struct {
	Symbols    []string `json:"symbols"`
	Confidence float64  `json:"confidence"`      // of its weakest link
	Exact      bool     `json:"exact,omitempty"` // a type checker has found all its links
}
