package local

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

// clock returns times in a zone other than UTC.
func clock() time.Time {
	return time.Date(2026, 11, 20, 10, 30, 0, 5e6, time.FixedZone("", 3600))
}

const stamped = "2026-11-20T09:30:00.005Z "

func openLog(t *testing.T, p *project, attempt int) *Log {
	t.Helper()
	l, err := p.OpenLog(idA, attempt, "claude, sonnet", clock)
	assert.NoError(t, err)
	return l
}

func say(t *testing.T, l *Log, lines ...string) {
	t.Helper()
	for _, line := range lines {
		assert.NoError(t, l.Line(line))
	}
}

func TestLog_linesWithTimes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	l := openLog(t, p, 1)
	say(t, l, "one", "two\r\nthree\n", "", "ünï\xff\xfe\xfdcode", "a\n\nb")
	want := []string{"=== attempt 1: claude, sonnet ===", "one", "two", "three", "", "ünï\uFFFDcode", "a", "", "b"}
	got := get(t, p.LogPath(idA)) // before Close: a follower sees it at once
	assert.Equal(t, stamped+strings.Join(want, "\n"+stamped)+"\n", got)
	assert.True(t, utf8.ValidString(got), "not UTF-8")
	assert.NoError(t, l.Close())
	assert.Error(t, l.Line("late"), "a closed log takes a line")
}

func TestLog_attemptsFollow(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for attempt := 1; attempt <= 2; attempt++ {
		l := openLog(t, p, attempt)
		say(t, l, "hello")
		assert.NoError(t, l.Close())
	}
	got := get(t, p.LogPath(idA))
	assert.Equal(t, 2, strings.Count(got, LogHeader))
	assert.Equal(t, 2, strings.Count(got, "hello"))
	assert.Contains(t, got, LogHeader+"2: ")
}

func TestLog_isCapped(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	l := openLog(t, p, 1)
	flood := strings.Repeat("x", logCap/8)
	for range 10 {
		say(t, l, flood)
	}
	say(t, l, "never seen")
	assert.NoError(t, l.Close())
	got := get(t, p.LogPath(idA))
	assert.True(t, len(got) <= logCap+1024, "%d bytes, ending in %q", len(got), got[len(got)-80:])
	assert.HasSuffix(t, got, "(log cut at 64 MiB; the agent's further output is dropped)\n", "%q", got[len(got)-80:])
	assert.Equal(t, 1, strings.Count(got, "log cut"), "%q", got[len(got)-80:])
}

// TestLog_isCappedByLines writes lines whose times are longer than their text.
func TestLog_isCappedByLines(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	l := openLog(t, p, 1)
	flood := strings.Repeat("\n", 1<<20) + "y"
	for i := 0; !l.Full(); i++ {
		assert.True(t, i <= logCap>>20, "it is never full")
		say(t, l, flood)
	}
	assert.NoError(t, l.Close())
	info, err := os.Stat(p.LogPath(idA))
	assert.NoError(t, err)
	assert.True(t, info.Size() <= logCap+1024, "%v", err)
	assert.Equal(t, 0o600, info.Mode().Perm())
	tail, err := p.LogTail(idA, 4096)
	assert.NoError(t, err)
	assert.HasPrefix(t, tail[len(tail)-1].Text, LogCut)
}

func TestLog_parallel(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	l := openLog(t, p, 1)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			if err := l.Line(fmt.Sprintf("%d begins\n%d ends", w, w)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	assert.NoError(t, l.Close())
	got := get(t, p.LogPath(idA))
	for w := range 8 {
		assert.Contains(t, got, fmt.Sprintf("%s%d begins\n%s%d ends\n", stamped, w, stamped, w), "the lines of %d are not together:", w)
	}
}
