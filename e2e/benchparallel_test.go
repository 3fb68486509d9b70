package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// What BenchmarkParallel measures: that many specs whose agents take that long, side
// by side.
const (
	benchRuns  = 40
	benchWidth = 8
	agentTakes = 2 * time.Second
)

// gitSteps is what the runs of benchRuns specs ask of git, one after the other, as a
// person would write it down: worktree, start, work, complete, check of the merged
// tree, landing, evidence, clean-up.
const gitSteps = `set -e
for n in $(seq -w 1 %d); do
	id=2026-01-02-0$n-abc
	git worktree add -q -b work/$id ../trees/$id main
	(
		cd ../trees/$id
		sed -i 's/pending/in_progress/' .chant/specs/$id.md
		git commit -q -m start .chant/specs/$id.md
		echo $id > $id.txt
		git add .
		git commit -q -m work
		test -s $id.txt
		sed -i 's/in_progress/completed/' .chant/specs/$id.md
		git commit -q -m complete .chant/specs/$id.md
	)
	git notes --ref evidence add -m checked work/$id
	tree=$(git merge-tree --write-tree main work/$id)
	merge=$(git commit-tree -p main -p work/$id -m land $tree)
	git worktree add -q --detach ../trees/.check-$id $merge
	(cd ../trees/.check-$id && test -s $id.txt)
	git worktree remove --force ../trees/.check-$id
	git notes --ref evidence add -m checked $merge
	git merge -q --ff-only $merge
	git worktree remove ../trees/$id
	git branch -q -D work/$id
done
`

// BenchmarkParallel compares the wall time of many specs, eight at a time, with the
// ideal, in which only the agents take time, and with the git steps by themselves.
func BenchmarkParallel(b *testing.B) {
	chant := chantBinary(b)
	ideal := agentTakes * benchRuns / benchWidth
	for b.Loop() {
		shell := timed(b, benchRepository(b), "sh", "-c", fmt.Sprintf(gitSteps, benchRuns))
		wall := timed(b, benchRepository(b), chant, "work", "--all", "--parallel", fmt.Sprint(benchWidth), "--quiet")
		limit := ideal*135/100 + shell
		b.Logf("%d specs, %d agents of %s: %.1f s; ideal %.1f s, git steps in a shell %.1f s, 1.35 x ideal + git steps = %.1f s",
			benchRuns, benchWidth, agentTakes, wall.Seconds(), ideal.Seconds(), shell.Seconds(), limit.Seconds())
		b.ReportMetric(wall.Seconds()/ideal.Seconds(), "x-ideal")
		b.ReportMetric(wall.Seconds()/limit.Seconds(), "x-limit")
	}
}

// benchRepository is a project with the specs, none of which is worked yet.
func benchRepository(b *testing.B) string {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "repo")
	folder := filepath.Join(dir, ".chant", "specs")
	assert.NoError(b, os.MkdirAll(folder, 0o755))
	for n := range benchRuns {
		text := parallelSpec(fmt.Sprintf("Spec %d", n), "$CHANT_SPEC_ID.txt")
		text = strings.Replace(text, "git add .", fmt.Sprintf("sleep %g\ngit add .", agentTakes.Seconds()), 1)
		assert.NoError(b, os.WriteFile(filepath.Join(folder, parallelID(n)+".md"), []byte(text), 0o644))
	}
	config := "---\ndefaults:\n  provider: shell\n---\n"
	assert.NoError(b, os.WriteFile(filepath.Join(dir, ".chant", "config.md"), []byte(config), 0o644))
	ignore := "worktrees/\nlogs/\nruns/\nlocks/\ncache/\n"
	assert.NoError(b, os.WriteFile(filepath.Join(dir, ".chant", ".gitignore"), []byte(ignore), 0o644))
	timed(b, dir, "git", "init", "-q", "-b", "main")
	timed(b, dir, "git", "add", ".")
	timed(b, dir, "git", "commit", "-q", "-m", "specs")
	return dir
}

// timed runs a program that has to succeed and returns how long it took.
func timed(b *testing.B, dir string, program string, args ...string) time.Duration {
	b.Helper()
	c := exec.CommandContext(b.Context(), program, args...)
	c.Dir, c.Env = dir, append(os.Environ(), environment(filepath.Dir(dir))...)
	began := time.Now()
	out, err := c.CombinedOutput()
	assert.NoError(b, err, "%s %v: %s", program, args, out)
	return time.Since(began)
}
