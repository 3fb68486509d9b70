package planning

import (
	"testing"

	"chant/engine/evidence/criteria"

	"github.com/alecthomas/assert/v2"
)

// TestStateOf: a command is red only if it may fail because the work is missing.
func TestStateOf(t *testing.T) {
	t.Parallel()
	type ended struct {
		command string
		exit    int
		tail    string
	}
	ran := func(e ended) criteria.Verdict {
		return criteria.Verdict{How: criteria.ByRunning, Holds: e.exit == 0, Evidence: []criteria.Evidence{{Command: e.command, ExitCode: e.exit, Tail: e.tail}}}
	}
	makes := ahead{files: []string{"shop/cart.go", "check.sh", "package.json"}, texts: "Add the script bin/run."}
	for name, tt := range map[string]struct {
		of    ahead
		ended ended
		want  State
	}{
		"a word is missing":                 {ahead{}, ended{"grep -q good a.txt", 1, ""}, Red},
		"a file is missing":                 {ahead{}, ended{"grep -q good a.txt", 2, "grep: a.txt: No such file or directory\n"}, Red},
		"a test fails":                      {ahead{}, ended{"go test ./...", 1, "--- FAIL: TestA\nFAIL"}, Red},
		"a package is missing":              {makes, ended{"go test ./shop", 1, "stat shop: directory not found"}, Red},
		"a flag of the project's program":   {ahead{}, ended{"go run . --json", 1, "flag provided but not defined: -json"}, Red},
		"a command of the project's":        {ahead{}, ended{"./tool new", 1, "tool: unknown command \"new\""}, Red},
		"a module of the project's":         {ahead{}, ended{"python3 -m shop", 1, "No module named shop"}, Red},
		"a program is missing":              {ahead{}, ended{"nosuch --x", 127, "sh: 1: nosuch: not found"}, CannotRun},
		"a script is missing":               {ahead{}, ended{"./run.sh", 127, "sh: 1: ./run.sh: not found"}, CannotRun},
		"a script that a spec adds":         {makes, ended{"./check.sh", 127, "sh: 1: ./check.sh: not found"}, Red},
		"a script that a text names":        {makes, ended{"bin/run", 127, "sh: 1: bin/run: not found"}, Red},
		"an interpreter lacks its script":   {ahead{}, ended{"python3 check.py", 2, "python3: can't open file '/x/check.py': [Errno 2] No such file or directory"}, CannotRun},
		"an option of a tool":               {ahead{}, ended{"grep --nosuch x a", 2, "grep: unrecognized option '--nosuch'\nUsage: grep"}, CannotRun},
		"a flag of a toolchain":             {ahead{}, ended{"go test -nosuch ./...", 2, "flag provided but not defined: -nosuch"}, CannotRun},
		"a pattern":                         {ahead{}, ended{"grep 'a[' a.txt", 2, "grep: Unmatched [, [^, [:, [., or [="}, CannotRun},
		"the shell":                         {ahead{}, ended{"if true; then", 2, "sh: 2: Syntax error: end of file unexpected (expecting \"fi\")"}, CannotRun},
		"a test of the shell":               {ahead{}, ended{"[ 1 -eq x ]", 2, "sh: 1: [: Illegal number: x"}, CannotRun},
		"a script of npm":                   {ahead{}, ended{"npm run nosuch", 1, "npm error Missing script: \"nosuch\""}, CannotRun},
		"a script of npm that a spec adds":  {makes, ended{"npm run nosuch", 1, "npm error Missing script: \"nosuch\""}, Red},
		"a target of make":                  {ahead{}, ended{"make nosuch", 2, "make: *** No rule to make target 'nosuch'.  Stop."}, CannotRun},
		"a host":                            {ahead{}, ended{"curl -f https://example.com", 6, "curl: (6) Could not resolve host: example.com"}, CannotRun},
		"nothing can make it hold":          {ahead{}, ended{"false", 1, ""}, CannotRun},
		"nothing can make it hold, in test": {ahead{}, ended{"test 1 = 2", 1, ""}, CannotRun},
		"a file is asked for":               {ahead{}, ended{"[ -s a.txt ]", 1, ""}, Red},
		"a text is asked for":               {ahead{}, ended{`test "$(cat a)" = b`, 1, ""}, Red},
		"time is over":                      {ahead{}, ended{"timeout 5 ./serve", 124, ""}, CannotRun},
		"it holds":                          {ahead{}, ended{"true", 0, ""}, Green},
	} {
		got, why := stateOf(ran(tt.ended), false, tt.of)
		assert.Equal(t, tt.want, got, "%s: %s", name, why)
		assert.Equal(t, tt.want == Red, why == "", "%s: %s", name, why)
	}
	got, _ := stateOf(ran(ended{"true", 0, ""}), true, ahead{})
	assert.Equal(t, Guard, got)
	got, why := stateOf(ran(ended{"false", 1, ""}), true, ahead{})
	assert.Equal(t, CannotRun, got)
	assert.Contains(t, why, "it is a guard and does not hold")
	got, _ = stateOf(criteria.Verdict{How: criteria.ByBox}, false, ahead{})
	assert.Equal(t, ByHand, got)
	v := ran(ended{"curl x", 0, ""})
	v.Evidence[0].Offline = &criteria.CommandRun{ExitCode: 6}
	got, why = stateOf(v, false, ahead{})
	assert.Equal(t, CannotRun, got)
	assert.Contains(t, why, "needs a network")
}
