package gitops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"
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
		if got := trailers(message); !maps.Equal(got, want) {
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

func TestNotes(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	const ref = "refs/notes/chant"
	if _, err := s.ReadNote(ctx, ref, "trunk"); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "\n  two \n\n\n", ""} {
		if err := s.AddNote(ctx, ref, "trunk", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := must[[]byte](t)(s.ReadNote(ctx, ref, "trunk")); string(got) != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	if err := s.AddNote(ctx, "refs/heads/x", "trunk", nil); err == nil {
		t.Error("a branch was taken for notes")
	}
	var group sync.WaitGroup
	hashes := make([]string, 8)
	for i := range hashes {
		hashes[i] = must[string](t)(s.CommitOn(ctx, "trunk", []File{file("n", fmt.Sprint(i))}, "m"))
		group.Go(func() {
			if err := s.AddNote(ctx, ref, hashes[i], []byte(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i, hash := range hashes {
		if got := s.git("notes", "--ref=chant", "show", hash); got != fmt.Sprint(i) {
			t.Errorf("%d: %q", i, got)
		}
	}
}

func TestNotes_fanout(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	var files []File
	for i := range noteFanout {
		files = append(files, file(fmt.Sprintf("%040x", i), "n"))
	}
	edits := make([]edit, len(files))
	blob := s.git("hash-object", "-w", "base.txt")
	for i, f := range files {
		edits[i] = edit{path: f.Path, mode: modeFile, hash: blob}
	}
	tree := must[string](t)(s.graft(ctx, "", edits))
	s.git("update-ref", "refs/notes/chant", must[string](t)(s.CommitTree(ctx, tree, nil, "notes")))
	for range 2 {
		if err := s.AddNote(ctx, "refs/notes/chant", "trunk", []byte("fanned")); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.git("notes", "--ref=chant", "show", "trunk"); got != "fanned" || len(strings.Split(s.git("notes", "--ref=chant", "list"), "\n")) != noteFanout+1 {
		t.Errorf("%q", got)
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
