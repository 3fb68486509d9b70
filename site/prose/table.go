package prose

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

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
	t := extast.NewTable()
	t.AppendChild(t, extast.NewTableHeader(rowOf(head, aligns)))
	for i := 2; i < lines.Len(); i++ {
		t.AppendChild(t, rowOf(cellsOf(lines.At(i), src), aligns))
	}
	parent := node.Parent()
	parent.ReplaceChild(parent, node, t)
}

// rowOf returns a row with one cell for each column.
func rowOf(cells []text.Segment, aligns []extast.Alignment) *extast.TableRow {
	r := extast.NewTableRow(aligns)
	// A short row gets all columns, and a long one loses what has no head.
	for i, align := range aligns {
		c := extast.NewTableCell()
		c.Alignment = align
		if i < len(cells) && !cells[i].IsEmpty() {
			c.Lines().Append(cells[i])
		}
		r.AppendChild(r, c)
	}
	return r
}

// cellsOf divides a line at its pipes, except those behind a backslash.
func cellsOf(line text.Segment, src []byte) (cells []text.Segment) {
	line = trimSpace(line, src)
	begin := line.Start
	if begin < line.Stop && src[begin] == '|' {
		begin++
	}
	add := func(end int) {
		cells = append(cells, trimSpace(text.NewSegment(begin, end), src))
		begin = end + 1
	}
	for i := begin; i < line.Stop; i++ {
		switch src[i] {
		case '\\':
			// A pipe behind a backslash is part of the cell.
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

func trimSpace(s text.Segment, src []byte) text.Segment {
	s = s.TrimLeftSpace(src)
	return s.TrimRightSpace(src)
}

// alignments returns the alignment of each column that a line of dashes sets, nil if the line is something else.
func alignments(line text.Segment, src []byte) (aligns []extast.Alignment) {
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
			aligns = append(aligns, extast.AlignCenter)
		case right:
			aligns = append(aligns, extast.AlignRight)
		case left:
			aligns = append(aligns, extast.AlignLeft)
		default:
			aligns = append(aligns, extast.AlignNone)
		}
	}
	return aligns
}
