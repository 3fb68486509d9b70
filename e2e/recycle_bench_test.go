package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chant/gitops"
)

// manyFiles is how many files the repository of BenchmarkRecycle has.
const manyFiles = 10_000

// BenchmarkRecycle compares making a worktree of 10,000 files with giving a used one
// of them another commit at another place, as worktree.recycle does. Between the two
// commits 20 files differ. It reports the ratio; below 0.2 is what is wanted.
func BenchmarkRecycle(b *testing.B) {
	repo, dir := manyFilesRepo(b)
	ctx := b.Context()
	a, z := filepath.Join(dir, "trees", "a"), filepath.Join(dir, "trees", "z")
	if err := repo.AddDetached(ctx, a, "refs/heads/one"); err != nil {
		b.Fatal(err)
	}
	var fresh, recycled time.Duration
	for n := 0; b.Loop(); n++ {
		branch := []string{"two", "one"}[n%2]
		start := time.Now()
		err := repo.AddWorktree(ctx, filepath.Join(dir, "trees", "fresh"), branch)
		fresh += time.Since(start)
		if err == nil {
			err = repo.RemoveWorktree(ctx, filepath.Join(dir, "trees", "fresh"), true)
		}
		start = time.Now()
		for _, step := range []func() error{
			func() error { _, err := repo.Particular(ctx, a); return err },
			func() error { return repo.SwitchTree(ctx, a, "refs/heads/"+branch) },
			func() error { return repo.MoveWorktree(ctx, a, z) },
			func() error { return repo.Attach(ctx, z, branch) },
		} {
			if err == nil {
				err = step()
			}
		}
		recycled += time.Since(start)
		if err == nil {
			err = repo.SwitchTree(ctx, z, branch)
		}
		if err == nil {
			err = repo.MoveWorktree(ctx, z, a)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(fresh.Milliseconds())/float64(b.N), "ms-fresh")
	b.ReportMetric(float64(recycled.Milliseconds())/float64(b.N), "ms-recycled")
	b.ReportMetric(float64(recycled)/float64(fresh), "recycled/fresh")
}

// manyFilesRepo has branches "one" and "two" that differ in a few of many files.
func manyFilesRepo(b *testing.B) (*gitops.Repo, string) {
	b.Helper()
	dir := b.TempDir()
	write := func(n int, text string) {
		path := filepath.Join(dir, fmt.Sprintf("src/%03d/%05d.txt", n%200, n))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(fmt.Sprintf("%s %d\n", text, n)), 0o644)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	git := func(args ...string) {
		b.Helper()
		if r := execute(b, dir, append(os.Environ(), environment(dir)...), "git", args...); r.code != 0 {
			b.Fatalf("git %v: %s", args, r.stderr)
		}
	}
	git("init", "-q", "-b", "main")
	for n := range manyFiles {
		write(n, "a file of a few words")
	}
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("branch", "one")
	for n := range 20 {
		write(n*371, "changed")
	}
	git("commit", "-q", "-a", "-m", "two")
	git("branch", "two")
	git("commit", "-q", "--allow-empty", "-m", "three")
	repo, err := gitops.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	return repo, dir
}
