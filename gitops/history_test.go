package gitops

import (
	"context"
	"fmt"
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

func TestDiff(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	tip := must[string](t)(s.CommitOn(ctx, "trunk", []File{
		file("base.txt", "changed\n"), file("moved é\tx.txt", "one\n"), {Path: "sub/deep/file.txt"}}, "m"))
	got := fmt.Sprint(must[[]Change](t)(s.Diff(ctx, "trunk", tip)))
	if want := fmt.Sprint([]Change{{Status: 'M', Path: "base.txt"}, {Status: 'A', Path: "moved é\tx.txt"}, {Status: 'D', Path: "sub/deep/file.txt"}}); got != want {
		t.Errorf("%s", got)
	}
	if ok := must[bool](t)(s.IsAncestor(ctx, "trunk", tip)); !ok {
		t.Error("not an ancestor")
	}
	if ok := must[bool](t)(s.IsAncestor(ctx, tip, "trunk")); ok {
		t.Error("an ancestor")
	}
	if base := must[string](t)(s.MergeBase(ctx, "trunk", tip)); base != s.git("rev-parse", "trunk") {
		t.Error(base)
	}
}

func TestGraph(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	first := s.git("rev-parse", "--short", "HEAD")
	s.git("checkout", "-q", "-b", "side")
	s.git("commit", "-q", "--allow-empty", "-m", "aside")
	s.git("checkout", "-q", "trunk")
	s.git("merge", "-q", "--no-ff", "-m", "merged", "side")
	s.git("config", "color.ui", "always")
	s.git("config", "log.showSignature", "true")
	all := must[string](t)(s.Graph(ctx, 10))
	if !strings.Contains(all, "|\\") || strings.Contains(all, "\x1b") || !strings.HasSuffix(all, "* "+first+" first\n") && !strings.HasSuffix(all, "/  \n* "+first+" first\n") {
		t.Errorf("%s", all)
	}
	if last := must[string](t)(s.Graph(ctx, 1)); strings.Count(last, "merged") != 1 || strings.Contains(last, "first") {
		t.Errorf("%s", last)
	}
	unborn := must[*Repo](t)(Init(ctx, t.TempDir(), "main"))
	if _, err := unborn.Graph(ctx, 1); err == nil || !strings.Contains(err.Error(), "main") {
		t.Errorf("%v", err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	for _, value := range []string{"plain", "-x --global", " spaced \"q\" # ; ", "two\nlines"} {
		if err := s.SetConfig(ctx, "chant.key", value); err != nil {
			t.Fatal(err)
		}
		if got := must[string](t)(s.Config(ctx, "chant.key")); got != value {
			t.Errorf("%q, want %q", got, value)
		}
	}
	if got := must[string](t)(s.Config(ctx, "chant.none")); got != "" {
		t.Error(got)
	}
	if _, err := s.Config(ctx, "--list"); err == nil {
		t.Error("an option was taken for a key")
	}
	if got := must[string](t)(s.Identity(ctx)); got != "Ann Example <ann@example.com>" {
		t.Error(got)
	}
	s.git("config", "user.useConfigOnly", "true")
	s.git("config", "--unset", "user.email")
	if got, err := s.Identity(ctx); err == nil || !strings.Contains(err.Error(), "user.email") {
		t.Error(got, err)
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
