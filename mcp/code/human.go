package code

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"chant/engine/code"
	"chant/engine/run/assist"
	"chant/mcp/toolset"
)

const (
	longRule   = 60
	shortRule  = 40
	shownLines = 5  // of code
	shownText  = 10 // lines of documentation
	shownDoc   = 100
)

// searchContent returns the results of a search in the format that was asked for.
func searchContent(in searchInput, r assist.SearchResult) ([]toolset.Block, error) {
	blocks, err := formatContent(in.Format, r, searchTOON, searchText)
	if in.Format == formatHuman {
		for _, h := range r.Results {
			blocks = withLink(blocks, r.Root, h.Path, h.Relevance)
		}
	}
	return blocks, err
}

// docsContent returns the results of a search of documentation in the format that was asked for.
func docsContent(in docsInput, r code.DocsResult) ([]toolset.Block, error) {
	blocks, err := formatContent(in.Format, r, docsTOON, docsText)
	if in.Format == formatHuman {
		for _, h := range r.Results {
			blocks = withLink(blocks, r.Root, h.Path, h.Relevance)
		}
	}
	return blocks, err
}

func formatContent[R any](format string, r R, compact func(R) (string, error), human func(R) string) ([]toolset.Block, error) {
	switch format {
	case formatJSON:
		return jsonContent(struct{}{}, r)
	case formatHuman:
		return []toolset.Block{{Text: human(r), Hints: toolset.Annotations{Audience: []string{toolset.ForUser, toolset.ForAssistant}}}}, nil
	}
	text, err := compact(r)
	return []toolset.Block{assistantText(text)}, err
}

// withLink adds a link to a file in which something was found, unless it is there already. People open it; the text names
// the file too.
func withLink(blocks []toolset.Block, root, file string, percent int) []toolset.Block {
	uri := url.URL{Scheme: "file", Path: path.Join("/", filepath.ToSlash(root), file)}
	// A file with several matches needs one link.
	for _, b := range blocks {
		if b.Link != nil && b.Link.URI == uri.String() {
			return blocks
		}
	}
	priority := float64(percent) / 100
	link := &toolset.Link{URI: uri.String(), Name: file, Description: fmt.Sprintf("Relevance: %d%%", percent), MIME: "text/plain"}
	if ext := path.Ext(file); ext == ".md" || ext == ".markdown" {
		link.MIME = "text/markdown"
	}
	return append(blocks, toolset.Block{
		Link: link, Hints: toolset.Annotations{Audience: []string{toolset.ForUser}, Priority: &priority}, Repeats: true,
	})
}

// sheet is a text that grows line by line.
type sheet struct{ strings.Builder }

func (s *sheet) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// rule is a line across the text.
func (s *sheet) rule(indent string, width int) {
	s.line("%s%s", indent, strings.Repeat("\u2500", width))
}

// part is a line with a name, if there is something to say.
func (s *sheet) part(name, value string) {
	if value != "" {
		s.line("    %s: %s", name, value)
	}
}

// excerpt is the beginning of a text.
func (s *sheet) excerpt(text string, lines int) {
	shown, more := head(text, lines)
	for line := range strings.SplitSeq(shown, "\n") {
		s.line("    %s", line)
	}
	if more > 0 {
		s.line("    ... (%s)", lineCount(more))
	}
}

// searchText returns the results of a search, for people.
func searchText(r assist.SearchResult) string {
	s := &sheet{}
	s.line("Search: %q", r.Query)
	for _, notice := range r.Notices {
		s.line("Note: %s", notice)
	}
	if e := r.Expanded; e != nil {
		s.line("Expanded: %s", strings.Join(append(append(append([]string{}, e.Synonyms...), e.Related...), e.Variations...), ", "))
	}
	if len(r.Results) == 0 {
		s.line("No results found.")
	} else {
		s.line("Found %s", countText(len(r.Results), "result"))
		s.rule("", longRule)
	}
	for i, h := range r.Results {
		s.line("\n[%d] %s:%d-%d", i+1, h.Path, h.StartLine, h.EndLine)
		s.part("Kind", h.Kind)
		s.part("Symbols", strings.Join(h.Symbols, ", "))
		s.part("Location", h.Breadcrumb)
		s.part("Signature", h.Signature)
		relevance := fmt.Sprintf("%d%%", h.Relevance)
		if h.Rank > 0 {
			relevance += fmt.Sprintf(" (keyword rank #%d)", h.Rank)
		}
		s.part("Relevance", relevance)
		s.part("Doc", clip(h.Doc, shownDoc))
		s.rule("    ", shortRule)
		s.excerpt(h.Content, shownLines)
	}
	s.synthesis(r.Synthesis)
	if len(r.FollowUps) > 0 {
		s.line("\nSuggested Follow-ups:")
		for _, f := range r.FollowUps {
			s.line("  - %s (%s): %s", f.Query, f.Category, f.Rationale)
		}
	}
	return strings.TrimRight(s.String(), "\n")
}

// synthesis is the summary of a provider, if there is one.
func (s *sheet) synthesis(of *assist.Synthesis) {
	if of == nil {
		return
	}
	s.line("\nSummary:\n  %s", of.Summary)
	if len(of.Insights) > 0 {
		s.line("\nKey Insights:")
		for _, insight := range of.Insights {
			s.line("  - %s", insight)
		}
	}
	if len(of.References) > 0 {
		s.line("\nCode References:")
		for _, ref := range of.References {
			s.line("  - %s:%d %s", ref.Path, ref.Line, ref.Description)
		}
	}
	s.line("\nConfidence: %.0f%%", 100*of.Confidence)
}

// docsText returns the results of a search of documentation, for people.
func docsText(r code.DocsResult) string {
	s := &sheet{}
	s.line("Documentation Search: %q", r.Query)
	if len(r.Results) == 0 {
		s.line("No documentation found.")
		return strings.TrimRight(s.String(), "\n")
	}
	s.line("Found %s", countText(len(r.Results), "result"))
	s.rule("", longRule)
	for i, h := range r.Results {
		s.line("\n[%d] %s:%d-%d", i+1, h.Path, h.StartLine, h.EndLine)
		s.part("Section", h.Breadcrumb)
		s.part("Relevance", fmt.Sprintf("%d%%", h.Relevance))
		s.rule("    ", shortRule)
		s.excerpt(h.Content, shownText)
	}
	return strings.TrimRight(s.String(), "\n")
}

// countText is a number with its noun.
func countText(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
