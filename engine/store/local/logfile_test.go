package local

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// clock returns times in a zone other than UTC.
func clock() time.Time {
	return time.Date(2026, 11, 20, 10, 30, 0, 5e6, time.FixedZone("", 3600))
}

const stamped = "2026-11-20T09:30:00.005Z "

func openLog(t *testing.T, p *project, attempt int) *Log {
	t.Helper()
	l, err := p.OpenLog(idA, attempt, "claude, sonnet", clock)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func say(t *testing.T, l *Log, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if err := l.Line(line); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLog_linesWithTimes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	l := openLog(t, p, 1)
	say(t, l, "one", "two\r\nthree\n", "", "ünï\xff\xfe\xfdcode", "a\n\nb")
	want := []string{"=== attempt 1: claude, sonnet ===", "one", "two", "three", "", "ünï\uFFFDcode", "a", "", "b"}
	got := get(t, p.LogPath(idA)) // before Close: a follower sees it at once
	if want := stamped + strings.Join(want, "\n"+stamped) + "\n"; got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if !utf8.ValidString(got) {
		t.Error("not UTF-8")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Line("late"); err == nil {
		t.Error("a closed log takes a line")
	}
}

func TestLog_attemptsFollow(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for attempt := 1; attempt <= 2; attempt++ {
		l := openLog(t, p, attempt)
		say(t, l, "hello")
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got := get(t, p.LogPath(idA))
	if strings.Count(got, LogHeader) != 2 || strings.Count(got, "hello") != 2 || !strings.Contains(got, LogHeader+"2: ") {
		t.Errorf("%q", got)
	}
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
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got := get(t, p.LogPath(idA))
	if len(got) > logCap+1024 || !strings.HasSuffix(got, "(log cut at 64 MiB; the agent's further output is dropped)\n") || strings.Count(got, "log cut") != 1 {
		t.Errorf("%d bytes, ending in %q", len(got), got[len(got)-80:])
	}
}

// TestLog_isCappedByLines writes lines whose times are longer than their text.
func TestLog_isCappedByLines(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	l := openLog(t, p, 1)
	flood := strings.Repeat("\n", 1<<20) + "y"
	for i := 0; !l.Full(); i++ {
		if i > logCap>>20 {
			t.Fatal("it is never full")
		}
		say(t, l, flood)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(p.LogPath(idA))
	if err != nil || info.Size() > logCap+1024 || info.Mode().Perm() != 0o600 {
		t.Errorf("%d bytes, mode %v, %v", info.Size(), info.Mode(), err)
	}
	if tail, err := p.LogTail(idA, 4096); err != nil || !strings.HasPrefix(tail[len(tail)-1].Text, LogCut) {
		t.Errorf("ends in %q, %v", tail[len(tail)-1], err)
	}
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
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got := get(t, p.LogPath(idA))
	for w := range 8 {
		if !strings.Contains(got, fmt.Sprintf("%s%d begins\n%s%d ends\n", stamped, w, stamped, w)) {
			t.Errorf("the lines of %d are not together:\n%s", w, got)
		}
	}
}
