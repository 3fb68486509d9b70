package overview

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// benchProject makes a repository with so many specs, each with up to two needs, and after the first as many commits, of
// which every fourth completes a spec. The index is filled.
func benchProject(b *testing.B, size int) *engine.Project {
	b.Helper()
	dir := b.TempDir()
	run := func(in []byte, args ...string) {
		c := exec.CommandContext(b.Context(), "git", args...)
		c.Dir, c.Stdin = dir, bytes.NewReader(in)
		out, err := c.CombinedOutput()
		assert.NoError(b, err, "git %v: %s", args, out)
	}
	id := func(i int) string { return fmt.Sprintf("2026-%02d-%02d-%03d-abc", i/2800%12+1, i/100%28+1, i%100+1) }
	var in bytes.Buffer
	commit := func(i int, message string) {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <ada@example.com> %d +0000\ndata %d\n%s\n", 1_780_000_000+600*i, len(message), message)
	}
	file := func(path, text string) { fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text) }
	commit(0, "Begin")
	file(store.ConfigPath, "---\ndefaults:\n  provider: shell\n  main_branch: main\n---\n")
	for i := range size {
		file(store.SpecPath(id(i)), fmt.Sprintf("---\ndepends_on: [%s, %s]\nlabels: [api]\n---\n# Spec %d\n\n## Acceptance Criteria\n\n- [ ] It works `$ true`\n", id(max(0, i-1-i*7%100)), id(max(0, i-1-i*13%200)), i))
	}
	for i := range size {
		if i%4 != 0 {
			commit(i+1, "Change code\n\nWhy.")
			file(fmt.Sprintf("src/%d.go", i%500), fmt.Sprint(i))
			continue
		}
		commit(i+1, fmt.Sprintf("chant(%s): complete\n\nChant-Spec: %[1]s\nChant-Event: complete\n", id(i)))
		file(store.SpecPath(id(i)), fmt.Sprintf("---\nstatus: completed\ncompleted_at: 2026-06-01T00:00:00Z\n---\n# Spec %d\n", i))
	}
	run(nil, "init", "-q", "-b", "main")
	run(in.Bytes(), "fast-import", "--quiet")
	run(nil, "reset", "-q", "--hard")
	assert.NoError(b, os.MkdirAll(filepath.Join(dir, ".git", "chant"), 0o755))
	p, err := engine.Open(dir, enginetest.Options())
	assert.NoError(b, err)
	_, err = Stats(b.Context(), p, StatsInput{})
	assert.NoError(b, err)
	return p
}

// BenchmarkOverview measures each operation on 10,000 specs and 10,001 commits.
func BenchmarkOverview(b *testing.B) {
	p := benchProject(b, 10_000)
	for name, act := range map[string]func() error{
		"dag": func() error { _, err := Dag(b.Context(), p, DagInput{}); return err },
		"dag around": func() error {
			_, err := Dag(b.Context(), p, DagInput{IDs: []string{"2026-01-01-050-abc"}, Depth: 2})
			return err
		},
		"activity 50":  func() error { _, err := Activity(b.Context(), p, ActivityInput{Limit: 50}); return err },
		"activity all": func() error { _, err := Activity(b.Context(), p, ActivityInput{}); return err },
		"stats":        func() error { _, err := Stats(b.Context(), p, StatsInput{Since: "all"}); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				assert.NoError(b, act())
			}
		})
	}
}
