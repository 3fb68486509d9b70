package code

import (
	"fmt"
	"strings"

	"chant/engine/code"
	"chant/engine/run/assist"
	"chant/mcp/code/toon"
)

// Limits of what a text shows.
const (
	docLetters   = 150
	codeLines    = 15
	contentLines = 20
)

// The rows of the tables. rank counts from 1 and is the same in all of them.
type (
	resultRow struct {
		Rank      int    `json:"r"`
		Relevance int    `json:"rel"`
		Path      string `json:"p"`
		Start     int    `json:"start"`
		End       int    `json:"end"`
		Kind      string `json:"k"`
		Symbols   string `json:"s"` // with a blank between two
		Language  string `json:"lang"`
		Tokens    int    `json:"tok"`
	}
	metaRow struct {
		Rank       int     `json:"r"`
		Signature  *string `json:"sig"`
		Breadcrumb *string `json:"bc"`
	}
	docRow struct {
		Rank int    `json:"r"`
		Doc  string `json:"doc"`
	}
	textRow struct {
		Rank int    `json:"r"`
		More int    `json:"more"` // lines that are not shown
		Text string `json:"text"`
	}
	insightRow struct {
		Path        string `json:"p"`
		Line        int    `json:"l"`
		Description string `json:"desc"`
	}
	followRow struct {
		Query    string `json:"q"`
		Category string `json:"cat"`
	}
	snippetRow struct {
		Rank       int     `json:"r"`
		Relevance  int     `json:"rel"`
		Path       string  `json:"p"`
		Start      int     `json:"start"`
		End        int     `json:"end"`
		Kind       string  `json:"k"`
		Breadcrumb *string `json:"bc"`
		Language   string  `json:"lang"`
		Tokens     int     `json:"tok"`
	}
)

// searchTOON returns the results of a search as TOON.
func searchTOON(r assist.SearchResult) (string, error) {
	out := toon.Object{{Key: "search", Value: toon.Object{{Key: "q", Value: r.Query}, {Key: "n", Value: r.Count}}}}
	add := func(key string, value any) { out = append(out, toon.Field{Key: key, Value: value}) }
	if r.Semantic != "" && r.Semantic != "ok" {
		add("semantic", r.Semantic)
	}
	if len(r.Notices) > 0 {
		add("notices", r.Notices)
	}
	if e := r.Expanded; e != nil {
		add("expanded", toon.Object{{Key: "syn", Value: nonNil(e.Synonyms)}, {Key: "rel", Value: nonNil(e.Related)}, {Key: "var", Value: nonNil(e.Variations)}})
	}
	results, meta, docs, texts := []resultRow{}, []metaRow{}, []docRow{}, []textRow{}
	for i, h := range r.Results {
		rank := i + 1
		results = append(results, resultRow{rank, h.Relevance, h.Path, h.StartLine, h.EndLine, h.Kind, strings.Join(h.Symbols, " "), h.Language, h.Tokens})
		if h.Signature != "" || h.Breadcrumb != "" {
			meta = append(meta, metaRow{rank, textOrNull(h.Signature), textOrNull(h.Breadcrumb)})
		}
		if h.Doc != "" {
			docs = append(docs, docRow{rank, clip(h.Doc, docLetters)})
		}
		text, more := head(h.Content, codeLines)
		texts = append(texts, textRow{rank, more, text})
	}
	add("results", results)
	if len(meta) > 0 {
		add("meta", meta)
	}
	if len(docs) > 0 {
		add("docs", docs)
	}
	if len(texts) > 0 {
		add("code", texts)
	}
	if s := r.Synthesis; s != nil {
		refs := []insightRow{}
		for _, ref := range s.References {
			refs = append(refs, insightRow{ref.Path, ref.Line, ref.Description})
		}
		add("synthesis", toon.Object{{Key: "sum", Value: s.Summary}, {Key: "insights", Value: nonNil(s.Insights)}, {Key: "refs", Value: refs}, {Key: "conf", Value: s.Confidence}})
	}
	if len(r.FollowUps) > 0 {
		var rows []followRow
		for _, f := range r.FollowUps {
			rows = append(rows, followRow{f.Query, f.Category})
		}
		add("follow_ups", rows)
	}
	text, err := toon.Marshal(out)
	return string(text), err
}

// docsTOON returns the results of a search of documentation as TOON.
func docsTOON(r code.DocsResult) (string, error) {
	snippets, texts := []snippetRow{}, []textRow{}
	for i, h := range r.Results {
		rank := i + 1
		snippets = append(snippets, snippetRow{rank, h.Relevance, h.Path, h.StartLine, h.EndLine, h.Kind, textOrNull(h.Breadcrumb), h.Language, h.Tokens})
		text, more := head(h.Content, contentLines)
		texts = append(texts, textRow{rank, more, text})
	}
	out := toon.Object{
		{Key: "docs_search", Value: toon.Object{{Key: "q", Value: r.Query}, {Key: "n", Value: r.Count}}},
		{Key: "snippets", Value: snippets},
	}
	if len(texts) > 0 {
		out = append(out, toon.Field{Key: "content", Value: texts})
	}
	text, err := toon.Marshal(out)
	return string(text), err
}

// textOrNull is a text, nil for an empty one.
func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// nonNil is a list that is empty rather than null.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// clip is a text on one line, cut after some letters.
func clip(text string, letters int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= letters {
		return string(runes)
	}
	return string(runes[:letters]) + "..."
}

// head is the beginning of a text, and how many lines follow it.
func head(text string, lines int) (shown string, more int) {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(all) <= lines {
		return strings.Join(all, "\n"), 0
	}
	return strings.Join(all[:lines], "\n"), len(all) - lines
}

// lineCount is a number of lines in words.
func lineCount(n int) string {
	if n == 1 {
		return "1 more line"
	}
	return fmt.Sprintf("%d more lines", n)
}
