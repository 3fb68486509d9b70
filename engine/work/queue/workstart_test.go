package queue

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// A run can leave a spec in every status except those in which it has not begun or is under way.
func TestWorkStart_doneStatuses(t *testing.T) {
	t.Parallel()
	want := slices.DeleteFunc(spec.StatusWords(), func(word string) bool {
		return word == string(spec.Pending) || word == string(spec.InProgress)
	})
	got := doneStatuses()
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCheckFollowers checks the first spec only if others follow it, because the started process reports it otherwise.
func TestCheckFollowers(t *testing.T) {
	t.Parallel()
	p := queued(t)
	for name, c := range map[string]struct {
		in   WorkStartInput
		id   string
		code engine.Code
	}{
		"alone":                     {WorkStartInput{}, numbered(3), ""},
		"ready, others follow":      {WorkStartInput{Chain: true}, numbered(1), ""},
		"completed, others follow":  {WorkStartInput{Chain: true}, numbered(3), engine.State},
		"blocked, others beside it": {WorkStartInput{Parallel: 2}, numbered(2), engine.Blocked},
		"unreadable":                {WorkStartInput{Parallel: 2}, numbered(8), engine.Invalid},
		"a chain with a width":      {WorkStartInput{Chain: true, Parallel: 2}, numbered(1), engine.Usage},
	} {
		err := checkFollowers(t.Context(), p, c.in, c.id)
		assert.Equal(t, c.code, enginetest.CodeOf(t, engine.Wrap(err, "")), "%s", name)
	}
}

// TestEarlyEndError returns the error that a process printed as its last line, else how it ended.
func TestEarlyEndError(t *testing.T) {
	t.Parallel()
	output := filepath.Join(t.TempDir(), "work.log")
	for name, c := range map[string]struct{ printed, want string }{
		"an error":        {"{\"kind\":\"warning\"}\n{\"error\":{\"code\":\"state\",\"message\":\"it has landed\"}}\n", "it has landed"},
		"another text":    {"panic: x\n", "chant work ended at once: exit code 3"},
		"another object":  {"{\"id\":\"a\"}\n", "chant work ended at once: exit code 3"},
		"nothing at all":  {"", "chant work ended at once: exit code 3"},
		"an empty object": {"{\"error\":null}\n", "chant work ended at once: exit code 3"},
	} {
		assert.NoError(t, os.WriteFile(output, []byte(c.printed), 0o644))
		err := earlyEndError(next.Work.On(), output, providers.Exit{Code: 3})
		assert.Error(t, err, "%s", name)
		assert.Equal(t, c.want, err.Error(), "%s", name)
	}
}

// TestWorkStartInput_args writes an input as a command line that means the same.
func TestWorkStartInput_args(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]WorkStartInput{
		"work x --json --quiet":                                   {},
		"work x --json --quiet --chain --all":                     {Chain: true},
		"work x --json --quiet --all --parallel 3":                {Parallel: 3},
		"work x --json --quiet --prompt p --model m --timeout 5m": {WorkInput: work.WorkInput{Options: work.Options{Prompt: "p", Model: "m", Timeout: "5m"}}},
		"work x --json --quiet --provider claude --onto release --no-merge --skip-approval --keep-worktree": {
			WorkInput: work.WorkInput{Options: work.Options{Provider: "claude", Onto: "release", NoMerge: true, KeepWorktree: true}, SkipApproval: true},
		},
	} {
		assert.Equal(t, want, strings.Join(in.args("x"), " "))
	}
	for want, in := range map[string]WorkStartInput{"single": {}, "chain": {Chain: true}, "parallel(4)": {Parallel: 4}} {
		assert.Equal(t, want, in.mode())
	}
}
