package setup

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

func TestFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"nothing":         {nil, nil},
		"Go":              {map[string]string{"go.mod": "module x\n"}, []string{"Tests pass `$ go test ./...`", "The code passes vet `$ go vet ./...`"}},
		"npm":             {map[string]string{"package.json": `{"scripts": {"test": "jest", "lint": "eslint ."}}`}, []string{"Tests pass `$ npm run test`", "The linter passes `$ npm run lint`"}},
		"pnpm":            {map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "pnpm-lock.yaml": ""}, []string{"Tests pass `$ pnpm run test`"}},
		"no tests":        {map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`}, nil},
		"a broken file":   {map[string]string{"package.json": `{`}, nil},
		"make, both":      {map[string]string{"Makefile": "all:\ntest: all\n\tx\ncheck:\n\ty\n"}, []string{"Checks pass `$ make check`"}},
		"make, test":      {map[string]string{"Makefile": "test:\n"}, []string{"Tests pass `$ make test`"}},
		"make, variables": {map[string]string{"Makefile": "test := 1\ncheck:=2\n testing: x\n"}, nil},
		"Rust and make":   {map[string]string{"Cargo.toml": "", "Makefile": "check:\n"}, []string{"Tests pass `$ cargo test`", "Checks pass `$ make check`"}},
	} {
		top := fstest.MapFS{}
		for file, content := range c.files {
			top[file] = &fstest.MapFile{Data: []byte(content)}
		}
		assert.Equal(t, c.want, ProposeCriteria(top), "%s", name)
	}
}

func FuzzFor(f *testing.F) {
	f.Add([]byte(`{"scripts": {"test": "x"}}`))
	f.Add([]byte("check:\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		top := fstest.MapFS{"package.json": {Data: content}, "Makefile": {Data: content}}
		got := ProposeCriteria(top)
		assert.True(t, len(got) <= 3, "%q", got)
	})
}

func TestCommands(t *testing.T) {
	t.Parallel()
	top := fstest.MapFS{"go.mod": {Data: []byte("module x\n")}, "Makefile": {Data: []byte("test:\n")}}
	assert.Equal(t, []string{"go test ./...", "go vet ./...", "make test"}, Commands(top))
	got := Commands(fstest.MapFS{})
	assert.True(t, got == nil, "%q", got)
}

func TestWithout(t *testing.T) {
	t.Parallel()
	criteria := []string{"Tests pass `$ go test ./...`", "The code passes vet `$ go vet ./...`"}
	assert.Equal(t, criteria[1:], Without(slices.Clone(criteria), []string{"go test ./...", "make"}))
	assert.Equal(t, criteria, Without(slices.Clone(criteria), nil))
}

func TestProgram(t *testing.T) {
	t.Parallel()
	for criterion, want := range map[string][]string{
		"It is fast":                        nil,
		"Tests pass `$ go test ./...`":      {"go"},
		"Both `$ make a` and `$ ./check b`": {"make", "./check"},
		"With a variable `$ X=1 go test`":   {""},
		"Not a command `go test`":           nil,
		"A shell `$ ! grep x y`":            {""},
		"An empty one `$  `":                {""},
	} {
		var got []string
		for _, command := range CommandsIn(criterion) {
			got = append(got, Program(command))
		}
		assert.Equal(t, want, got, "%q", criterion)
	}
}
