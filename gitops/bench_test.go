package gitops

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"
)

// BenchmarkCommitFiles reports how one spec's commit compares to "git commit --only" of
// the same path in the same tree of 2,000 files: below 1 is faster.
func BenchmarkCommitFiles(b *testing.B) {
	s := newSandbox(b)
	for i := range 2000 {
		s.write(fmt.Sprintf("src/%02d/%04d.txt", i%50, i), strconv.Itoa(i))
	}
	s.write("spec.md", "0")
	s.git("add", "-A")
	s.git("commit", "-qm", "many")
	var ours, theirs time.Duration
	i := 0
	for b.Loop() {
		i++
		content := strconv.Itoa(i)
		s.write("spec.md", content)
		start := time.Now()
		if _, _, err := s.CommitFiles(context.Background(), CommitOptions{Files: []File{file("spec.md", content)}, Message: "ours"}); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		s.write("spec.md", content+" theirs")
		start = time.Now()
		s.git("commit", "-qm", "theirs", "-o", "spec.md")
		theirs += time.Since(start)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "ours/git")
	b.ReportMetric(float64(ours.Microseconds())/float64(i)/1000, "ms/commit")
}

func BenchmarkReadFile(b *testing.B) {
	s := newSandbox(b)
	for i := range 2000 {
		s.write(fmt.Sprintf(".chant/specs/%04d.md", i), strconv.Itoa(i))
	}
	s.git("add", "-A")
	s.git("commit", "-qm", "many")
	s.git("gc", "-q")
	for b.Loop() {
		if _, err := s.ReadFile(context.Background(), "trunk", ".chant/specs/1000.md"); err != nil {
			b.Fatal(err)
		}
	}
}
