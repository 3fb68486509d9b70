package sprints

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/store"
	"chant/engine/task/tasks"

	"github.com/alecthomas/assert/v2"
)

const benchSettings = "default:\n  project: AUTH\n  reporter: ada\nissue:\n  states: [Todo, InProgress, NeedsReview, Done]\n  priorities: [Low, Medium, High]\n  types: [Feature, Bug, Chore]\n"

// benchProject makes a project with n tasks in one commit, and opens it as a server does for each call.
func benchProject(b *testing.B, n int) (open func() *engine.Project, dir string) {
	b.Helper()
	dir = b.TempDir()
	git := func(args ...string) {
		c := exec.Command("git", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		assert.NoError(b, err, "git %v: %s", args, out)
	}
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		assert.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NoError(b, os.WriteFile(path, []byte(text), 0o644))
	}
	git("init", "-q", "-b", "main")
	git("config", "user.name", "ada")
	git("config", "user.email", "ada@example.com")
	git("config", "commit.gpgsign", "false")
	write(".chant/config.md", "---\ndefaults:\n  provider: shell\n  main_branch: main\n---\n")
	write(".chant/.gitignore", "/logs/\n/runs/\n/worktrees/\n/locks/\n/cache/\n")
	write(".tasks/config.yml", benchSettings)
	for i := 1; i <= n; i++ {
		sprints := ""
		if i <= 200 {
			sprints = "sprints: [1]\n"
		}
		write(".chant/specs/"+benchID(i)+".md", fmt.Sprintf("---\n"+sprints+"status: %s\ntask: AUTH-%d\npriority: %s\nassignee: %s\nlabels: [%s]\ntask_type: Bug\neffort: %dpt\n---\n# Task %d\n\nIts text.\n\n## Acceptance Criteria\n\n- [ ] It works\n",
			"pending", i, []string{"Low", "Medium", "High"}[i%3], []string{"ada", "bob"}[i%2], []string{"api", "ui"}[i%2], 1+i%8, i))
	}
	write(".chant/sprints/1.md", "---\ncreated: 2026-10-01T00:00:00Z\nplan:\n  starts_at: 2026-10-01\n  ends_at: 2026-10-31\nactual:\n  started_at: 2026-10-01T00:00:00Z\n---\n")
	git("add", "-A")
	git("commit", "-q", "-m", "begin")
	for day := range 30 { // of a sprint of 200 tasks, of which five are done each day
		for i := range 5 {
			n := 1 + 5*day + i
			text, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", benchID(n)+".md"))
			assert.NoError(b, err)
			write(".chant/specs/"+benchID(n)+".md", strings.NewReplacer("status: pending", "status: completed").Replace(string(text)))
		}
		git("add", "-A")
		when := fmt.Sprintf("2026-10-%02dT12:00:00Z", day+1)
		c := exec.Command("git", "commit", "-q", "-m", "day", "--date", when)
		c.Dir, c.Env = dir, append(os.Environ(), "GIT_COMMITTER_DATE="+when)
		out, err := c.CombinedOutput()
		assert.NoError(b, err, "%s", out)
	}
	recall := &store.Cache{}
	return func() *engine.Project {
		p, err := engine.Open(dir, engine.Options{Environ: os.Environ(), Recall: recall})
		assert.NoError(b, err)
		return p
	}, dir
}

func benchID(i int) string {
	return fmt.Sprintf("2026-%02d-%02d-%03d-abc", 1+i%10, 1+i/10%28, 1+i/280)
}

// BenchmarkTasks measures operations among 10,000 tasks beside git doing the same: git show and git log of one file,
// git grep, git add and git commit of one file, and git log of all files. Figures in BENCHMARKS.md are of a quiet
// machine.
func BenchmarkTasks(b *testing.B) {
	open, dir := benchProject(b, 10_000)
	get := func(b *testing.B) {
		_, err := tasks.Get(b.Context(), open(), tasks.GetInput{ID: "AUTH-77"})
		assert.NoError(b, err)
	}
	list := func(b *testing.B) {
		in := tasks.ListInput{Status: []string{"Todo"}, Assignee: "ada", Sort: "priority"}
		r, err := tasks.List(b.Context(), open(), in)
		assert.NoError(b, err)
		assert.Equal(b, 50, r.Count)
	}
	n := 0
	update := func(b *testing.B) {
		n++
		var patch tasks.Patch
		assert.NoError(b, json.Unmarshal(fmt.Appendf(nil, `{"title":"Title %d"}`, n), &patch))
		_, err := tasks.Update(b.Context(), open(), tasks.UpdateInput{ID: fmt.Sprintf("AUTH-%d", 1+n%10_000), Patch: patch})
		assert.NoError(b, err)
	}
	git := func(b *testing.B, args ...string) {
		c := exec.Command("git", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		assert.NoError(b, err, "git %v: %s", args, out)
	}
	const file = ".chant/specs/2026-08-08-001-abc.md"
	list(b) // which makes the index
	for _, c := range []struct {
		name string
		run  func(b *testing.B)
	}{
		{"get", get}, {"git show and log", func(b *testing.B) {
			git(b, "show", "HEAD:"+file)
			git(b, "log", "--format=%an %at", "--", file)
		}},
		{"list 50 filtered and sorted", list}, {"git grep", func(b *testing.B) { git(b, "grep", "-l", "assignee: ada", "--", ".chant/specs") }},
		{"update", update}, {"git add and commit", func(b *testing.B) {
			n++
			path := filepath.Join(dir, filepath.FromSlash(file))
			src, err := os.ReadFile(path)
			assert.NoError(b, err)
			assert.NoError(b, os.WriteFile(path, []byte(strings.TrimRight(string(src), "\n")+fmt.Sprintf("\n%d\n", n)), 0o644))
			git(b, "add", file)
			git(b, "commit", "-q", "-m", "change")
		}},
		{"burndown of 200 tasks", func(b *testing.B) {
			r, err := Burndown(b.Context(), open(), BurndownInput{Pick{SprintID: "1"}})
			assert.NoError(b, err)
			assert.True(b, len(r.Series) >= 30, "%d days, %v", len(r.Series), err)
		}}, {"git log of all specs", func(b *testing.B) { git(b, "log", "--raw", "--format=%at", "--", ".chant/specs") }},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.run(b)
			for b.Loop() {
				c.run(b)
			}
		})
	}
}
