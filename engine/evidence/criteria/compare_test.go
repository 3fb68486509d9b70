package criteria

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCompare says of what fails whether it fails in the same way without the work.
func TestCompare(t *testing.T) {
	t.Parallel()
	ran := func(command string, code int, tail string) Verdict {
		return Verdict{ID: "a", Source: FromCriteria, How: ByRunning, Why: "it failed", Evidence: []Evidence{{Command: command, ExitCode: code, Tail: tail}}}
	}
	guard := ran("sh keeps.sh", 1, "keeps.sh: it is red\n")
	guard.Guard = true
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
		"a file that is to be made":              {ran("sh greet.sh Ada", 2, "sh: 0: cannot open greet.sh: No such file\n"), ran("sh greet.sh Ada", 2, "sh: 0: cannot open greet.sh: No such file\n"), false, false},
		"a module that is to be made":            {ran(`python3 -c "import greet"`, 1, "ModuleNotFoundError: No module named 'greet'\n"), ran(`python3 -c "import greet"`, 1, "ModuleNotFoundError: No module named 'greet'\n"), false, false},
		"a command of its own program":           {ran("python3 app.py greet", 2, "usage: app.py\n"), ran("python3 app.py greet", 2, "usage: app.py\n"), false, false},
		"a program that is to be made":           {ran("X=1 ./greet Ada", 127, "sh: 1: ./greet: not found\n"), ran("X=1 ./greet Ada", 127, "sh: 1: ./greet: not found\n"), false, false},
		"a test that is to be made":              {ran("pytest -q test_greet.py", 4, "ERROR: file or directory not found: test_greet.py\n"), ran("pytest -q test_greet.py", 4, "ERROR: file or directory not found: test_greet.py\n"), false, false},
		"tests that lack a package":              {ran("npm test", 1, "Error: Cannot find module 'left-pad'\n"), ran("npm test", 1, "Error: Cannot find module 'left-pad'\n"), true, false},
		"a script that is to be made, in bash":   {ran("bash new.sh", 127, "bash: new.sh: No such file or directory\n"), ran("bash new.sh", 127, "bash: new.sh: No such file or directory\n"), false, false},
		"a program behind another":               {ran("! bin/greet", 127, "sh: 1: bin/greet: not found\n"), ran("! bin/greet", 127, "sh: 1: bin/greet: not found\n"), false, false},
		"the test of the shell":                  {ran(`test -n "$x" || { echo "no name in it"; exit 1; }`, 1, "no name in it\n"), ran(`test -n "$x" || { echo "no name in it"; exit 1; }`, 1, "no name in it\n"), false, false},
		"an argument like a suite":               {ran("./app check in.json", 2, "usage: app\n"), ran("./app check in.json", 2, "usage: app\n"), false, false},
		"a script of tests":                      {ran("sh scripts/test.sh", 1, "3 failed\n"), ran("sh scripts/test.sh", 1, "3 failed\n"), true, false},
		"a runner that is not installed":         {ran("python3 -m pytest", 1, "/usr/bin/python3: No module named pytest\n"), ran("python3 -m pytest", 1, "/usr/bin/python3: No module named pytest\n"), true, false},
		"tests that are to be made":              {ran("pytest -k greet", 5, "5 deselected in 0.01s\n"), ran("pytest -k greet", 5, "5 deselected in 0.02s\n"), false, false},
		"a guard":                                {guard, ran("sh keeps.sh", 1, "keeps.sh: it is red\n"), true, false},
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

// TestBaseIsBroken keeps the tests that a spec is to make pass apart from those that are red beside it.
func TestBaseIsBroken(t *testing.T) {
	t.Parallel()
	red := Verdict{How: ByRunning, Source: FromCriteria, Base: &Base{Same: true}, Evidence: []Evidence{{Command: "make test", ExitCode: 1}}}
	done := Verdict{How: ByRunning, Source: FromCriteria, Holds: true, Proof: FailToPass}
	green := Verdict{How: ByRunning, Source: FromCriteria, Holds: true, Proof: PassToPass}
	box := Verdict{How: ByBox, Source: FromCriteria, Holds: true}
	project, guard, lacks := red, red, red
	project.Source, guard.Guard, lacks.Evidence = FromProject, true, []Evidence{{Command: "nosuch", ExitCode: notFound}}
	for name, c := range map[string]struct {
		verdicts []Verdict
		want     bool
	}{
		"the tests are what was asked for": {[]Verdict{red}, false},
		"with a box":                       {[]Verdict{red, box}, false},
		"beside work that is done":         {[]Verdict{done, red}, true},
		"beside what held before":          {[]Verdict{green, red}, false},
		"the project's":                    {[]Verdict{project}, true},
		"a guard":                          {[]Verdict{guard}, true},
		"a program is missing":             {[]Verdict{lacks}, true},
		"something else fails":             {[]Verdict{done, red, {How: ByRunning}}, false},
	} {
		assert.Equal(t, c.want, BaseIsBroken(c.verdicts), "%s", name)
	}
}
