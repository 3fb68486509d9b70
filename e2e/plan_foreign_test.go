package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// What a criterion proves on a project before any work.
const (
	proves = "red"
	keeps  = "guard"
	spoils = "green or cannot_run" // no matter which
)

// foreignProject is a project of others with its tests, and what a planner that knows it only from reading could propose for it.
type foreignProject struct {
	name  string
	dir   func(t *testing.T) string
	specs []foreignSpec
}

type foreignSpec struct {
	title, what string
	files       []string
	after       []int
	criteria    [][2]string // what it is, and its command
}

// foreignProjects have twenty criteria each, half of which are bad.
func foreignProjects() []foreignProject {
	return []foreignProject{
		{"goldmark", moduleDir("github.com/yuin/goldmark"), []foreignSpec{
			{
				title: "Abbreviations", what: "An extension that reads abbreviations as in PHP Markdown Extra, with its node in the syntax tree.",
				files: []string{"extension/abbr.go", "extension/abbr_test.go", "extension/_test/abbr.txt", "README.md"},
				criteria: [][2]string{
					{proves, `go test ./extension -run '^TestAbbr' -v | grep -q -e '--- PASS: TestAbbr'`},
					{proves, `grep -q 'type Abbreviation struct' extension/ast/abbreviation.go`},
					{proves, `go doc ./extension NewAbbreviation`},
					{proves, `test -s extension/_test/abbr.txt && test "$(grep -c '^- - -' extension/_test/abbr.txt)" -ge 4`},
					{proves, `sed -n '/^### Built-in extensions/,/^### /p' README.md | grep -q 'extension.Abbreviation'`},
					{proves, `printf 'package main\nimport "github.com/yuin/goldmark/extension"\nvar _ = extension.Abbreviation\nfunc main() {}\n' > zz_use.go; go vet zz_use.go; code=$?; rm zz_use.go; exit $code`},
					{keeps, `go build ./...`},
					{spoils, `go test ./extension -run '^TestAbbr'`},                                   // a test that matches nothing
					{spoils, `go test ./extensions/... -run TestAbbr`},                                 // no such folder, and nobody makes it
					{spoils, `go test -run TestAbbr ./extension || true`},                              // failures are swallowed
					{spoils, `grep -c Footnote README.md`},                                             // it is there already
					{spoils, `golangci-lint-custom run ./extension/abbr.go`},                           // no such tool
					{spoils, `go test ./extension -run 'TestAbbr(' -count=1`},                          // no valid pattern
					{spoils, `grep -Eq 'func (n \*Abbreviation) Kind(' extension/ast/abbreviation.go`}, // no valid pattern
					{spoils, `go test ./extension >/dev/null && exit 1`},                               // fails whatever the work is
				},
			},
			{
				title: "A program", what: "A program goldmark that turns what is on stdin into HTML.", files: []string{"cmd/goldmark/main.go"}, after: []int{1},
				criteria: [][2]string{
					{proves, `printf '# Hi\n' | go run ./cmd/goldmark | grep -q '<h1'`},
					{proves, `go run ./cmd/goldmark --version 2>&1 | grep -Eq '^goldmark v?[0-9]+\.[0-9]+'`},
					{proves, `cd cmd/goldmark && go build -o /dev/null .`},
					{spoils, `make install-cli`},                 // no such target, and nobody adds it
					{spoils, `go test -fuzz=FuzzDefault ./fuzz`}, // does not end
				},
			},
		}},
		{"pflag", moduleDir("github.com/spf13/pflag"), []foreignSpec{
			{
				title: "Flags of runes", what: "FlagSet has Rune, RuneP, RuneVar and RuneVarP, for flags with one character.", files: []string{"rune.go", "rune_test.go", "README.md"},
				criteria: [][2]string{
					{proves, `test -f rune.go && go test -run '^TestRune' .`},
					{proves, `grep -q 'func (f \*FlagSet) RuneVarP(' rune.go`},
					{proves, `go doc . RuneVar | grep -q 'func RuneVar'`},
					{proves, `test "$(sed -n '/^## Runes/p' README.md)" = '## Runes'`},
					{proves, `go run ./examples/rune --letter x | grep -qx x`},
					{keeps, `go vet .`},
					{spoils, `if test -f rune.go; then go test .`},                        // no valid line
					{spoils, `[ -f rune.go && go test -run TestRune .`},                   // no valid test
					{spoils, `go test -coverage -run TestRune .`},                         // no such flag
					{spoils, `gofmt -l rune.go 2>/dev/null | wc -l`},                      // the pipe swallows it
					{spoils, `! golangci-lint-custom run ./...`},                          // what is missing fails, too
					{spoils, `(cd internal/rune && go test ./...)`},                       // no such folder
					{spoils, `echo '## Runes' >> README.md; grep -q 'case rune' flag.go`}, // changes what it checks
				},
			},
			{
				title: "Checks without golint", what: "A script runs gofmt and go vet; golint is no longer used.", files: []string{"scripts/check.sh", "verify/all.sh", "verify/golint.sh"},
				criteria: [][2]string{
					{proves, `./scripts/check.sh --quiet`},
					{proves, `sh -n scripts/check.sh && grep -q 'go vet' scripts/check.sh`},
					{proves, `! grep -q golint verify/all.sh verify/golint.sh`},
					{proves, `awk '/^## Unreleased/ {found = 1} END {exit !found}' CHANGELOG.md`},
					{spoils, `npm run check`},                                          // another language's tool
					{spoils, `make check`},                                             // there is no Makefile
					{spoils, `curl -fsS https://pkg.chant.invalid/pflag -o /dev/null`}, // needs a network
				},
			},
		}},
		{"process-warning", npmDir("process-warning"), []foreignSpec{
			{
				title: "Silence warnings", what: "A function that silences the warnings with a code.", files: []string{"index.js", "test/silence.test.js", "types/index.d.ts"},
				criteria: [][2]string{
					{proves, `node --test test/silence.test.js`},
					{proves, `node -e "require('./').silence('X001')"`},
					{proves, `node -p "typeof require('.').silence" | grep -qx function`},
					{proves, `grep -Eq 'silence ?\(code: string\)' types/index.d.ts`},
					{proves, `node -e 'import("./index.mjs").then(m => process.exit(m.createWarning ? 0 : 1), () => process.exit(1))'`},
					{keeps, `node --test test/emit-set.test.js`},
					{spoils, `npm run test:silence`},                                 // no such script, and nobody adds it
					{spoils, `node --test tests/`},                                   // no such folder, and nobody makes it
					{spoils, `jest test/silence.test.js`},                            // no such tool, although its test will be there
					{spoils, `node --test test/silence.test.js || true`},             // failures are swallowed
					{spoils, `node -e "require('./index.js').silence('X001'"`},       // no valid program
					{spoils, `node --tests test/silence.test.js`},                    // no such option
					{spoils, `node --test test/silence.test.js | tee silence.log`},   // the pipe swallows it
					{spoils, `node -e "require('./'); setInterval(() => {}, 1000)"`}, // does not end
				},
			},
			{
				title: "List warnings", what: "A program that lists the warnings of a module.", files: []string{"bin/list.js", "package.json"},
				criteria: [][2]string{
					{proves, `npm run --silent list -- --json`},
					{proves, `node bin/list.js --json | node -e "JSON.parse(require('fs').readFileSync(0, 'utf8'))"`},
					{proves, `node -e "if (!require('./package.json').bin) process.exit(1)"`},
					{proves, `node bin/list.js --nosuch; test $? -eq 2`},
					{spoils, `cd packages/core && npm test`},                                                             // no such folder
					{spoils, `node -e "fetch('https://registry.chant.invalid/').then(r => process.exit(r.ok ? 0 : 1))"`}, // needs a network
				},
			},
		}},
	}
}

