package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/prompt/library"
)

// TestNew_together writes commands at the same time: each is in the registry, and one name is written once.
func TestNew_together(t *testing.T) {
	t.Parallel()
	p, _ := project(t, map[string]string{registryAt: `{"version": "1.0.0", "description": "x", "tools": {"commands": []}}`})
	const writers = 8
	var each sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		each.Go(func() {
			_, errs[i] = New(t.Context(), p, NewInput{C1: "go", C2: "write", C3: fmt.Sprint("n", i/2), Description: fmt.Sprint("Number ", i)})
		})
	}
	each.Wait()
	for i := 0; i < writers; i += 2 {
		won, lost := errs[i], errs[i+1]
		if won != nil {
			won, lost = lost, won
		}
		if won != nil || lost == nil || enginetest.CodeOf(t, lost) != engine.Conflict {
			t.Errorf("two with one name: %v, %v", errs[i], errs[i+1])
		}
	}
	r, err := List(t.Context(), p, ListInput{Domain: "go"})
	if err != nil || len(r.Commands) != writers/2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, c := range r.Commands {
		if c.Source != library.FromRegistry || c.Problem != "" {
			t.Errorf("%+v", c)
		}
	}
}

// TestNew_outline writes a prompt that Markdown reads as it looks.
func TestNew_outline(t *testing.T) {
	t.Parallel()
	p, dir := project(t, nil)
	in := NewInput{C1: "go", C2: "write", C3: "tests", Description: "Write tests", Variables: []string{"package", "kind=Of tests"}}
	r, err := New(t.Context(), p, in)
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.Path)))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(src), "\n---\n")
	if want := "\n# Write tests\n\n- package: {uv-package}\n- kind: {uv-kind}\n\n## Input\n\n{input_text}\n"; body != want {
		t.Errorf("%q, want %q", body, want)
	}
	in.C3, in.Edition = "bugs", "a_b"
	if _, err := New(t.Context(), p, in); enginetest.CodeOf(t, err) != engine.Usage {
		t.Errorf("an edition that would be read as an edition and an adaptation: %v", err)
	}
}
