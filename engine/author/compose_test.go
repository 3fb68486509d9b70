package author

import (
	"strings"
	"testing"

	"chant/engine/spec"
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
		if title != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", in, title, rest)
		}
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
		if title, rest := splitDescription(text); title != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", text, title, rest)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if c := spec.Criteria(again.Doc); len(c) != 2 || c[0].Text != "one" || !c[1].Runs() || again.Title != "A" {
			t.Errorf("%q: %+v\n%s", open, c, doc.Bytes())
		}
	}
}
