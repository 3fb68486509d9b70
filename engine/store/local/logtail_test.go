package local

import (
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestLogTail_bounded(t *testing.T) {
	t.Parallel()
	written := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, tc := range map[string]struct {
		text  string
		whole bool
		want  []LogLine
	}{
		"empty":         {"", true, nil},
		"two":           {"2026-01-02T03:04:00.500Z a b\n2026-01-02T03:04:01Z c\n", true, []LogLine{{written.Add(-4500 * time.Millisecond), "a b"}, {written.Add(-4 * time.Second), "c"}}},
		"cut in front":  {":04:00Z a b\n2026-01-02T03:04:01Z c\n", false, []LogLine{{written.Add(-4 * time.Second), "c"}}},
		"one long line": {"xxx yyy\n", false, []LogLine{{written, "xxx yyy"}}},
		"not ours":      {"plain text\n", true, []LogLine{{written, "plain text"}}},
		"no text":       {"2026-01-02T03:04:01Z \n", true, []LogLine{{written.Add(-4 * time.Second), ""}}},
	} {
		got := logLines(tc.text, tc.whole, written)
		if len(got) != len(tc.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
			continue
		}
		for i := range got {
			assert.True(t, got[i].At.Equal(tc.want[i].At), "%s: %+v, want %+v", name, got[i], tc.want[i])
			assert.Equal(t, tc.want[i].Text, got[i].Text, "%s", name)
		}
	}
}

func TestLogTail_readsTheEndOnly(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if got, err := p.LogTail(idA, 100); err != nil || got != nil {
		t.Errorf("no log: %v, %v", got, err)
	}
	l := openLog(t, p, 1)
	say(t, l, strings.Repeat("x", 1000), "last")
	got, err := p.LogTail(idA, 100)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(got))
	assert.Equal(t, "last", got[0].Text)
	assert.True(t, got[0].At.Equal(clock()), "%+v, %v", got, err)
	got, err = p.LogTail(idA, 1<<20)
	assert.NoError(t, err, "%+v", got)
	assert.Equal(t, 3, len(got), "%+v", got)
	assert.NoError(t, l.Close())
}
