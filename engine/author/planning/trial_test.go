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
	makes := ahead{files: []string{"shop/cart.go", "check.sh", "package.json"}, texts: "Add the script bin/run, in a folder web."}
	there := ahead{there: []string{"test/a.js", "extension/b.go", "README.md", "Makefile"}}
	evalFault := "[eval]:1\nf('x'\n^^^\n\nSyntaxError: missing ) after argument list\n    at makeContextifyScript (node:internal/vm:185:14)\n"
	evalThrow := "[eval]:1\nJSON.parse(x)\n^\n\nSyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n    at [eval]:1:6\n"
	pyFault := "  File \"<string>\", line 1\n    f(\n     ^\nSyntaxError: '(' was never closed\n"
	pyImport := "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"/x/a.py\", line 3\n    (\n    ^\nSyntaxError: '(' was never closed\n"
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

		"an option of the project's script":       {ahead{}, ended{"python3 greet.py --loud", 2, "usage: greet.py [-h]\ngreet.py: error: unrecognized arguments: --loud"}, Red},
		"an option of the project's module":       {ahead{}, ended{"python3 -m shop --json", 2, "shop: error: unrecognized arguments: --json"}, Red},
		"an option of the project's binary":       {ahead{}, ended{"./tool --json", 2, "./tool: unrecognized option '--json'"}, Red},
		"a test prints an unknown flag":           {ahead{}, ended{"go test ./cmd -run TestJSON", 1, "    cmd_test.go:9: unknown flag: --json\n--- FAIL: TestJSON\nFAIL"}, Red},
		"a flag of a toolchain behind another":    {ahead{}, ended{"test -f a && go test -coverage .", 2, "flag provided but not defined: -coverage\nusage: go test"}, CannotRun},
		"an option of pytest":                     {ahead{}, ended{"python3 -m pytest --nosuch", 4, "pytest: error: unrecognized arguments: --nosuch"}, CannotRun},
		"an option of tsc":                        {ahead{}, ended{"npx tsc --nosuch", 1, "error TS5023: Unknown compiler option '--nosuch'."}, CannotRun},
		"a pattern for tests":                     {ahead{}, ended{"go test -run 'A(' ./...", 1, "testing: invalid regexp for element 0 of -test.run (\"A(\"): error parsing regexp: missing closing )"}, CannotRun},
		"a predicate of find":                     {ahead{}, ended{"find . -nam x | grep x", 1, "find: unknown predicate `-nam'"}, CannotRun},
		"a command of git":                        {ahead{}, ended{"git grepp x", 1, "git: 'grepp' is not a git command. See 'git --help'."}, CannotRun},
		"an expression of sed":                    {ahead{}, ended{"sed -n 's/a/b' x | grep b", 1, "sed: -e expression #1, char 5: unterminated `s' command"}, CannotRun},
		"a program of awk":                        {ahead{}, ended{"awk '{' a", 2, "mawk: line 1: syntax error at or near end of line"}, CannotRun},
		"a program in the command":                {makes, ended{"node -e \"require('./shop/cart.go'); f('x'\"", 1, evalFault}, CannotRun},
		"data of a program in the command":        {ahead{}, ended{"node bin.js | node -e 'JSON.parse(x)'", 1, evalThrow}, Red},
		"python in the command":                   {ahead{}, ended{"python3 -c 'f('", 1, pyFault}, CannotRun},
		"a file that python in it imports":        {ahead{}, ended{"python3 -c 'import a'", 1, pyImport}, Red},
		"a number that is missing":                {ahead{}, ended{"[ $(grep -c x a) -ge 2 ]", 2, "grep: a: No such file or directory\nsh: 1: [: -ge: unexpected operator"}, Red},
		"an empty number":                         {ahead{}, ended{"test \"$(cat a)\" -eq 3", 2, "sh: 1: test: Illegal number: "}, Red},
		"a bracket that is missing":               {makes, ended{"[ -f shop/cart.go && go test ./shop", 2, "sh: 1: [: missing ]"}, CannotRun},
		"a tool for a file that a spec adds":      {makes, ended{"jest shop/cart.go", 127, "sh: 1: jest: not found"}, CannotRun},
		"a tool in front of a pipe":               {ahead{}, ended{"nosuch x | grep -q y", 1, "sh: 1: nosuch: not found"}, CannotRun},
		"a tool that another replaces":            {ahead{}, ended{"rg -q x || grep -rq x .", 1, "sh: 1: rg: not found"}, Red},
		"a tool in a script that is there":        {ahead{}, ended{"sh all.sh", 127, "all.sh: 3: golint: not found"}, CannotRun},
		"a folder to enter":                       {ahead{}, ended{"(cd nosuch && go test ./...)", 2, "sh: 1: cd: can't cd to nosuch"}, CannotRun},
		"a folder to enter, in bash":              {ahead{}, ended{"cd nosuch && ls", 1, "bash: line 1: cd: nosuch: No such file or directory"}, CannotRun},
		"a folder to enter that a spec adds":      {makes, ended{"cd shop && go test .", 2, "sh: 1: cd: can't cd to shop"}, Red},
		"a folder to enter that a text names":     {makes, ended{"cd web && npm test", 2, "sh: 1: cd: can't cd to web"}, Red},
		"a script of npm, of a file of a spec":    {ahead{files: []string{"a.js"}}, ended{"npm run nosuch a.js", 1, "npm error Missing script: \"nosuch\""}, CannotRun},
		"a script of npm that a text names":       {ahead{texts: "Add test:fast, which is quick."}, ended{"npm run test:fast", 1, "npm error Missing script: \"test:fast\""}, Red},
		"npm without a package":                   {ahead{}, ended{"npm test", 254, "npm error enoent Could not read package.json: Error: ENOENT"}, CannotRun},
		"what a target of make needs":             {ahead{}, ended{"make all", 2, "make: *** No rule to make target 'src/x.c', needed by 'all'.  Stop."}, Red},
		"go without a module":                     {ahead{}, ended{"go test .", 1, "go: go.mod file not found in current directory or any parent directory"}, CannotRun},
		"go with a module that a spec adds":       {ahead{files: []string{"go.mod"}}, ended{"go test .", 1, "go: go.mod file not found in current directory or any parent directory"}, Red},
		"a server of the project's":               {ahead{}, ended{"./serve & curl -fs http://127.0.0.1:8080/", 7, "curl: (7) Failed to connect to 127.0.0.1 port 8080 after 0 ms: Couldn't connect to server"}, Red},
		"a test that dials":                       {ahead{}, ended{"go test .", 1, "dial tcp 127.0.0.1:80: connect: connection refused"}, Red},
		"a folder that has another name":          {there, ended{"go test ./extensions/...", 1, "pattern ./extensions/...: lstat ./extensions/: no such file or directory"}, CannotRun},
		"a folder that has another name, in node": {there, ended{"node --test tests/", 1, "Could not find 'tests'"}, CannotRun},
		"a file in another case":                  {there, ended{"grep -q x readme.md", 2, "grep: readme.md: No such file or directory"}, CannotRun},
		"such a folder, which a spec adds":        {ahead{there: there.there, files: []string{"tests/x.js"}}, ended{"node --test tests/", 1, "Could not find 'tests'"}, Red},
		"a file beside others":                    {there, ended{"grep -q x extension/c.go", 2, "grep: extension/c.go: No such file or directory"}, Red},
		"behind the work it fails":                {makes, ended{"go test ./shop && exit 1", 1, ""}, CannotRun},
	} {
		got, why := stateOf(ran(tt.ended), false, false, tt.of)
		assert.Equal(t, tt.want, got, "%s: %s", name, why)
		assert.Equal(t, tt.want == Red, why == "", "%s: %s", name, why)
	}
	got, _ := stateOf(ran(ended{"true", 0, ""}), true, false, ahead{})
	assert.Equal(t, Guard, got)
	for said, want := range map[string]State{"testing: warning: no tests to run": Red, "running 0 tests": Red, "running 10 tests": Green, "ok": Green} {
		got, _ := stateOf(ran(ended{"go test -run TestNew .", 0, said}), false, true, ahead{})
		assert.Equal(t, want, got, "%s", said)
	}
	got, why := stateOf(ran(ended{"false", 1, ""}), true, false, ahead{})
	assert.Equal(t, CannotRun, got)
	assert.Contains(t, why, "it is a guard and does not hold")
	got, _ = stateOf(criteria.Verdict{How: criteria.ByBox}, false, false, ahead{})
	assert.Equal(t, ByHand, got)
	stopped := ran(ended{"make it", 1, "touch: cannot touch '/etc/x': Permission denied"})
	stopped.Evidence[0].Refused = "EACCES: /etc/x outside of the run"
	got, why = stateOf(stopped, false, false, ahead{})
	assert.Equal(t, CannotRun, got)
	assert.Contains(t, why, "the sandbox stops it: EACCES")
	v := ran(ended{"curl x", 0, ""})
	v.Evidence[0].Offline = &criteria.CommandRun{ExitCode: 6}
	got, why = stateOf(v, false, false, ahead{})
	assert.Equal(t, CannotRun, got)
	assert.Contains(t, why, "needs a network")
}
