package view

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/gitops/lockfile"
)

const logged = "2026-01-02-001-abc"

// logOf creates a project with a spec that has this log.
func logOf(t *testing.T, text string) *engine.Project {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/"+logged+".md", "# A\n")
	enginetest.Write(t, dir, ".chant/logs/"+logged+".log", text)
	return p
}

// readOn reads a log from an offset to its end, one reply after the other.
func readOn(t *testing.T, p *engine.Project, in LogInput) (text string, replies int) {
	t.Helper()
	offset := int64(0)
	for in.Offset = &offset; ; replies++ {
		r, err := Log(t.Context(), p, in)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Content) > maxContent || !utf8.ValidString(r.Content) {
			t.Fatalf("a reply of %d bytes", len(r.Content))
		}
		text, offset = text+r.Content, r.ByteOffset
		if !r.HasMore {
			return text, replies + 1
		}
	}
}

func TestLog_everyByteOnce(t *testing.T) {
	t.Parallel()
	want := ""
	for i := range 10 {
		want += fmt.Sprintf("2026-01-02T12:00:0%dZ line é\n", i)
	}
	p := logOf(t, want+"unfinished")
	lock, err := lockfile.Acquire(p.Store.LockPath(logged), "work "+logged)
	if err != nil {
		t.Fatal(err)
	}
	first, err := Log(t.Context(), p, LogInput{ID: "abc", Lines: 3})
	if err != nil || first.LineCount != 3 || first.ByteOffset != int64(len(want)) {
		t.Fatalf("last lines: %+v, %v", first, err)
	}
	if got, _ := readOn(t, p, LogInput{ID: "abc", Lines: 3}); got != want {
		t.Errorf("at work: read %q, want %q", got, want)
	}
	since, err := Log(t.Context(), p, LogInput{ID: "abc", Since: "2026-01-02T12:00:07Z"})
	if err != nil || since.LineCount != 2 {
		t.Errorf("since: %+v, %v", since, err)
	}

	// Once no process holds the run, the last line counts as complete.
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	rest, err := Log(t.Context(), p, LogInput{ID: "abc", Offset: &first.ByteOffset})
	if err != nil || rest.Content != "unfinished" || rest.HasMore {
		t.Errorf("the rest: %+v, %v", rest, err)
	}
}

func TestLog_bounded(t *testing.T) {
	t.Parallel()
	line := "2026-01-02T12:00:00Z " + strings.Repeat("é", 1000) + "\n"
	for name, text := range map[string]string{
		"many lines": strings.Repeat(line, 1500),
		"long lines": strings.Repeat("2026-01-02T12:00:00Z "+strings.Repeat("é", maxContent), 1) + "\n" + line + strings.Repeat("x", maxContent+7),
	} {
		p := logOf(t, text)
		got, replies := readOn(t, p, LogInput{ID: "abc", Lines: 1 << 20, Since: "2026-01-01T00:00:00Z"})
		if got != text || replies < 3 {
			t.Errorf("%s: %d bytes in %d replies, want %d", name, len(got), replies, len(text))
		}
		last, err := Log(t.Context(), p, LogInput{ID: "abc", Lines: 1 << 20})
		if err != nil || !last.HasMore || last.ByteOffset != int64(len(last.Content)) {
			t.Errorf("%s: last lines: %d bytes up to %d, more %v, %v", name, len(last.Content), last.ByteOffset, last.HasMore, err)
		}
	}
}

func TestLog_attemptAndOffset(t *testing.T) {
	t.Parallel()
	const t0 = "2026-01-02T12:00:00Z "
	p := logOf(t, t0+"=== attempt 1: a ===\n"+t0+"one\n"+t0+"=== attempt 2: b ===\n"+t0+"two\n"+t0+"three\n")
	want := t0 + "=== attempt 2: b ===\n" + t0 + "two\n" + t0 + "three\n"
	if got, replies := readOn(t, p, LogInput{ID: "abc", Run: 2, Lines: 2}); got != want || replies != 2 {
		t.Errorf("read %q in %d replies", got, replies)
	}
}

func TestLog_offsetBeyondTheEnd(t *testing.T) {
	t.Parallel()
	p := logOf(t, "12345\n")
	for offset, want := range map[int64]string{6: "", 7: "offset 7 lies beyond the end of the log, which has 6 bytes"} {
		_, err := Log(t.Context(), p, LogInput{ID: "abc", Offset: &offset})
		if (err == nil) != (want == "") || err != nil && (enginetest.CodeOf(t, err) != engine.Usage || err.Error() != want) {
			t.Errorf("offset %d: %v", offset, err)
		}
	}
}
