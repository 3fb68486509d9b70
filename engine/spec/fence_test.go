package spec

import "testing"

func TestFenced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                  "```json\n\n```",
		"a\nb\n\n":          "```json\na\nb\n```",
		"a `` b ```` c":     "```````json\na `` b ```` c\n```````",
		"  indented\n```\n": "``````json\n  indented\n```\n``````",
	} {
		if got := Fenced("json", text); got != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", text, got, want)
		}
	}
}