// TestPlan_foreign: on projects of others, no bad criterion is shown as one that proves something, and no good one loses its
// command.
func TestPlan_foreign(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the criteria are for a POSIX shell")
	}
	t.Parallel()
	for _, f := range foreignProjects() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := f.dir(t)
			p := projectIn(t, t.TempDir())
			p.env = append(p.env, "CHANT_SANDBOX=off", "GOFLAGS=-trimpath -vet=off", "GOTOOLCHAIN=local", "GOPROXY=off", "GOCACHE="+goEnv(t, "GOCACHE"))
			assert.NoError(t, os.CopyFS(p.dir, os.DirFS(dir)))
			writable(t, p.dir)
			p.git("init", "-q", "-b", "main")
			p.git("add", ".")
			p.git("commit", "-q", "-m", "begin")
			p.chant("init", "--provider", "shell")
			p.write(".chant/config.md", "---\ndefaults: {provider: planner}\nplan: {rounds: 0}\nverify: {timeout: 30s, pass: [GOFLAGS, GOTOOLCHAIN, GOPROXY, GOCACHE]}\n---\n")
			p.write(".chant/providers/planner.md", "---\ncommand: sh\nargs: [-c, 'cat >/dev/null; cat \"$HOME/answer\"']\nprompt: stdin\nevents: lines\n---\n")
			p.git("add", ".")
			p.git("commit", "-q", "-m", "project")
			assert.NoError(t, os.WriteFile(p.home("answer"), f.answer(t), 0o644))

			var got struct {
				Specs []struct {
					Criteria []struct{ Command, State, Why string }
				}
			}
			assert.NoError(t, json.Unmarshal([]byte(p.chant("plan", "More", "of", "it", "--json")), &got))
			good, bad := 0, 0
			for i, s := range f.specs {
				assert.Equal(t, len(s.criteria), len(got.Specs[i].Criteria))
				for j, c := range s.criteria {
					one := got.Specs[i].Criteria[j]
					if c[0] == spoils {
						bad++
						assert.True(t, one.State == "green" || one.State == "cannot_run", "`%s` is bad, and is called %s", one.Command, one.State)
						continue
					}
					good++
					assert.Equal(t, c[0], one.State, "`%s`: %s", one.Command, one.Why)
				}
			}
			assert.Equal(t, [2]int{10, 10}, [2]int{good, bad})
			assert.Equal(t, "", p.git("status", "--porcelain"))
		})
	}
}

