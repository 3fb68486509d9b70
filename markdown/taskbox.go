package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// TaskBoxParser finds task boxes, as GitHub Flavored Markdown describes them: "[ ]", "[x]" or "[X]" at the start of a list
// item, with white space behind it, which is part of the node.
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
	return extast.NewTaskCheckBox(line[1] == 'x' || line[1] == 'X')
}
