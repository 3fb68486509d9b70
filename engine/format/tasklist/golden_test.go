package tasklist

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// describe writes all that is known of a list.
func describe(src []byte) string {
	var b strings.Builder
	l := Parse(src)
	for i, p := range l.Phases {
		fmt.Fprintf(&b, "phase %d line %d %s %q number %q", i, p.Line, p.Kind, p.Title, p.Number)
		if p.Story != "" {
			fmt.Fprintf(&b, " %s %s", p.Story, p.Priority)
		}
		b.WriteString("\n")
	}
	graph, err := graphOf(l)
	for _, t := range l.Tasks {
		mark := " "
		if t.Done {
			mark = "x"
		}
		fmt.Fprintf(&b, "%s[%s] %s (phase %d line %d", strings.Repeat("  ", t.Depth), mark, t.Key, t.Phase, t.Line)
		if t.Parallel {
			b.WriteString(" parallel")
		}
		if t.Story != "" {
			b.WriteString(" " + t.Story)
		}
		if t.Parent >= 0 {
			b.WriteString(" below " + l.Tasks[t.Parent].Key)
		}
		fmt.Fprintf(&b, ") %s\n", t.Description)
		if len(t.DependsOn) > 0 {
			fmt.Fprintf(&b, "%s    names %s\n", strings.Repeat("  ", t.Depth), strings.Join(t.DependsOn, " "))
		}
		fmt.Fprintf(&b, "%s    waits for %s\n", strings.Repeat("  ", t.Depth), strings.Join(graph[t.Key], " "))
	}
	done, total := Progress(l)
	fmt.Fprintf(&b, "%d of %d done, error %v\n", done, total, err)
	if next := Next(l); next != nil {
		fmt.Fprintf(&b, "next %s\n", next.Key)
	}
	parts, err := Divide(l)
	for i, p := range parts {
		fmt.Fprintf(&b, "part %d %q %s %s depends on %v: open %s; done %s\n", i, p.Title, p.Story, p.Priority, p.DependsOn, strings.Join(p.Open, " "), strings.Join(p.Done, " "))
	}
	if err != nil {
		fmt.Fprintf(&b, "not divided: %v\n", err)
	}
	return b.String()
}

// TestGolden compares whole lists with what is known of them, in each form that an editor may write them in.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"speckit", "openspec"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(filepath.Join("testdata", name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".golden")
			got := describe(src)
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("differs from %s (UPDATE=1 writes it):\n%s", golden, got)
			}
			crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
			if with := describe(crlf); with != got {
				t.Errorf("with CRLF:\n%s", with)
			}
			if with := describe(append([]byte("\ufeff"), crlf...)); with != got {
				t.Errorf("with a byte order mark:\n%s", with)
			}
		})
	}
}
