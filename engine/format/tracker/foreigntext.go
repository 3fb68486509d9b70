package tracker

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/markdown"
)

// This file takes away what a text means to chant that was written for another tool, and perhaps by a stranger: nothing of
// it may become a command, a setting, a remark of a person or a result of a run. Acceptance criteria stay what they are,
// without their commands.

// commandSpan is the beginning of a code span that a criterion runs as a command.
var commandSpan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(`\\s*)\\$") })

// WithoutMeaning returns a document as text alone, and what was changed for that.
func WithoutMeaning(doc *markdown.Document) (*markdown.Document, []Field, error) {
	var changed []Field
	doc, renamed, err := renameHeadings(doc)
	if err != nil {
		return nil, nil, err
	}
	if len(renamed) > 0 {
		changed = append(changed, Field{Name: "headings that chant reads", Value: "are marked as imported: " + strings.Join(renamed, ", ")})
	}
	// "chant lint --fix" makes front matter of such a block.
	if late, found := doc.LateMatter(); found {
		src := bytes.SplitAfter(doc.Bytes(), []byte("\n"))
		src = slices.Insert(src, late.Line-1, []byte("(imported)\n\n"))
		if doc, err = markdown.Parse(doc.Path(), bytes.Join(src, nil)); err != nil {
			return nil, nil, err
		}
		changed = append(changed, Field{Name: "a block like front matter", Value: "is kept as text"})
	}
	if hasCommands(doc) {
		if doc, err = markdown.Parse(doc.Path(), commandSpan().ReplaceAll(doc.Bytes(), []byte(`${1}\$$`))); err != nil {
			return nil, nil, err
		}
		changed = append(changed, Field{Name: "criteria that end in a command", Value: "are kept as text (a backslash before the $)"})
	}
	return doc, changed, nil
}

// hasCommands reports whether an item of a list ends in a command. It need not be a criterion: "chant lint --fix" corrects
// headings and boxes.
func hasCommands(doc *markdown.Document) bool {
	return slices.ContainsFunc(doc.Items(), func(it markdown.Item) bool {
		return slices.ContainsFunc(it.Code, func(code string) bool { return strings.HasPrefix(strings.TrimSpace(code), "$") })
	})
}

// renameHeadings marks the headings of sections that chant runs, or in which it or people write.
func renameHeadings(doc *markdown.Document) (*markdown.Document, []string, error) {
	reserved := append(spec.RunHeadings(), spec.ScriptHeading, spec.DiscussionHeading, task.Heading)
	headings := doc.Headings()
	slices.Reverse(headings)
	src, renamed := doc.Bytes(), []string(nil)
	for _, h := range headings {
		text := strings.TrimSpace(h.Text)
		if !slices.ContainsFunc(reserved, func(name string) bool { return strings.EqualFold(name, text) }) {
			continue
		}
		line := src[h.Start:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		at := h.Start + len(bytes.TrimRight(line, " \t\r#"))
		src = slices.Concat(src[:at], []byte(" (imported)"), src[at:])
		renamed = append(renamed, text)
	}
	if len(renamed) == 0 {
		return doc, nil, nil
	}
	slices.Reverse(renamed)
	out, err := markdown.Parse(doc.Path(), src)
	return out, renamed, err
}
