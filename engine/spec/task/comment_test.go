package task

import (
	"strings"
	"testing"
	"time"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func parse(t testing.TB, src string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse("a.md", []byte(src))
	assert.NoError(t, err)
	return doc
}

var at = time.Date(2026, 11, 26, 19, 30, 0, 0, time.UTC)

// TestAdd writes comments and reads them again.
func TestAdd(t *testing.T) {
	t.Parallel()
	said := []Comment{
		{By: "Ada", At: at, Text: "Dates without a zone:\n\n    parse(x)\n- [ ] not a box `$ rm -rf x`\n## no heading\n---\n1. a_b"},
		{By: "Bob *the* Builder", At: at, File: "src/dates.go", Line: 12, Text: "> quoted\n\\back"},
		{By: "Eve", At: at, File: "README.md", Text: "**Ada** - 2026-11-26 19:30"},
	}
	for _, src := range []string{
		"# A\n\n## Acceptance Criteria\n\n- [ ] one `$ true`\n", "# A\r\n\r\nText.\r\n", "", "---\nstatus: pending\n---\n# A\n\n## Review\n\n**Zoe**\n> first\n\n## More\n\ntext\n",
		"# A\n\n```sh\nan open fence",
	} {
		before := parse(t, src)
		doc := parse(t, string(Add(before, said...).Bytes()))
		got := Comments(doc)
		want := append(Comments(before), said...)
		assert.Equal(t, want, got, "%q:\n %s", src, doc.Bytes())
		if len(spec.Criteria(doc)) != len(spec.Criteria(before)) || len(doc.Headings()) > len(before.Headings())+1 {
			t.Errorf("%q: comments became criteria or headings\n%s", src, doc.Bytes())
		}
		assert.NotContains(t, string(DropComments(doc).Body()), "Builder", "%q: comments are left", src)
	}
}

// TestIn reads what people have written by hand.
func TestIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		section string
		want    []Comment
	}{
		"none":            {"What has to be reviewed:\n\n- all of it\n", nil},
		"empty":           {"", nil},
		"only a name":     {"**Ada**\n\nTry again.\n", []Comment{{By: "Ada", Text: "Try again."}}},
		"with a colon":    {"**Ada**:\nTry again.\n", []Comment{{By: "Ada", Text: "Try again."}}},
		"text before":     {"For all:\n\n**Ada** - `a.go`\n> x\n", []Comment{{Text: "For all:"}, {By: "Ada", File: "a.go", Text: "x"}}},
		"several lines":   {"**Ada** - 2026-11-26 19:30\n> one\n>\n> two\nmore\n", []Comment{{By: "Ada", At: at, Text: "one\n\ntwo\nmore"}}},
		"no time":         {"**Ada** - yesterday\n", nil},
		"an odd place":    {"**Ada** - `../a.go`\n", nil},
		"an odd time":     {"**Ada** - 2026-13-26 19:30\n> x\n", []Comment{{By: "Ada", Text: "x"}}},
		"bold in a quote": {"**Ada**\n> **Bob**\n", []Comment{{By: "Ada", Text: "**Bob**"}}},
	} {
		doc := parse(t, "# A\n\n## Review\n\n"+c.section)
		got := Comments(doc)
		assert.Equal(t, c.want, got, "%s", name)
		_, left := DropComments(doc).Section(Heading)
		assert.Equal(t, c.want == nil, left, "%s: the section is left", name)
	}
}

func TestParsePlace(t *testing.T) {
	t.Parallel()
	for place, want := range map[string]string{
		"a.go": "a.go", "a.go:12": "a.go:12", "./src/a.go:1": "src/a.go:1", `src\a.go`: "src/a.go", "with space.md:3": "with space.md:3",
		"": "", "a.go:": "", "a.go:0": "", "a.go:-1": "", "a.go:x": "", "../a.go": "", "/a.go": "", ".": "", ":3": "", "a`b": "", "a\nb": "", `C:\a.go`: "", "a\x1b": "",
	} {
		file, line, err := ParsePlace(place)
		assert.Equal(t, want, (Comment{File: file, Line: line}).Place(), "%q", place)
		assert.Equal(t, want != "", err == nil, "%q", place)
	}
}

// FuzzAdd: a comment is read as it was written, by the same author, and changes nothing else.
func FuzzAdd(f *testing.F) {
	f.Add("Ada", "text\n\n- [x] more", "a.go:3", "# A\n\n## Acceptance Criteria\n\n- [ ] one\n")
	f.Add("A*", "**B** - `x`", "", "---\na: b\n---\r\n## Review\r\n\r\n**Z**\r\n> q\r\n")
	f.Add("<!--", "-->\n~~~", "", "# A\n\n<!-- open")
	f.Fuzz(func(t *testing.T, by, said, place, src string) {
		before, err := markdown.Parse("a.md", []byte(src))
		if err != nil || strings.TrimSpace(Clean(said)) == "" {
			return
		}
		c := Comment{By: by, At: at, Text: said}
		if file, line, err := ParsePlace(place); err == nil {
			c.File, c.Line = file, line
		}
		doc, err := markdown.Parse("a.md", Add(before, c).Bytes())
		assert.NoError(t, err)
		if old := len(spec.Criteria(before)); len(spec.Criteria(doc)) != old {
			t.Errorf("%d criteria became %d:\n%s", old, len(spec.Criteria(doc)), doc.Bytes())
		}
		got := Comments(doc)
		assert.NotEqual(t, 0, len(got), "it is gone:\n%s", doc.Bytes())
		last := got[len(got)-1]
		if last.Text != Clean(said) || last.Place() != c.Place() || !last.At.Equal(at) {
			t.Errorf("%+v became %+v:\n%s", c, last, doc.Bytes())
		}
	})
}
