package prose

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The nodes of a table: rows, the first of which is its head, with cells.
type (
	table struct{ ast.BaseBlock }
	row   struct {
		ast.BaseBlock
		head bool
	}
	cell struct {
		ast.BaseBlock
		align string // left, right, center or ""
	}
)

var (
	kindTable = ast.NewNodeKind("ProseTable")
	kindRow   = ast.NewNodeKind("ProseRow")
	kindCell  = ast.NewNodeKind("ProseCell")
)

// Kind implements goldmark's node.
func (t *table) Kind() ast.NodeKind { return kindTable }

// Dump implements goldmark's node.
func (t *table) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// Kind implements goldmark's node.
func (r *row) Kind() ast.NodeKind { return kindRow }

// Dump implements goldmark's node.
func (r *row) Dump(source []byte, level int) { ast.DumpHelper(r, source, level, nil, nil) }

// Kind implements goldmark's node.
func (c *cell) Kind() ast.NodeKind { return kindCell }

// Dump implements goldmark's node.
func (c *cell) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// maxCells bounds the cells of a row, so that a short row of a wide table costs little.
const maxCells = 64

// tableTransformer makes tables of paragraphs that have a line of dashes below their first one.
type tableTransformer struct{}

// Transform implements goldmark's paragraph transformer.
func (tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, src := node.Lines(), reader.Source()
	if lines.Len() < 2 {
		return
	}
	aligns := alignments(lines.At(1), src)
	head := cellsOf(lines.At(0), src)
	if len(aligns) == 0 || len(aligns) != len(head) || len(head) > maxCells {
		return
	}
	t := &table{}
	t.AppendChild(t, rowOf(head, aligns, true))
	for i := 2; i < lines.Len(); i++ {
		t.AppendChild(t, rowOf(cellsOf(lines.At(i), src), aligns, false))
	}
	parent := node.Parent()
	parent.ReplaceChild(parent, node, t)
}

// rowOf returns a row with one cell for each column.
func rowOf(cells []text.Segment, aligns []string, head bool) *row {
	r := &row{head: head}
	for i, align := range aligns {
		c := &cell{align: align}
		if i < len(cells) && !cells[i].IsEmpty() {
			c.Lines().Append(cells[i])
		}
		r.AppendChild(r, c)
	}
	return r
}

// cellsOf divides a line at its pipes, except those behind a backslash.
func cellsOf(line text.Segment, src []byte) (cells []text.Segment) {
	line = trimmed(line, src)
	begin := line.Start
	if begin < line.Stop && src[begin] == '|' {
		begin++
	}
	add := func(end int) {
		cells = append(cells, trimmed(text.NewSegment(begin, end), src))
		begin = end + 1
	}
	for i := begin; i < line.Stop; i++ {
		switch src[i] {
		case '\\':
			i++
		case '|':
			add(i)
		}
	}
	if begin < line.Stop {
		add(line.Stop)
	}
	return cells
}

func trimmed(s text.Segment, src []byte) text.Segment {
	s = s.TrimLeftSpace(src)
	return s.TrimRightSpace(src)
}

// alignments returns the alignment of each column that a line of dashes sets, nil if the line is something else.
func alignments(line text.Segment, src []byte) (aligns []string) {
	if !bytes.Contains(line.Value(src), []byte("-")) || !bytes.Contains(line.Value(src), []byte("|")) {
		return nil
	}
	for _, c := range cellsOf(line, src) {
		mark := string(c.Value(src))
		dashes := strings.TrimSuffix(strings.TrimPrefix(mark, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		left, right := strings.HasPrefix(mark, ":"), strings.HasSuffix(mark, ":")
		switch {
		case left && right:
			aligns = append(aligns, "center")
		case right:
			aligns = append(aligns, "right")
		case left:
			aligns = append(aligns, "left")
		default:
			aligns = append(aligns, "")
		}
	}
	return aligns
}
