package markdown

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mustParse parses a document that the test knows to be well formed.
func mustParse(t testing.TB, src string) *Document {
	t.Helper()
	d, err := Parse("doc.md", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// samples returns the documents of testdata by name.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	found := make(map[string][]byte, len(names))
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = src
	}
	return found
}

func TestParse_split(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src    string
		fenced       bool
		matter, body string
	}{
		{"empty file", "", false, "", ""},
		{"only a byte order mark", "\uFEFF", false, "", ""},
		{"no front matter", "# T\n", false, "", "# T\n"},
		{"empty front matter", "---\n---\n", true, "", ""},
		{"only front matter", "---\na: 1\n---\n", true, "a: 1\n", ""},
		{"no final newline", "---\na: 1\n---", true, "a: 1\n", ""},
		{"body without newline", "---\na: 1\n---\nx", true, "a: 1\n", "x"},
		{"CRLF", "---\r\na: 1\r\n---\r\nx\r\n", true, "a: 1\r\n", "x\r\n"},
		{"byte order mark", "\uFEFF---\na: 1\n---\nx", true, "a: 1\n", "x"},
		{"byte order mark without front matter", "\uFEFF# T\n", false, "", "# T\n"},
		{"blanks behind the fences", "--- \t\na: 1\n---\t \nx", true, "a: 1\n", "x"},
		{"indented dashes in a block scalar", "---\na: |\n  ---\n---\nx", true, "a: |\n  ---\n", "x"},
		{"dashes with text", "---\n--- a\n---b\n---\n", true, "--- a\n---b\n", ""},
		{"first line is not a fence", "----\n---\n", false, "", "----\n---\n"},
		{"blank first line", "\n---\n---\n", false, "", "\n---\n---\n"},
		{"dots do not end it", "---\na: 1\n...\n---\n", true, "a: 1\n...\n", ""},
		{"bytes that are no UTF-8", "---\na: \xff\n---\n\xfe", true, "a: \xff\n", "\xfe"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := mustParse(t, tt.src)
			if got := string(d.Bytes()); got != tt.src {
				t.Errorf("Bytes = %q, want %q", got, tt.src)
			}
			if d.HasFrontMatter() != tt.fenced || string(d.FrontMatter()) != tt.matter || string(d.Body()) != tt.body {
				t.Errorf("split = %v %q %q", d.HasFrontMatter(), d.FrontMatter(), d.Body())
			}
		})
	}
}

func TestParse_unclosed(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"---", "---\n", "\uFEFF---\r\na: 1\r\n", "---\na: |\n  ---\n", "---\n----\n"} {
		_, err := Parse("p.md", []byte(src))
		broken, ok := errors.AsType[*SyntaxError](err)
		if !ok || broken.Line != 1 || !strings.HasPrefix(err.Error(), "p.md:1: ") {
			t.Errorf("Parse(%q) = %v", src, err)
		}
	}
}

func TestParse_keepsItsOwnBytes(t *testing.T) {
	t.Parallel()
	src := []byte("---\na: 1\n---\nbody\n")
	d, err := Parse("p.md", src)
	if err != nil {
		t.Fatal(err)
	}
	src[4] = 'b'
	_ = append(d.FrontMatter(), "overwritten"...)
	if got := string(d.Bytes()); got != "---\na: 1\n---\nbody\n" {
		t.Errorf("document changed to %q", got)
	}
	if d.Path() != "p.md" {
		t.Errorf("Path = %q", d.Path())
	}
}

func TestParse_samplesRoundTrip(t *testing.T) {
	t.Parallel()
	for name, src := range samples(t) {
		if got := mustParse(t, string(src)).Bytes(); string(got) != string(src) {
			t.Errorf("%s changed to %q", name, got)
		}
	}
}

func TestWithBody(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, body, want string }{
		{"front matter stays", "---\na:  1 # c\n---\nold\n", "new\n", "---\na:  1 # c\n---\nnew\n"},
		{"fence without newline", "---\r\na: 1\r\n---", "new", "---\r\na: 1\r\n---\r\nnew"},
		{"empty body", "---\na: 1\n---\nold\n", "", "---\na: 1\n---\n"},
		{"byte order mark stays", "\uFEFFold", "new", "\uFEFFnew"},
		{"body like a front matter", "old\n", "---\nx\n", "---\n---\n---\nx\n"},
		{"body like a front matter, with a mark", "old\n", "\uFEFF---\nx\n", "---\n---\n\uFEFF---\nx\n"},
		{"body like a front matter, behind one", "---\n---\n", "---\nx\n", "---\n---\n---\nx\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := mustParse(t, tt.src).WithBody([]byte(tt.body))
			if got := string(d.Bytes()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := string(d.Body()); got != tt.body {
				t.Errorf("body %q, want %q", got, tt.body)
			}
		})
	}
}
