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

	"github.com/alecthomas/assert/v2"
)

// TestNew_together writes commands at the same time: each is in the registry, and one name is written once.
func TestNew_together(t *testing.T) {
	t.Parallel()
	p, _, _ := enginetest.ProjectWith(t, map[string]string{registryAt: `{"version": "1.0.0", "description": "x", "tools": {"commands": []}}`})
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
		assert.NoError(t, won, "two with one name: %v, %v", errs[i], errs[i+1])
		assert.Error(t, lost, "two with one name: %v, %v", errs[i], errs[i+1])
		assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, lost), "two with one name: %v, %v", errs[i], errs[i+1])
	}
	r, err := List(t.Context(), p, ListInput{Domain: "go"})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, writers/2, len(r.Commands), "%+v", r)
	for _, c := range r.Commands {
		assert.Equal(t, library.FromRegistry, c.Source)
		assert.Equal(t, "", c.Problem)
	}
}

// TestNew_outline writes a prompt that Markdown reads as it looks.
func TestNew_outline(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, nil)
	in := NewInput{C1: "go", C2: "write", C3: "tests", Description: "Write tests", Variables: []string{"package", "kind=Of tests"}}
	r, err := New(t.Context(), p, in)
	assert.NoError(t, err)
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.Path)))
	assert.NoError(t, err)
	_, body, _ := strings.Cut(string(src), "\n---\n")
	assert.Equal(t, "\n# Write tests\n\n- package: {uv-package}\n- kind: {uv-kind}\n\n## Input\n\n{input_text}\n", body)
	in.C3, in.Edition = "bugs", "a_b"
	_, err = New(t.Context(), p, in)
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "an edition that would be read as an edition and an adaptation")
}
