package history

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"chant/engine/store"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

func gitWithInput(b *testing.B, dir, input string, args ...string) {
	b.Helper()
	c := exec.CommandContext(b.Context(), "git", args...)
	c.Dir, c.Stdin = dir, strings.NewReader(input)
	out, err := c.CombinedOutput()
	assert.NoError(b, err, "git %v: %s", args, out)
}

// BenchmarkLog measures questions in an open query about a repository with 1,000 specs and as many commits that each
// change one of them.
func BenchmarkLog(b *testing.B) {
	const n = 1000
	dir, ids := b.TempDir(), make([]string, n)
	var in strings.Builder
	text := func(s string) { fmt.Fprintf(&in, "data %d\n%s\n", len(s), s) }
	for i := range 2 * n {
		id := fmt.Sprintf("2026-11-%02d-%03d-abc", 1+i%n/100, i%100)
		ids[i%n] = id
		status := []string{"pending", "completed"}[i/n]
		if i == 0 || i >= n {
			fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\n", 1_700_000_000+3600*i)
			text("chant(" + id + "): update\n\nChant-Spec: " + id + "\nChant-Event: update\n")
		}
		fmt.Fprintf(&in, "M 100644 inline %s\n", store.SpecPath(id))
		text("---\nstatus: " + status + "\n---\n# Spec " + id + "\n")
	}
	gitWithInput(b, dir, "", "init", "-q", "-b", "main")
	gitWithInput(b, dir, in.String(), "fast-import", "--quiet")
	gitWithInput(b, dir, "", "reset", "-q", "--hard")
	repo, err := gitops.Open(dir)
	assert.NoError(b, err)
	st := store.OpenRepository(repo, "chant/")
	st.Index = store.IndexAlways
	ask := func(b *testing.B, question func(*Log) error) {
		b.Helper()
		for range 2 { // the first one stores what it reads
			b.ResetTimer()
			err := Ask(b.Context(), st, repo, func(l *Log) (err error) {
				b.ResetTimer()
				for range b.N {
					err = question(l)
				}
				return err
			})
			assert.NoError(b, err)
		}
	}
	b.Run("one", func(b *testing.B) {
		ask(b, func(l *Log) error { _, err := l.Find(b.Context(), ids[n/2]); return err })
	})
	b.Run("50 spans", func(b *testing.B) {
		ask(b, func(l *Log) error { l.Spans(ids[:50]...); return nil })
	})
	b.Run("200 statuses", func(b *testing.B) {
		ask(b, func(l *Log) error { _, err := l.Statuses(b.Context(), ids[:200]...); return err })
	})
}
