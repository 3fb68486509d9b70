package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// TaskBox is "[ ]", "[x]" or "[X]" at the start of a list item, with white space behind it, which is part of it.
type TaskBox struct {
	ast.BaseInline
	Checked bool
}

// KindTaskBox is the kind of a task box among goldmark's nodes.
var KindTaskBox = ast.NewNodeKind("TaskBox")

// Kind implements goldmark's node.
func (*TaskBox) Kind() ast.NodeKind { return KindTaskBox }

// Dump implements goldmark's node.
func (b *TaskBox) Dump(src []byte, level int) { ast.DumpHelper(b, src, level, nil, nil) }

// TaskBoxParser finds task boxes, as GitHub Flavored Markdown describes them.
type TaskBoxParser struct{}

// Trigger implements goldmark's inline parser.
func (TaskBoxParser) Trigger() []byte { return []byte{'['} }

// Parse implements goldmark's inline parser.
func (TaskBoxParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	if !ok || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < len("[ ] ") || line[2] != ']' || bytes.IndexByte([]byte(" \t\f\rxX"), line[1]) < 0 || !isBlank(line[3:4]) {
		return nil
	}
	end := len("[ ]")
	for end < len(line) && isBlank(line[end:end+1]) {
		end++
	}
	block.Advance(end)
	return &TaskBox{Checked: line[1] == 'x' || line[1] == 'X'}
}
