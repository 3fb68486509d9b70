package view

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
		assert.True(t, len(r.Content) <= maxContent, "a reply of %d bytes", len(r.Content))
		assert.True(t, utf8.ValidString(r.Content), "a reply of %d bytes", len(r.Content))
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
	assert.NoError(t, err)
	first, err := Log(t.Context(), p, LogInput{ID: "abc", Lines: 3})
	assert.NoError(t, err)
	assert.Equal(t, 3, first.LineCount)
	assert.Equal(t, int64(len(want)), first.ByteOffset)
	got, _ := readOn(t, p, LogInput{ID: "abc", Lines: 3})
	assert.Equal(t, want, got, "at work: read")
	since, err := Log(t.Context(), p, LogInput{ID: "abc", Since: "2026-01-02T12:00:07Z"})
	assert.NoError(t, err)
	assert.Equal(t, 2, since.LineCount)

	// Once no process holds the run, the last line counts as complete.
	assert.NoError(t, lock.Release())
	rest, err := Log(t.Context(), p, LogInput{ID: "abc", Offset: &first.ByteOffset})
	assert.NoError(t, err)
	assert.Equal(t, "unfinished", rest.Content)
	assert.False(t, rest.HasMore, "the rest: %+v, %v", rest, err)
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
		assert.Equal(t, text, got, "%s: %d bytes in %d", name, len(got), len(text))
		assert.True(t, replies >= 3, "%s: %d bytes in %d replies, want %d", name, len(got), replies, len(text))
		last, err := Log(t.Context(), p, LogInput{ID: "abc", Lines: 1 << 20})
		assert.NoError(t, err, "%s: last lines", name)
		assert.True(t, last.HasMore, "%s: last lines: %d bytes up to %d, more %v, %v", name, len(last.Content), last.ByteOffset, last.HasMore, err)
		assert.Equal(t, int64(len(last.Content)), last.ByteOffset, "%s: last lines", name)
	}
}

func TestLog_attemptAndOffset(t *testing.T) {
	t.Parallel()
	const t0 = "2026-01-02T12:00:00Z "
	p := logOf(t, t0+"=== attempt 1: a ===\n"+t0+"one\n"+t0+"=== attempt 2: b ===\n"+t0+"two\n"+t0+"three\n")
	want := t0 + "=== attempt 2: b ===\n" + t0 + "two\n" + t0 + "three\n"
	got, replies := readOn(t, p, LogInput{ID: "abc", Run: 2, Lines: 2})
	assert.Equal(t, want, got)
	assert.Equal(t, 2, replies)
}

func TestLog_offsetBeyondTheEnd(t *testing.T) {
	t.Parallel()
	p := logOf(t, "12345\n")
	for offset, want := range map[int64]string{6: "", 7: "offset 7 lies beyond the end of the log, which has 6 bytes"} {
		_, err := Log(t.Context(), p, LogInput{ID: "abc", Offset: &offset})
		assert.Equal(t, want == "", err == nil, "offset %d", offset)
		assert.False(t, err != nil && (enginetest.CodeOf(t, err) != engine.Usage || err.Error() != want), "offset %d: %v", offset, err)
	}
}
