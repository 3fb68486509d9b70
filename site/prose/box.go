package prose

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// box is the box of a task.
type box struct {
	ast.BaseInline
	ticked bool
}

var kindBox = ast.NewNodeKind("ProseBox")

// Kind implements goldmark's node.
func (b *box) Kind() ast.NodeKind { return kindBox }

// Dump implements goldmark's node.
func (b *box) Dump(source []byte, level int) { ast.DumpHelper(b, source, level, nil, nil) }

// boxParser reads "[ ] ", "[x] " and "[X] " at the beginning of a list item.
type boxParser struct{}

// Trigger implements goldmark's inline parser.
func (boxParser) Trigger() []byte { return []byte{'['} }

// Parse implements goldmark's inline parser.
func (boxParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if parent.HasChildren() || parent.Parent() == nil || parent.Parent().Kind() != ast.KindListItem || parent.PreviousSibling() != nil {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 3 || line[2] != ']' || len(line) > 3 && line[3] != ' ' && line[3] != '\t' && line[3] != '\n' {
		return nil
	}
	switch line[1] {
	case ' ':
		block.Advance(3)
		return &box{}
	case 'x', 'X':
		block.Advance(3)
		return &box{ticked: true}
	}
	return nil
}
