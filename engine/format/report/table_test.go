package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := CSV(&out, Table{[]string{"id", "labels", "n", "cost", "ok", "none"}, [][]any{
		{"a,\"b\"", []string{"x", "y"}, -3, 0.25, true, nil},
		{"=HYPERLINK(1)", []string{"@x"}, 0, 1e-7, false, nil},
		{"-1", []string{}, 1, 12345678.9, false, "\tx"},
	}})
	want := "id,labels,n,cost,ok,none\n\"a,\"\"b\"\"\",x; y,-3,0.25,true,\n'=HYPERLINK(1),'@x,0,0.0000001,false,\n'-1,,1,12345678.9,false,'\tx\n"
	assert.NoError(t, err)
	assert.Equal(t, want, out.String())
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := Markdown(&out, Table{[]string{"title", "n"}, [][]any{{"a | b\n`c` <b> \x1b[1m*d*", 2}, {nil, 0.5}}})
	want := "| title | n |\n| --- | --- |\n| a \\| b \\`c\\` &lt;b> \\[1m\\*d\\* | 2 |\n|  | 0.5 |\n"
	assert.NoError(t, err)
	assert.Equal(t, want, out.String())
}

// FuzzTable: a CSV reader returns every text as written, except for an added apostrophe, and no text changes the shape
// of a Markdown table.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"", "=1", "a|b", "x\ny", "\"", "\r\n", "\\|", "\xff", "\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table := Table{[]string{"a", "b"}, [][]any{{text, 1}}}
		var out bytes.Buffer
		assert.NoError(t, CSV(&out, table))
		rows, err := csv.NewReader(&out).ReadAll()
		want := strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") // RFC 4180 readers do
		assert.NoError(t, err, "%q came back", text)
		assert.Equal(t, 2, len(rows), "%q came back", text)
		assert.SliceContains(t, []string{want, "'" + want}, rows[1][0], "%q came back", text)
		cell := rows[1][0]
		assert.False(t, cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r"), "%q reads as a formula", cell)
		out.Reset()
		assert.NoError(t, Markdown(&out, table))
		lines := strings.Split(out.String(), "\n")
		bars := strings.Count(strings.ReplaceAll(lines[2], `\\`, ""), "|") - strings.Count(strings.ReplaceAll(lines[2], `\\`, ""), `\|`)
		assert.Equal(t, 4, len(lines), "%q has the row %q", text, lines[2])
		assert.Equal(t, 3, bars, "%q has the row %q", text, lines[2])
	})
}
