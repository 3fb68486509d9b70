package prose

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Widths of the columns of a table, in cells.
const (
	columnGap = 2
	minColumn = 6 // to which a column is narrowed at most
)

// table draws a table in columns, whose cells are wrapped where it is wider than the terminal; ok is false for one that
// has no line of dashes below its heads, or too many columns.
func (r renderer) table(n ast.Node, width int) (lines []string, ok bool) {
	var rows [][][]word
	source := n.Lines()
	for i := range source.Len() {
		line := source.At(i)
		cells := cellsOf(string(line.Value(r.source)))
		if i == 1 {
			if !isRule(cells) || len(cells) != len(rows[0]) {
				return nil, false
			}
			continue
		}
		style := None
		if i == 0 {
			style = Bold
		}
		var row [][]word
		for _, cell := range cells {
			row = append(row, cellWords(cell, style))
		}
		rows = append(rows, row)
	}
	widths := columnWidths(rows, width)
	if widths == nil {
		return nil, false
	}
	for i, row := range rows {
		lines = append(lines, drawCells(row, widths)...)
		if i == 0 {
			lines = append(lines, Faint.Paint(strings.Repeat("─", min(width, sum(widths)+columnGap*(len(widths)-1)))))
		}
	}
	return lines, true
}

// cellsOf divides a line of a table at its bars, except for those in code and behind a backslash.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var cells []string
	var cell strings.Builder
	code := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
			continue
		case line[i] == '`':
			code = !code
		case line[i] == '|' && !code:
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
			continue
		}
		cell.WriteByte(line[i])
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

// isRule reports whether a line of cells divides heads from rows.
func isRule(cells []string) bool {
	for _, cell := range cells {
		if !strings.Contains(cell, "-") || strings.Trim(cell, "-:") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// cellWords returns the words of a cell, with its code in a style.
func cellWords(cell string, style Style) []word {
	var out []word
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			out = append(out, split(part, style.And(Yellow))...)
			continue
		}
		pieces := split(part, style)
		// A blank behind code belongs to the word before it.
		if len(pieces) > 0 && pieces[0].text == "" && len(out) > 0 {
			out[len(out)-1].space = true
			pieces = pieces[1:]
		}
		out = append(out, pieces...)
	}
	return out
}

// columnWidths returns the widths of columns that fit a width together, nil if they cannot. The widest are narrowed first.
func columnWidths(rows [][][]word, width int) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row[:min(len(row), len(widths))] {
			if lines := wrap(cell, 1<<16); len(lines) > 0 {
				widths[i] = max(widths[i], Width(lines[0]))
			}
		}
	}
	room := width - columnGap*(len(widths)-1)
	for sum(widths) > room {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= minColumn {
			return nil
		}
		widths[widest]--
	}
	return widths
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// drawCells draws a row, whose cells may have several lines.
func drawCells(row [][]word, widths []int) []string {
	var columns [][]string
	height := 1
	for i, width := range widths {
		var lines []string
		if i < len(row) {
			lines = wrap(row[i], max(width, 1))
		}
		columns = append(columns, lines)
		height = max(height, len(lines))
	}
	out := make([]string, height)
	for y := range out {
		var line strings.Builder
		// Blanks are only written before a cell with a text, so that no line ends in them.
		blank := 0
		for i, lines := range columns {
			cell := ""
			if y < len(lines) {
				cell = lines[y]
			}
			if cell != "" {
				line.WriteString(strings.Repeat(" ", blank) + cell)
				blank = 0
			}
			blank += widths[i] - Width(cell) + columnGap
		}
		out[y] = line.String()
	}
	return out
}
