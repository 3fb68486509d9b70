package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"chant/text"
)

// Table is rows with the names of their columns. A value is a string, []string, bool, int, float64, or nil for none.
type Table struct {
	Columns []string
	Rows    [][]any
}

// CSV writes a table by RFC 4180, with a header. A list is one cell, with its items joined by "; ". A text that a
// spreadsheet would take for a formula gets an apostrophe in front, as OWASP advises, because anyone can write a title.
func CSV(w io.Writer, t Table) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.Columns); err != nil {
		return err
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = cellText(value)
			// A spreadsheet would run a text as a formula, and anyone can write a title.
			if !isNumber(value) && strings.ContainsAny(firstByte(cells[i]), "=+-@\t\r\n") {
				cells[i] = "'" + cells[i]
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Markdown writes a table in GitHub's Markdown. The text of a cell is escaped, so it cannot end the cell or format it.
func Markdown(w io.Writer, t Table) error {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(t.Columns)
	b.WriteString(strings.Repeat("| --- ", len(t.Columns)) + "|\n")
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = escapeCell(cellText(value))
		}
		line(cells)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cellText returns a value as text.
func cellText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case []string:
		return strings.ToValidUTF8(strings.Join(v, "; "), "\uFFFD")
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func isNumber(value any) bool {
	switch value.(type) {
	case int, float64:
		return true
	}
	return false
}

func firstByte(text string) string { return text[:min(1, len(text))] }

// escapeCell returns a text on one line in which no character has a meaning in Markdown.
func escapeCell(content string) string {
	var b strings.Builder
	for _, c := range text.Printable(text.OneLine(content)) {
		switch {
		case c == '<':
			b.WriteString("&lt;")
			continue
		case strings.ContainsRune("\\`*_[]|~", c):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
