package gotypes_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/code/exact"
	"chant/engine/code/gotypes"
	"chant/engine/code/graph"
	"chant/engine/code/outline"

	"github.com/alecthomas/assert/v2"
	"github.com/rogpeppe/go-internal/txtar"
)

// worktree writes the files of an archive to a new folder, and returns what loads them. Files below "ignored" are there
// but not indexed.
func worktree(t *testing.T, archive string) gotypes.Request {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	files := map[string][]byte{}
	var names []string
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		assert.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		assert.NoError(t, os.WriteFile(name, f.Data, 0o644))
		if !strings.Contains(f.Name, "ignored") {
			files[f.Name] = f.Data
			names = append(names, f.Name)
		}
	}
	return gotypes.Request{Root: root, Modules: gotypes.Modules(names), Now: time.Unix(1000, 0), Environ: os.Environ(), Read: func(name string) ([]byte, bool) {
		text, ok := files[name]
		return text, ok
	}}
}

// graphOf returns the graph of a worktree with the facts about it.
func graphOf(t *testing.T, r gotypes.Request) (*graph.Graph, *exact.Facts) {
	t.Helper()
	facts, err := gotypes.Load(t.Context(), r)
	assert.NoError(t, err)
	var nodes []graph.Node
	err = filepath.WalkDir(r.Root, func(name string, e os.DirEntry, err error) error {
		below, relErr := filepath.Rel(r.Root, name)
		text, ok := r.Read(filepath.ToSlash(below))
		if err != nil || relErr != nil || !ok || !strings.HasSuffix(name, ".go") {
			return errors.Join(err, relErr)
		}
		chunks, err := outline.GoChunks(text)
		for _, c := range chunks {
			nodes = append(nodes, graph.Node{Path: filepath.ToSlash(below), Language: "go", Chunk: c})
		}
		return err
	})
	assert.NoError(t, err)
	return graph.New(nodes, facts), facts
}

// links lists the links of a graph: "a.go Caller calls b.go T.Method", with the confidence of those that are not exact.
func links(t *testing.T, g *graph.Graph) []string {
	t.Helper()
	list := []string{}
	name := func(n int) string { return g.Nodes[n].Path + " " + g.Nodes[n].Name() }
	for n := range g.Nodes {
		for _, s := range g.Follow(t.Context(), []int{n}, graph.Traversal{Depth: 1}) {
			if s.Hop == 0 {
				continue
			}
			line := fmt.Sprintf("%s %s %s", name(n), s.Kind, name(s.Node))
			if !s.Exact {
				line += fmt.Sprintf(" %.2f", s.Confidence)
			}
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return list
}

func TestLoad(t *testing.T) {
	t.Parallel()
	all := namesCases()
	maps.Copy(all, packagesCases())
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, facts := graphOf(t, worktree(t, test.archive))
			got := links(t, g)
			assert.True(t, slices.Equal(got, test.links), "links:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.links, "\n"))
			assert.Equal(t, len(test.notices), len(facts.Notices), "notices %q, want %q", facts.Notices, test.notices)
			for i, want := range test.notices {
				assert.Contains(t, facts.Notices[i], want)
			}
			again, ok := exact.Open(facts.Bytes())
			assert.True(t, ok, "the facts cannot be stored")
			assert.Equal(t, string(facts.Bytes()), string(again.Bytes()), "the facts cannot be stored")
		})
	}
}

func TestLoad_cancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	facts, err := gotypes.Load(ctx, worktree(t, ambiguous))
	assert.IsError(t, err, context.Canceled, "facts %v, error", facts)
}
