package criteria

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCompare says of what fails whether it fails in the same way without the work.
func TestCompare(t *testing.T) {
	t.Parallel()
	failed := func(from Source, code int, tail string) Verdict {
		return Verdict{ID: "a", Source: from, How: ByRunning, Why: "it failed", Evidence: []Evidence{{Command: "make test", ExitCode: code, Tail: tail}}}
	}
	const red = "--- FAIL: TestGlob (0.01s)\n    glob_test.go:12: got 3\nFAIL\nFAIL\tx/glob\t0.021s\n"
	holds := Verdict{ID: "a", How: ByRunning, Holds: true}
	for name, c := range map[string]struct {
		now, base  Verdict
		same, none bool
	}{
		"the same tests, at other times":         {failed(FromCriteria, 1, red), failed(FromCriteria, 1, "--- FAIL: TestGlob (0.35s)\n    glob_test.go:12: got 3\nFAIL\nFAIL\tx/glob\t0.721s\n"), true, false},
		"in other trees":                         {failed(FromCriteria, 1, "Error: Cannot find module '/tmp/check-1/x'\n"), failed(FromCriteria, 1, "Error: Cannot find module '/tmp/check-22/x'\n"), true, false},
		"other tests":                            {failed(FromCriteria, 1, "--- FAIL: TestNew (0.01s)\nFAIL\n"), failed(FromCriteria, 1, red), false, false},
		"the criterion asks for what is not yet": {failed(FromCriteria, 1, ""), failed(FromCriteria, 1, ""), false, false},
		"a command of the project":               {failed(FromProject, 1, ""), failed(FromProject, 1, ""), true, false},
		"no such program":                        {failed(FromCriteria, 127, ""), failed(FromCriteria, 127, "sh: x: not found"), true, false},
		"another exit code":                      {failed(FromProject, 2, red), failed(FromProject, 1, red), false, false},
		"it holds there":                         {failed(FromCriteria, 1, red), holds, false, false},
		"not compared":                           {failed(FromCriteria, 1, red), Verdict{ID: "b"}, false, true},
	} {
		now := []Verdict{c.now}
		Compare(now, []Verdict{c.base}, "main")
		got := now[0].Base
		assert.Equal(t, c.none, got == nil, "%s", name)
		assert.False(t, got != nil && got.Same != c.same, "%s: %+v", name, got)
		assert.Equal(t, c.same, OnlyBase(now), "%s", name)
		want := "it failed; also fails on main"
		assert.False(t, c.same && now[0].Why != want, "%s: %q, want %q", name, now[0].Why, want)
	}
}
