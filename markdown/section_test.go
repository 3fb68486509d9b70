package markdown

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestHeadings(t *testing.T) {
	t.Parallel()
	src := "---\na: 1\n---\n# One #\n\n> # quoted\n\n- # item\n\n```\n# fenced\n```\nTwo\nlines\n---\n   ### Th*ree* `x`\n###\n\n    # code\n## Four\n"
	want := []Heading{
		{1, "One", 4, 13, 0},
		{2, "Two lines", 13, 0, 0},
		{3, "Th*ree* `x`", 16, 0, 0},
		{3, "", 17, 0, 0},
		{2, "Four", 20, 0, 0},
	}
	marks := []string{"# One", "Two", "   ###", "###\n\n", "## Four"}
	for i := range want {
		want[i].Start = strings.Index(src, marks[i])
	}
	want[3].Start = strings.Index(src, "\n###\n\n") + 1
	want[0].End, want[1].End, want[4].End = len(src), want[4].Start, len(src)
	want[2].End, want[3].End = want[3].Start, want[4].Start
	assert.Equal(t, want, mustParse(t, src).Headings())
}

func TestSection(t *testing.T) {
	t.Parallel()
	src := "---\na: 1\n---\n# T\nintro\n## Notes \none\n### Deep\ntwo\n\nPlan\n----\nthree\n## notes\nfour"
	tests := []struct {
		title, want string
		found       bool
	}{
		{"NOTES", "one\n### Deep\ntwo\n\n", true},
		{" deep ", "two\n\n", true},
		{"plan", "three\n", true},
		{"T", "intro\n## Notes \none\n### Deep\ntwo\n\nPlan\n----\nthree\n## notes\nfour", true},
		{"Not", "", false},
		{"", "", false},
	}
	for _, eol := range []string{"\n", "\r\n"} {
		d := mustParse(t, strings.ReplaceAll(src, "\n", eol))
		for _, tt := range tests {
			got, found := d.Section(tt.title)
			assert.Equal(t, strings.ReplaceAll(tt.want, "\n", eol), string(got), "Section(%q)", tt.title)
			assert.Equal(t, tt.found, found, "Section(%q)", tt.title)
		}
	}
}

func TestAppendToSection(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"at the end", "## Log\n\nold\n", "## Log\n\nold\n\nnew\n"},
		{"empty section", "## Log\n", "## Log\n\nnew\n"},
		{"no final newline", "## Log\nold", "## Log\nold\n\nnew\n"},
		{"before a heading", "## Log\nold\n\n## Next\n", "## Log\nold\n\nnew\n\n## Next\n"},
		{"before a heading that is close", "## Log\nold\n## Next\n", "## Log\nold\n\nnew\n\n## Next\n"},
		{"deeper headings are inside", "# Log\nold\n## Sub\nx\n# Next\n", "# Log\nold\n## Sub\nx\n\nnew\n\n# Next\n"},
		{"blank lines stay", "## Log\nold\n\n\n\n", "## Log\nold\n\nnew\n\n\n\n"},
		{"missing", "---\na: 1\n---\n# T\n", "---\na: 1\n---\n# T\n\n## Log\n\nnew\n"},
		{"missing, empty body", "---\na: 1\n---\n", "---\na: 1\n---\n## Log\n\nnew\n"},
		{"missing, fence at the end", "---\na: 1\n---", "---\na: 1\n---\n## Log\n\nnew\n"},
		{"empty file", "", "## Log\n\nnew\n"},
		{"open fence", "## Log\n\n````sh\n```\nold\n", "## Log\n\n````sh\n```\nold\n````\n\nnew\n"},
		{"open fence without newline", "x\n~~~\nold", "x\n~~~\nold\n~~~\n\n## Log\n\nnew\n"},
		{"open empty fence", "x\n```", "x\n```\n```\n\n## Log\n\nnew\n"},
		{"closed fence", "x\n```\nold\n```\n", "x\n```\nold\n```\n\n## Log\n\nnew\n"},
		{"open comment", "x\n\n<!-- note\n", "x\n\n<!-- note\n-->\n\n## Log\n\nnew\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, eol := range []string{"\n", "\r\n"} {
				d := mustParse(t, strings.ReplaceAll(tt.src, "\n", eol))
				text := []byte("new\n\n--")[:3]
				next := d.AppendToSection("Log", text)
				want := strings.ReplaceAll(tt.want, "\n", eol)
				if !strings.Contains(tt.src, "\n") {
					want = tt.want // a file without line endings gets "\n"
				}
				assert.Equal(t, want, string(next.Bytes()))
				assert.Equal(t, "new\n\n--", string(text[:7]), "the caller's bytes changed")
				got, ok := next.Section("log")
				assert.True(t, ok, "Section = %q, %v", got, ok)
				assert.Contains(t, string(got), "new", "Section = %q", got)
			}
		})
	}
}

func TestDropSections(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, want string
		titles          []string
	}{
		{"every one", "# T\n## Log\nx\n## Keep\ny\n## LOG \nz\n", "# T\n## Keep\ny\n", []string{"log"}},
		{"with what is below", "# T\n## A\n### B\nx\n## C\n", "# T\n## C\n", []string{"a", "b"}},
		{"several", "## A\n## B\n## C\n", "## B\n", []string{"A", "C"}},
		{"none", "# T\nx", "# T\nx", []string{"Log"}},
		{"underlined heading behind", "text\n## A\nx\n\nNext\n----\n", "text\n\nNext\n----\n", []string{"A"}},
		{"front matter stays", "---\na: 1\n---\n## A\nx\n", "---\na: 1\n---\n", []string{"A"}},
		{"all that is left looks like front matter", "## A\n\nB\n--\n---\nx\n---\n", "B\n--\n---\nx\n---\n", []string{"A"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := mustParse(t, tt.src).DropSections(tt.titles...)
			assert.Equal(t, tt.want, string(d.Bytes()))
		})
	}
}

func TestCodeBlock(t *testing.T) {
	t.Parallel()
	src := "## A\n\ntext `x`\n\n    indented\n\n- item\n  ```yaml title\n  a:\n    b\n  ```\n> ~~~~ JSON\n> {}\n> ~~~\n> ~~~~\n\n```\nplain\n## A\n```\n## B\n```yaml\nother\n```\n## C\n```go\nopen"
	tests := []struct {
		title string
		langs []string
		want  string
		found bool
	}{
		{"a", nil, "a:\n  b\n", true},
		{"a", []string{"json", "yaml"}, "a:\n  b\n", true},
		{"a", []string{"json"}, "{}\n~~~\n", true},
		{"A", []string{""}, "plain\n## A\n", true},
		{"A", []string{"go"}, "", false},
		{"b", []string{"YAML"}, "other\n", true},
		{"c", nil, "open", true},
		{"d", nil, "", false},
	}
	d := mustParse(t, "---\na: 1\n---\n"+src)
	for _, tt := range tests {
		got, found := d.CodeBlock(tt.title, tt.langs...)
		assert.Equal(t, strings.TrimSuffix(tt.want, "\n"), strings.TrimSuffix(string(got), "\n"), "CodeBlock(%q, %q) = %q", tt.title, tt.langs, got)
		assert.Equal(t, tt.found, found, "CodeBlock(%q, %q) = %q", tt.title, tt.langs, got)
	}
}
