package markdown

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// mustParse parses a document that the test knows to be well formed.
func mustParse(t testing.TB, src string) *Document {
	t.Helper()
	d, err := Parse("doc.md", []byte(src))
	assert.NoError(t, err)
	return d
}

// samples returns the documents of testdata by name.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*.md"))
	assert.NoError(t, err)
	assert.NotEqual(t, 0, len(names))
	found := make(map[string][]byte, len(names))
	for _, name := range names {
		src, err := os.ReadFile(name)
		assert.NoError(t, err)
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
			assert.Equal(t, tt.src, string(d.Bytes()))
			assert.Equal(t, tt.fenced, d.HasFrontMatter())
			assert.Equal(t, tt.matter, string(d.FrontMatter()))
			assert.Equal(t, tt.body, string(d.Body()))
		})
	}
}

func TestParse_unclosed(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"---", "---\n", "\uFEFF---\r\na: 1\r\n", "---\na: |\n  ---\n", "---\n----\n"} {
		_, err := Parse("p.md", []byte(src))
		broken, ok := errors.AsType[*SyntaxError](err)
		assert.True(t, ok, "Parse(%q) = %v", src, err)
		assert.Equal(t, 1, broken.Line, "Parse(%q)", src)
		assert.HasPrefix(t, err.Error(), "p.md:1: ", "Parse(%q)", src)
	}
}

func TestParse_keepsItsOwnBytes(t *testing.T) {
	t.Parallel()
	src := []byte("---\na: 1\n---\nbody\n")
	d, err := Parse("p.md", src)
	assert.NoError(t, err)
	src[4] = 'b'
	_ = append(d.FrontMatter(), "overwritten"...)
	assert.Equal(t, "---\na: 1\n---\nbody\n", string(d.Bytes()))
	if d.Path() != "p.md" {
		t.Errorf("Path = %q", d.Path())
	}
}

func TestParse_samplesRoundTrip(t *testing.T) {
	t.Parallel()
	for name, src := range samples(t) {
		assert.Equal(t, string(src), string(mustParse(t, string(src)).Bytes()), "%s changed", name)
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
			assert.Equal(t, tt.want, string(d.Bytes()))
			assert.Equal(t, tt.body, string(d.Body()))
		})
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, want string }{
		{"", ""},
		{"# T\n# U\n", "T"},
		{"## No\n# Yes", "Yes"},
		{"#\n#   \n# ##\n# Yes\n", "Yes"},
		{"#No\n   #\tYes `x` *y*  ##  \n", "Yes `x` *y*"},
		{"    # code\n\t# code\n", ""},
		{"# a#\n", "a#"},
		{"# 漢字 #\r\n", "漢字"},
		{"```\n# no\n~~~\n``` x\n````\n# Yes\n", "Yes"},
		{"~~~ a`b\n# no\n```\n# no\n~~~~ \n# Yes\n", "Yes"},
		{"``` a`b\n# Yes\n", "Yes"},
		{"```\n# no\n    ```\n# no\n", ""},
		{"<!--\n# no\n--> x\n# Yes\n", "Yes"},
		{"<!-- x -->\n# Yes\n", "Yes"},
		{"text <!--\n# Yes\n", "Yes"},
		{"- a\n  # no\n\n  # no\n# Yes\n", "Yes"},
		{"1. ```\n   # no\n# Yes\n", "Yes"},
		{"> # no\n# Yes\n", "Yes"},
		{"\uFEFF# Yes\n", "Yes"},
		{"---\n# no\n---\n# Yes\n", "Yes"},
		{"Yes\n===\n", "Yes"},
		{"  Yes *so*\n  and more  \n =\r\n", "Yes *so* and more"},
		{"Two\n---\n# Yes\n", "Yes"},
		{"- item\nno\n===\n\nYes\n=\n", "Yes"},
		{"===\n# Yes\n", "Yes"},
		{"> no\nno\n===\n", ""},
		{"    no\n===\n", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, mustParse(t, tt.src).Title(), "Title(%q)", tt.src)
	}
}

// What is read of the first line alone and the syntax tree agree on documents made of what specs are made of.
func TestTitle_agreesWithTree(t *testing.T) {
	t.Parallel()
	block := rapid.SampledFrom([]string{
		"", "text", "two\nlines", "# Title", "# Title ##", "#", "# #", "#none", "## Two", "  # Title  ", "\n    # deep", "\n\t# tab",
		"# `a` #b", "\nSet\n===", "Set\n  =  ", "===", "two\n---", "***", "* * *", "<div>\n===\n", "a\n    b\n=", "> quote", "> # q", "b --> c", "text <!-- c", "<!-- a -->", "<!-- a\n# no\n--> # no",
		"```\n# no\n~~~\n```", "````go\n```\n# no\n    ````\n`````", "~~~ a`b\n# no\n\n~~~~", "   ```\n# no\n  ```  ", "``` a`b",
		"- item\n", "- # in item\n", "* x\n  more\n\n  # in item\n", "\n1. y\n   ```\n   # no\n   ```\n", "\n12) z\n    # in item\n", "\n-\n  # in item\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.SliceOfN(block, 0, 8).Draw(t, "blocks")
		if rapid.Bool().Draw(t, "open end") {
			blocks = append(blocks, rapid.SampledFrom([]string{"~~~\n# no", "<!--\n# no", "- x\n  # no"}).Draw(t, "end"))
		}
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		d, err := Parse("p.md", []byte(strings.ReplaceAll("\n"+strings.Join(blocks, "\n"), "\n", eol)))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := d.Title(), titleInTree(d); got != want {
			t.Fatalf("got %q, in the tree %q, of %q", got, want, d.Bytes())
		}
	})
}

// titleInTree returns the first level-1 heading with text.
func titleInTree(d *Document) string {
	for _, h := range d.Headings() {
		if h.Level == 1 && h.Text != "" {
			return h.Text
		}
	}
	return ""
}

// Specs that other people wrote, where a folder of them is at hand: CHANT_CORPUS, or one beside the project.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CHANT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus", "chant-specs")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(names) == 0 {
		t.Skipf("no specs in %q", dir)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		assert.NoError(t, err)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			checkSpec(t, name, src)
		})
	}
}

func checkSpec(t *testing.T, name string, src []byte) {
	t.Helper()
	d, err := Parse(name, src)
	assert.NoError(t, err)
	assert.Equal(t, src, d.Bytes(), "bytes changed")
	if got, want := d.Title(), titleInTree(d); got != want {
		t.Errorf("Title = %q, the tree has %q", got, want)
	}
	checkToggles(t, d, d.Tasks("Acceptance Criteria"))
	status := regexp.MustCompile(`(?m)^(status: *)\S+`)
	if !status.Match(d.FrontMatter()) {
		t.Skip("no status to edit")
	}
	next, err := d.Apply(Set("status", "some_status"))
	assert.NoError(t, err)
	at := status.FindSubmatchIndex(src)
	want := append(append(bytes.Clone(src[:at[3]]), "some_status"...), src[at[1]:]...)
	if !bytes.Equal(next.Bytes(), want) {
		t.Errorf("edit changed more than the status:\n%s", next.FrontMatter())
	}
}
