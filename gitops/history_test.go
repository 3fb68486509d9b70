package gitops

import (
	"context"
	"maps"
	"reflect"
	"strings"
	"testing"

	"chant/gitops/objectstore"
)

func TestLog(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	first := s.git("rev-parse", "HEAD")
	s.git("commit", "-q", "--allow-empty", "-m", "chant(a): start\n\nBody é\n\nChant-Spec: a\nChant-Event: start\n")
	s.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
	s.git("config", "log.showSignature", "true")
	commits := must[[]Commit](t)(s.Log(ctx, first, "trunk"))
	if len(commits) != 2 || commits[1].Subject != "chant(a): start" || commits[1].Trailers["Chant-Event"] != "start" {
		t.Fatalf("%+v", commits)
	}
	for _, c := range must[[]Commit](t)(s.Log(ctx, "", "trunk")) {
		read := must[Commit](t)(s.ReadCommit(ctx, c.Hash))
		if read.Message = strings.TrimRight(read.Message, "\n"); read.Message != strings.TrimRight(c.Message, "\n") {
			t.Errorf("messages %q, %q", read.Message, c.Message)
		}
		read.Message, c.Message = "", ""
		if len(read.Parents) == 0 {
			read.Parents, c.Parents = nil, nil
		}
		if !reflect.DeepEqual(read, c) {
			t.Errorf("read %+v, log %+v", read, c)
		}
	}
	if none := must[[]Commit](t)(s.Log(ctx, "trunk", "trunk")); len(none) != 0 {
		t.Error(none)
	}
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
		if got := objectstore.Trailers(message); !maps.Equal(got, want) {
			t.Errorf("%q: %q", message, got)
		}
	}
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	s.write(".gitignore", ".chant/\n*.txt\n!keep.txt\n")
	paths := []string{".chant/specs/a é.md", "base.txt", "new.txt", "keep.txt", "sub/x*.txt", "plain", ".chant"}
	got := must[map[string]bool](t)(s.Ignored(ctx, paths...))
	want := map[string]bool{".chant/specs/a é.md": true, "base.txt": false, "new.txt": true, "keep.txt": false, "sub/x*.txt": true, "plain": false, ".chant": false}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