// answer is what the planner prints.
func (f foreignProject) answer(t *testing.T) []byte {
	t.Helper()
	var specs []map[string]any
	for _, s := range f.specs {
		var all []map[string]any
		for i, c := range s.criteria {
			all = append(all, map[string]any{"text": fmt.Sprintf("part %d is so", i+1), "command": c[1], "guard": c[0] == keeps})
		}
		specs = append(specs, map[string]any{"title": s.title, "what": s.what, "target_files": s.files, "depends_on": append([]int{}, s.after...), "criteria": all})
	}
	src, err := json.Marshal(map[string]any{"specs": specs})
	assert.NoError(t, err)
	return src
}

// moduleDir returns the folder of a module of Go that the tests are built with.
func moduleDir(module string) func(t *testing.T) string {
	return func(t *testing.T) string {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		dir := strings.TrimSpace(string(out))
		if err != nil || dir == "" {
			t.Skipf("the module cache has no %s: %v", module, err)
		}
		return dir
	}
}

// npmDir returns the folder of a package of npm.
func npmDir(name string) func(t *testing.T) string {
	return func(t *testing.T) string {
		_, modules := npmPackage(t, name)
		if _, err := exec.LookPath("npm"); err != nil {
			t.Skip(err)
		}
		dir := filepath.Join(modules, name)
		if _, err := os.Stat(filepath.Join(dir, "test")); err != nil {
			t.Skipf("%s has no tests: %s", name, err)
		}
		return dir
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	assert.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// writable makes what was copied from the module cache like a checkout.
func writable(t *testing.T, dir string) {
	t.Helper()
	assert.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Type()&os.ModeSymlink != 0 {
			return err
		}
		mode := os.FileMode(0o644)
		if d.IsDir() || strings.HasSuffix(path, ".sh") {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	}))
}
