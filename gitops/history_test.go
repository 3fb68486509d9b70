package gitops

import (
	"context"
	"strings"
	"testing"

	"chant/gitops/objectstore"

	"github.com/alecthomas/assert/v2"
)

func TestLog(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	first := s.git("rev-parse", "HEAD")
	s.git("commit", "-q", "--allow-empty", "-m", "chant(a): start\n\nBody é\n\nChant-Spec: a\nChant-Event: start\n")
	s.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
	s.git("config", "log.showSignature", "true")
	commits := must[[]Commit](t)(s.Log(ctx, first, "trunk"))
	assert.Equal(t, 2, len(commits))
	assert.Equal(t, "chant(a): start", commits[1].Subject)
	assert.Equal(t, "start", commits[1].Trailers["Chant-Event"])
	for _, c := range must[[]Commit](t)(s.Log(ctx, "", "trunk")) {
		read := must[Commit](t)(s.ReadCommit(ctx, c.Hash))
		read.Message = strings.TrimRight(read.Message, "\n")
		assert.Equal(t, strings.TrimRight(c.Message, "\n"), read.Message)
		read.Message, c.Message = "", ""
		if len(read.Parents) == 0 {
			read.Parents, c.Parents = nil, nil
		}
		assert.Equal(t, c, read)
	}
	assert.Zero(t, must[[]Commit](t)(s.Log(ctx, "trunk", "trunk")))
}

func TestTrailers(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]map[string]string{
		"a: subject":                       nil,
		"s\n\nA: 1\nB-C: two words\n":      {"A": "1", "B-C": "two words"},
		"s\n\nbody: not\nthis one\n":       nil,
		"s\n\nA: 1\n\nB: 2":                {"B": "2"},
		"s\n\nA: 1\n  more\nA: 2\n  end\n": {"A": "2 end"},
		"s\n\nA:1":                         {"A": "1"},
		"":                                 nil,
	} {
		assert.Equal(t, want, objectstore.Trailers(message), "%q", message)
	}
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.write(".gitignore", ".chant/\n*.txt\n!keep.txt\n")
	paths := []string{".chant/specs/a é.md", "base.txt", "new.txt", "keep.txt", "sub/x*.txt", "plain", ".chant"}
	got := must[map[string]bool](t)(s.Ignored(ctx, paths...))
	want := map[string]bool{".chant/specs/a é.md": true, "base.txt": false, "new.txt": true, "keep.txt": false, "sub/x*.txt": true, "plain": false, ".chant": false}
	assert.Equal(t, want, got)
}
