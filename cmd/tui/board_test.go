package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestBoard_steps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		events []string
		want   string // names and seconds
	}{
		{"none", nil, ""},
		{"one under way", []string{"branch step"}, "branch 1s"},
		{"each ends where the next begins", []string{"branch step", "worktree step", "worktree step b", "agent text c"}, "branch 1s, worktree 2s, agent 1s"},
		{"skipped steps are not invented", []string{"land step", "clean step"}, "land 1s, clean 1s"},
		{"an earlier step does not come back", []string{"land step", "verify command go test", "land step"}, "land 3s"},
		{"unknown steps come last", []string{"clean step", "polish step", "clean step"}, "clean 1s, polish 2s"},
		{"no step is none", []string{" text a"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := filled(tt.events...)
			now := start().Add(time.Duration(len(tt.events)) * time.Second)
			var got []string
			for _, s := range b.steps {
				got = append(got, fmt.Sprint(s.name, " ", s.elapsed(now)))
			}
			assert.Equal(t, tt.want, strings.Join(got, ", "))
		})
	}
}

func TestBoard_lines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		events []string
		want   string
	}{
		{"in order", []string{"agent text a", "agent output b", "agent stderr c"}, "a|b|c"},
		{"the last five", []string{"agent text a\nb\nc\nd\ne\nf", "agent text g"}, "c|d|e|f|g"},
		{"blank ones left out", []string{"agent text a\n\n  \n\tb\n"}, "a|    b"},
		{"a new step begins afresh", []string{"agent text a", "verify step"}, ""},
		{"an earlier step adds to the current", []string{"land step a", "verify command go test"}, "a|$ go test"},
		{"what a tool returned is left out", []string{"agent tool Read a.go", "agent result bulk"}, "Read a.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := filled(tt.events...)
			var got []string
			for _, l := range b.lines {
				got = append(got, l.text)
			}
			assert.Equal(t, tt.want, strings.Join(got, "|"))
		})
	}
}

func TestBoard_warningsOutliveTheirStep(t *testing.T) {
	t.Parallel()
	b := filled("agent warning a", "agent warning b", "collect step", "clean warning c", "clean warning d")
	assert.Equal(t, []string{"b", "c", "d"}, b.warnings)
}

func TestBoard_anotherRun(t *testing.T) {
	t.Parallel()
	b := filled("land step", "clean warning a")
	other := ev("branch step b")
	other.ID = "002"
	b.add(other, start())
	assert.Equal(t, 1, len(b.steps), "board of the next run")
	assert.Equal(t, "branch", b.steps[0].name, "board of the next run")
	assert.Equal(t, 1, len(b.warnings), "board of the next run")
}

func TestBoard_bounded(t *testing.T) {
	t.Parallel()
	var b board
	for i := range 300 {
		b.add(ev(fmt.Sprintf("agent warning %d\n%s", i, strings.Repeat("x", 2*maxLine))), start())
		b.add(ev(fmt.Sprintf("unknown%d text a", i)), start())
	}
	assert.True(t, len(b.steps) <= 2, "board holds %d steps, %d lines, %d warnings", len(b.steps), len(b.lines), len(b.warnings))
	assert.True(t, len(b.lines) <= maxLines, "board holds %d steps, %d lines, %d warnings", len(b.steps), len(b.lines), len(b.warnings))
	assert.True(t, len(b.warnings) <= maxWarnings, "board holds %d steps, %d lines, %d warnings", len(b.steps), len(b.lines), len(b.warnings))
	assert.True(t, len(b.lines[0].text) <= maxLine, "a line of %d bytes is kept, want at most %d", len(b.lines[0].text), maxLine)
}

func TestBoard_snapshot(t *testing.T) {
	t.Parallel()
	b := filled("branch step", "agent warning a")
	was := b.snapshot()
	b.add(ev("agent warning b"), start())
	b.end(start())
	assert.True(t, was.steps[1].end.IsZero(), "snapshot changed with its board: %+v", was)
	assert.Equal(t, 1, len(was.lines), "snapshot changed with its board")
	assert.Equal(t, 1, len(was.warnings), "snapshot changed with its board")
}

func TestStep_elapsed_clockGoesBack(t *testing.T) {
	t.Parallel()
	s := step{begin: start()}
	assert.Equal(t, 0, s.elapsed(start().Add(-time.Hour)))
}
