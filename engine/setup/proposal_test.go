package setup

import (
	"slices"
	"testing"
	"testing/fstest"
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
		if got := ProposeCriteria(top); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func FuzzFor(f *testing.F) {
	f.Add([]byte(`{"scripts": {"test": "x"}}`))
	f.Add([]byte("check:\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		top := fstest.MapFS{"package.json": {Data: content}, "Makefile": {Data: content}}
		if got := ProposeCriteria(top); len(got) > 3 {
			t.Errorf("%q", got)
		}
	})
}

func TestCommands(t *testing.T) {
	t.Parallel()
	top := fstest.MapFS{"go.mod": {Data: []byte("module x\n")}, "Makefile": {Data: []byte("test:\n")}}
	if got := Commands(top); !slices.Equal(got, []string{"go test ./...", "go vet ./...", "make test"}) {
		t.Errorf("%q", got)
	}
	if got := Commands(fstest.MapFS{}); got != nil {
		t.Errorf("%q", got)
	}
}

func TestWithout(t *testing.T) {
	t.Parallel()
	criteria := []string{"Tests pass `$ go test ./...`", "The code passes vet `$ go vet ./...`"}
	if got := Without(slices.Clone(criteria), []string{"go test ./...", "make"}); !slices.Equal(got, criteria[1:]) {
		t.Errorf("%q", got)
	}
	if got := Without(slices.Clone(criteria), nil); !slices.Equal(got, criteria) {
		t.Errorf("%q", got)
	}
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
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", criterion, got, want)
		}
	}
}
