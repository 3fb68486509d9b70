package message

import (
	"slices"
	"testing"

	"chant/gitops"
)

func TestRecords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Record{
		"chant(a): edit\n\nChant-Spec: a\nChant-Event: edit\n": {{"a", "edit"}},
		"Fix it\n\nwords\n":                              nil,
		"Fix it\n\nChant-Event: edit\n":                  nil,
		"x\n\nChant-Spec: a\nChant-Event: start\n\nmore": nil,
		"x\n\nChant-Spec: a\nChant-Event: start\nChant-Spec: b\nChant-Event: add\nOther: c": {{"a", "start"}, {"b", "add"}},
	} {
		if got := Records(gitops.Commit{Message: text, Trailers: gitops.Trailers(text)}); !slices.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
}
