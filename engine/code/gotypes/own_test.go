package gotypes_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine/code/chunk"
	"chant/engine/code/gotypes"
	"chant/engine/code/outline"

	"github.com/alecthomas/assert/v2"
)

// TestLoad_own checks packages of this repository that need no others: all that the type checker finds is at a place that
// has the name, and each function, method or type that is called is one of a chunk.
func TestLoad_own(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	files := map[string][]byte{"go.mod": []byte("module chant\n\ngo 1.26\n")}
	for _, dir := range []string{"mcp/code/toon", "engine/store/record", "engine/code/chunk", "engine/code/exact", "engine/code/graph", "engine/format/hooks", "engine/format/report", "text"} {
		entries, err := os.ReadDir(filepath.Join("..", "..", "..", filepath.FromSlash(dir)))
		assert.NoError(t, err)
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			files[dir+"/"+e.Name()], err = os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(dir), e.Name()))
			assert.NoError(t, err)
		}
	}
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		assert.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, text, 0o644)))
	}
	facts, err := gotypes.Load(t.Context(), gotypes.Request{Root: root, Modules: []string{"."}, Now: time.Unix(1, 0), Environ: os.Environ(),
		Read: func(name string) ([]byte, bool) { text, ok := files[name]; return text, ok }})
	assert.NoError(t, err, "notices %q, error", facts.Notices)
	assert.Zero(t, facts.Notices, "notices %q, error", facts.Notices)
	assert.Equal(t, len(files)-1, len(facts.Files))
	calls := 0
	for _, file := range facts.Files {
		assert.True(t, file.Whole, "%s has unknown names: %v", file.Path, file.Unknown)
		assert.Zero(t, file.Unknown, "%s has unknown names: %v", file.Path, file.Unknown)
		for _, use := range file.Uses {
			target := facts.Targets[use.To]
			name := target.Name[strings.LastIndexByte(target.Name, '.')+1:]
			if use.Kind == chunk.Calls && !strings.HasPrefix(string(files[file.Path][use.At:]), name) {
				t.Errorf("%s calls %q at %.20q", file.Path, target.Name, files[file.Path][use.At:])
			}
			if target.Path == "" {
				continue
			}
			if use.Kind != chunk.Imports && !strings.HasPrefix(string(files[target.Path][target.At:]), name) {
				t.Errorf("%s uses %q, which is %.20q of %s", file.Path, target.Name, files[target.Path][target.At:], target.Path)
			}
			if use.Kind == chunk.Calls {
				calls++
				if !isIndexed(t, files[target.Path], target.At, name) {
					t.Errorf("%s calls %q at byte %d of %s, which is no chunk", file.Path, target.Name, target.At, target.Path)
				}
			}
		}
	}
	assert.True(t, calls >= 300, "%d calls were found", calls)
}

// isIndexed reports whether a byte of a file is in a chunk that has a name, or that of the type around it.
func isIndexed(t *testing.T, text []byte, at int, name string) bool {
	chunks, err := outline.GoChunks(text)
	assert.NoError(t, err)
	for _, c := range chunks {
		if c.Start <= at && at < c.End {
			for _, symbol := range c.Symbols {
				if symbol == name || strings.HasSuffix(symbol, "."+name) {
					return true
				}
			}
			return c.Kind == chunk.Interface && c.Name() != "" // a method of an interface
		}
	}
	return false
}
