package enginetest_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/runtest"
	"chant/engine/verify"
	"chant/engine/work"
	"chant/engine/work/queue"

	"github.com/alecthomas/assert/v2"
)

// clock is that of a process, which can be set while it runs.
type clock struct{ offset atomic.Int64 }

func (c *clock) set(offset time.Duration) { c.offset.Store(int64(offset)) }

func (c *clock) now() time.Time { return time.Now().Round(0).Add(time.Duration(c.offset.Load())) }

// under has a project use a clock, which is off by the first duration and, once the agent has begun, by the second.
func under(p *engine.Project, before, then time.Duration) *clock {
	var c clock
	c.set(before)
	p.Now = c.now
	p.OnStep = func(step journal.Step, state journal.State) {
		if step == journal.Agent && state == journal.Begin {
			c.set(then)
		}
	}
	return &c
}

// clocks are those of a process, and of the one that resumes what it has left.
func clocks() map[string][3]time.Duration {
	const h = time.Hour
	return map[string][3]time.Duration{
		"right": {}, "an hour ahead": {h, h, h}, "an hour behind": {-h, -h, -h}, "set back during the run": {0, -h, -h},
		"set forward during the run": {0, h, h}, "ahead, then right": {h, h, 0}, "behind, then right": {-h, -h, 0}, "half an hour ahead, then right": {h / 2, h / 2, 0},
		"ten years ahead, then right": {87600 * h, 87600 * h, 0}, "1970": {-time.Duration(time.Now().UnixNano()), -time.Duration(time.Now().UnixNano()), 0},
	}
}

// TestClock: a run is judged and lands the same however the clock of its process is off, and however it is set meanwhile.
func TestClock(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	for name, c := range clocks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.OneOf(t, 4)
			p, dir := enginetest.Project(t)
			under(p, c[0], c[1])
			enginetest.Commit(t, dir, map[string]string{runtest.Own: strings.Replace(runtest.Plain, "## Acceptance", "## Script\n\n```sh\necho yes > done.txt\n```\n\n## Acceptance", 1)})
			result, err := work.Work(t.Context(), p, work.WorkInput{ID: runtest.ID})
			assert.NoError(t, err)
			assert.True(t, result.Landed, "%+v, %v", result, err)
			hasLanded(t, p, dir)
		})
	}
}

// TestClock_recovered: another process, whose clock is off differently, resumes a run that died, and it lands once.
func TestClock_recovered(t *testing.T) {
	t.Parallel()
	for name, c := range clocks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.OneOf(t, 3)
			p, dir := enginetest.Project(t)
			under(p, c[0], c[1])
			r := runtest.Of(t, p, dir, runtest.Plain)
			assert.NoError(t, r.Begin(t.Context(), false))
			assert.NoError(t, r.Journal.Record(journal.Agent, journal.Begin, nil))
			r.Leave(map[string]string{"done.txt": "yes\n"})
			assert.NoError(t, r.Journal.Record(journal.Agent, journal.Done, &journal.AgentReport{OK: true}))
			o := enginetest.Options()
			o.Environ = p.Environ
			next, err := engine.Open(dir, o)
			assert.NoError(t, err)
			under(next, c[2], c[2])
			result, err := queue.Watch(t.Context(), next, queue.WatchInput{Once: true})
			assert.NoError(t, err, "%+v", result)
			assert.Equal(t, 1, len(result.Recovered), "%+v", result)
			assert.Equal(t, 1, len(result.Completed), "%+v", result)
			hasLanded(t, next, dir)
		})
	}
}

// hasLanded checks that the spec and its work are on the target, by one merge commit, with evidence that holds, and that
// nothing is left.
func hasLanded(t *testing.T, p *engine.Project, dir string) {
	t.Helper()
	assert.Contains(t, enginetest.Git(t, dir, "show", "main:"+runtest.Own), "status: completed")
	assert.Equal(t, "yes", enginetest.Git(t, dir, "show", "main:done.txt"))
	assert.Equal(t, "1", enginetest.Git(t, dir, "rev-list", "--first-parent", "--merges", "--count", "main"))
	assert.Equal(t, "", enginetest.Git(t, dir, "for-each-ref", "refs/heads/chant"))
	v, err := verify.Verify(t.Context(), p, verify.VerifyInput{ID: runtest.ID, Run: true})
	assert.NoError(t, err)
	assert.True(t, v.Verified, "%+v, %v", v, err)
	assert.Zero(t, v.Forged)
}

// TestClock_retry: a run that waits for a retry resumes in another process, whose clock is off differently, without
// waiting longer than the retry was to wait.
func TestClock_retry(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	const limited = "if [ ! -e done.txt ]; then echo yes > done.txt; echo 'rate limit exceeded' >&2; exit 1; fi"
	for name, c := range clocks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.OneOf(t, 3)
			p, dir := enginetest.Project(t)
			under(p, c[0], c[1])
			enginetest.Commit(t, dir, map[string]string{runtest.Own: strings.Replace(runtest.Plain, "## Acceptance", "## Script\n\n```sh\n"+limited+"\n```\n\n## Acceptance", 1)})
			waits := p.Config.Retry.Policy().Delay
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p.After = func(wait time.Duration) <-chan time.Time { // the process ends while it waits
				cancel()
				if wait > waits {
					t.Errorf("it waits for %s, want at most %s", wait, waits)
				}
				return nil
			}
			_, err := work.Work(ctx, p, work.WorkInput{ID: runtest.ID})
			assert.Equal(t, engine.Canceled, enginetest.CodeOf(t, err))
			s, err := p.Store.Get(t.Context(), runtest.ID)
			assert.NoError(t, err, "it does not wait for a retry")
			assert.True(t, s.AwaitsRetry(), "it does not wait for a retry: %+v, %v", s, err)
			o := enginetest.Options()
			o.Environ = p.Environ
			next, err := engine.Open(dir, o)
			assert.NoError(t, err)
			own := under(next, c[2], c[2])
			ctx, cancel = context.WithCancel(t.Context())
			defer cancel()
			next.After = func(wait time.Duration) <-chan time.Time {
				if wait > waits {
					t.Errorf("it waits for %s, want at most %s", wait, waits)
					cancel()
				}
				own.set(c[2] + waits) // which is over now
				over := make(chan time.Time, 1)
				over <- own.now()
				return over
			}
			result, err := queue.WorkAll(ctx, next, queue.WorkAllInput{All: true})
			assert.NoError(t, err, "%+v", result)
			assert.Equal(t, 1, len(result.Completed), "%+v", result)
			hasLanded(t, next, dir)
		})
	}
}
