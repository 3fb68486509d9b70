package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"
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
	if err != nil || out.String() != want {
		t.Errorf("%v\n%q, want\n%q", err, out.String(), want)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := Markdown(&out, Table{[]string{"title", "n"}, [][]any{{"a | b\n`c` <b> \x1b[1m*d*", 2}, {nil, 0.5}}})
	want := "| title | n |\n| --- | --- |\n| a \\| b \\`c\\` &lt;b> \\[1m\\*d\\* | 2 |\n|  | 0.5 |\n"
	if err != nil || out.String() != want {
		t.Errorf("%v\n%q, want\n%q", err, out.String(), want)
	}
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
		if err := CSV(&out, table); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		want := strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n") // RFC 4180 readers do
		if err != nil || len(rows) != 2 || !slices.Contains([]string{want, "'" + want}, rows[1][0]) {
			t.Fatalf("%q came back as %q, %v", text, rows, err)
		}
		if cell := rows[1][0]; cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
			t.Fatalf("%q reads as a formula", cell)
		}
		out.Reset()
		if err := Markdown(&out, table); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		bars := strings.Count(strings.ReplaceAll(lines[2], `\\`, ""), "|") - strings.Count(strings.ReplaceAll(lines[2], `\\`, ""), `\|`)
		if len(lines) != 4 || bars != 3 {
			t.Fatalf("%q has the row %q", text, lines[2])
		}
	})
}
