package author

import (
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestAdd_splitsLongDescriptions(t *testing.T) {
	t.Parallel()
	long := "The first sentence says what. The second one says why, at a length that no title should ever have in a list."
	for in, want := range map[string][2]string{
		"short":              {"short", ""},
		"title\n\nbody":      {"title", "body"},
		long:                 {"The first sentence says what", "The second one says why, at a length that no title should ever have in a list."},
		"  spaced  \n text ": {"spaced", "text"},
	} {
		title, rest := splitDescription(in)
		assert.Equal(t, want[0], title, "%q", in)
		assert.Equal(t, want[1], rest, "%q", in)
	}
}

// TestSplitDescription uses the first line as the title, or the first sentence of one long line.
func TestSplitDescription(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long words ", 8)
	for text, want := range map[string][2]string{
		"Short":                     {"Short", ""},
		"Short. Still the title":    {"Short. Still the title", ""},
		"  First \n\n second\n":     {"First", "second"},
		long + "end. And the rest.": {long + "end", "And the rest."},
		long + "end.":               {long + "end", ""},
		"\n\nTitle\nrest":           {"Title", "rest"},
	} {
		title, rest := splitDescription(text)
		assert.Equal(t, want[0], title, "%q", text)
		assert.Equal(t, want[1], rest, "%q", text)
	}
}

// TestCompose_openBlocks: criteria are read as criteria, whatever block the description before them leaves open.
func TestCompose_openBlocks(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"```\ncode", "~~~~ go\ncode\n~~~", "<!-- note", "<div><script>", "- ```\n  x", "> quote", "| a | b |\n| - | - |", "1. x\n\n   y"} {
		doc, err := Compose("001", AddInput{Description: "A\n\n" + open, Criteria: []string{"one", "runs `$ true`"}})
		if err != nil {
			t.Errorf("%q: %v", open, err)
			continue
		}
		again, err := spec.Parse("001", "001.md", doc.Bytes())
		assert.NoError(t, err)
		c := spec.Criteria(again.Doc)
		assert.Equal(t, 2, len(c), "%q: %s", open, doc.Bytes())
		assert.Equal(t, "one", c[0].Text, "%q: %s", open, doc.Bytes())
		assert.True(t, c[1].Runs(), "%q: %+v\n%s", open, c, doc.Bytes())
		assert.Equal(t, "A", again.Title, "%q: %s", open, doc.Bytes())
	}
}
