package message

import (
	"testing"

	"chant/gitops"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, want, Records(gitops.Commit{Message: text, Trailers: gitops.Trailers(text)}), "%q", text)
	}
}
