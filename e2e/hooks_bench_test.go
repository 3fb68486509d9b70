package e2e

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// BenchmarkHooks_commit is a commit in which no spec is staged, with the hooks, in a
// repository of 1000 specs: "x-plain" is how many times as long as without them.
func BenchmarkHooks_commit(b *testing.B) {
	dir, _ := benchProject(b, 1000)
	commit := func() time.Duration {
		began := time.Now()
		runBench(b, dir, "git", "commit", "-q", "--allow-empty", "-m", "x")
		return time.Since(began)
	}
	var plain, hooked time.Duration
	const times = 10
	for range times {
		plain += commit()
	}
	runBench(b, dir, chantBinary(b), "hooks", "install")
	n := 0
	for b.Loop() {
		hooked += commit()
		n++
	}
	without, with := plain/times, hooked/time.Duration(n)
	b.ReportMetric(float64(with)/float64(without), "x-plain")
	b.ReportMetric(float64((with-without).Microseconds())/1000, "ms-more")
}

func runBench(b *testing.B, dir, program string, args ...string) {
	b.Helper()
	c := exec.CommandContext(b.Context(), program, args...)
	c.Dir, c.Env = dir, append(os.Environ(), environment(dir)...)
	out, err := c.CombinedOutput()
	assert.NoError(b, err, "%s %v: %s", program, args, out)
}
