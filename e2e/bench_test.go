package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// benchSpec is a spec of about 2 KB.
func benchSpec(n int) string {
	deps := ""
	if n%7 == 3 {
		deps = "depends_on:\n- " + benchID(n-1) + "\n"
	}
	status := "completed"
	if n%3 == 0 {
		status = "pending"
	}
	return fmt.Sprintf("---\ntype: code\nstatus: %s\n%slabels:\n- l%d\ntarget_files:\n- src/f%d.go\n---\n# Title of spec %d\n\n## Problem\n\n%s\n## Acceptance Criteria\n\n- [ ] one `$ true`\n- [x] two\n",
		status, deps, n%5, n, n, strings.Repeat("A line of prose that says what is wrong here.\n", 40))
}

func benchID(n int) string {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n/900)
	return spec.ID{Date: day.Format(spec.DateLayout), Seq: n%900 + 1, Suffix: "abc"}.String()
}

// benchProject is a repository with that many specs, and how long git takes to
// read the same files (`git grep`), the measure of the ratios below.
func benchProject(b *testing.B, specs int) (dir string, git time.Duration) {
	b.Helper()
	dir = b.TempDir()
	run := func(args ...string) {
		cmd := exec.CommandContext(b.Context(), "git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), environment(dir)...)
		out, err := cmd.CombinedOutput()
		assert.NoError(b, err, "git %v: %s", args, out)
	}
	folder := filepath.Join(dir, ".chant", "specs")
	assert.NoError(b, os.MkdirAll(folder, 0o755))
	for n := range specs {
		assert.NoError(b, os.WriteFile(filepath.Join(folder, benchID(n)+".md"), []byte(benchSpec(n)), 0o644))
	}
	run("init", "-q", "-b", "main")
	run("add", ".")
	run("commit", "-q", "-m", "specs")
	run("grep", "-q", "-c", "status", "--", ".chant/specs")
	const times = 5
	start := time.Now()
	for range times {
		run("grep", "-c", "status", "--", ".chant/specs")
	}
	return dir, time.Since(start) / times
}

func benchmark(b *testing.B, op func(*engine.Project) error) {
	for _, specs := range []int{1000, 10000} {
		b.Run(fmt.Sprint(specs), func(b *testing.B) {
			dir, git := benchProject(b, specs)
			b.ResetTimer()
			for b.Loop() {
				p, err := engine.Open(dir, engine.Options{})
				if err == nil {
					err = op(p)
				}
				assert.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(git), "x-git-grep")
		})
	}
}

func BenchmarkList(b *testing.B) {
	benchmark(b, func(p *engine.Project) error {
		_, err := view.List(b.Context(), p, view.ListInput{})
		return err
	})
}

func BenchmarkStatus(b *testing.B) {
	benchmark(b, func(p *engine.Project) error {
		_, err := view.Status(b.Context(), p, view.StatusInput{})
		return err
	})
}

func BenchmarkShow(b *testing.B) {
	benchmark(b, func(p *engine.Project) error {
		_, err := view.Show(b.Context(), p, view.ShowInput{ID: benchID(500)})
		return err
	})
}

// BenchmarkParse reads specs from memory, criteria left aside.
func BenchmarkParse(b *testing.B) {
	for _, specs := range []int{1000, 10000} {
		b.Run(fmt.Sprint(specs), func(b *testing.B) {
			var size int64
			texts := make([][]byte, specs)
			for n := range specs {
				texts[n] = []byte(benchSpec(n))
				size += int64(len(texts[n]))
			}
			b.SetBytes(size)
			for b.Loop() {
				for n, text := range texts {
					_, err := spec.Parse(benchID(n), "", text)
					assert.NoError(b, err)
				}
			}
		})
	}
}
