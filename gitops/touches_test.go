package gitops

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestTouches_merge lists each change once: a merge only has what it changed itself.
func TestTouches_merge(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	base := s.git("rev-parse", "HEAD")
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(s.site.Home, name)
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		s.git("add", "-A")
	}
	write("f/a", "1")
	write("f/deep/b", "1")
	write("other", "1")
	s.git("commit", "-qm", "one")
	s.git("checkout", "-qb", "side")
	write("f/a", "2")
	s.git("commit", "-qm", "side")
	s.git("checkout", "-q", "trunk")
	write("f/c", "1")
	s.git("commit", "-qm", "trunk")
	s.git("merge", "-q", "--no-ff", "-m", "plain merge", "side")
	write("other", "2")
	s.git("commit", "-qm", "elsewhere")
	s.git("checkout", "-q", "side")
	write("f/d", "1")
	s.git("commit", "-qm", "more")
	s.git("checkout", "-q", "trunk")
	s.git("merge", "-q", "--no-ff", "--no-commit", "side")
	write("f/a", "3")
	s.git("commit", "-qm", "merge with changes")
	s.git("mv", "f/a", "f/deep/a")
	s.git("commit", "-qm", "move")
	got := map[string][]string{}
	var order []string
	for _, touch := range must[[]Touch](t)(s.Touches(ctx, base, "trunk", "f")) {
		order = append(order, touch.Subject)
		for _, f := range touch.Files {
			got[touch.Subject] = append(got[touch.Subject], fmt.Sprint(f.Path, " ", f.Old != "", " ", f.New != ""))
		}
	}
	want := map[string][]string{
		"one": {"f/a false true", "f/deep/b false true"}, "side": {"f/a true true"}, "trunk": {"f/c false true"}, "more": {"f/d false true"},
		"merge with changes": {"f/a true true"}, "move": {"f/a true false", "f/deep/a false true"},
	}
	assert.Equal(t, want, got)
	assert.Equal(t, "one", order[0])
	assert.Equal(t, "move", order[len(order)-1])
}

// TestTouches_asGit compares what is read in process with what git prints.
func TestTouches_asGit(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	rng := rand.New(rand.NewPCG(1, 2))
	root := s.git("rev-parse", "HEAD")
	tips := []string{root}
	for i := range 25 {
		for range 1 + rng.IntN(4) {
			name := filepath.Join(s.site.Home, "f", []string{"", "x", "x.y", "x-y"}[rng.IntN(4)], fmt.Sprint("n", rng.IntN(6)))
			if rng.IntN(3) == 0 {
				_ = os.Remove(name)
				continue
			}
			if os.MkdirAll(filepath.Dir(name), 0o755) == nil {
				_ = os.WriteFile(name, []byte(fmt.Sprint(rng.IntN(5))), 0o644)
			}
		}
		s.git("add", "-A")
		s.git("commit", "-q", "--allow-empty", "-m", fmt.Sprint(i, "\n\nBody\n\nA: b"))
		tips = append(tips, s.git("rev-parse", "HEAD"))
	}
	all := must[[]Touch](t)(s.Touches(ctx, root, "HEAD", "f"))
	var near []Touch
	for i := range len(tips) - 1 {
		near = append(near, must[[]Touch](t)(s.Touches(ctx, tips[i], tips[i+1], "f"))...)
	}
	assert.True(t, len(all) >= 15, "%d by git, %d in process", len(all), len(near))
	assert.Equal(t, len(near), len(all))
	for i := range all {
		assert.Equal(t, near[i].Hash, all[i].Hash)
		assert.Equal(t, near[i].Files, all[i].Files)
		assert.Equal(t, "b", all[i].Trailers["A"])
	}
}
