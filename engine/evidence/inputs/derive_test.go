package inputs

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"chant/engine/spec/fileset"

	"github.com/alecthomas/assert/v2"
)

// tree returns the files of a text: each begins with a line "== name".
func tree(text string) fstest.MapFS {
	out := fstest.MapFS{}
	for _, file := range strings.Split("\n"+text, "\n== ")[1:] {
		name, content, _ := strings.Cut(file, "\n")
		out[name] = &fstest.MapFile{Data: []byte(content + "\n")}
	}
	return out
}

const goTree = `== go.mod
module ex.org/m

require (
	ex.org/local v1.0.0
)

replace ex.org/local v1.0.0 => ./third/local
== go.sum
== main.go
package main

import _ "ex.org/m/a"
== a/a.go
package a

import (
	"fmt"
	"ex.org/m/b"
	"ex.org/local/x"
	"ex.org/m/sub"
)
== a/a_test.go
package a_test

import "ex.org/m/helper"
== a/testdata/one.txt
== b/b.go
package b

//go:embed page
var page string
== b/b_test.go
package b

import "os/exec"
== b/page/index.html
== helper/h.go
package helper
== third/local/go.mod
module ex.org/local
== third/local/x/x.go
package x
== sub/go.mod
module ex.org/m/sub
== deep/c/c.go
package c
== deep/c/c_test.go
package c

var f = "../other.txt"
== deep/reads/reads.go
package reads

var f = "../conf/limit.txt"
== deep/d/d.go
package d

import "C"
== deep/up/up_test.go
package up

var f = "testdata/../../other.txt"
== deep/caller/help.go
package caller

import (
	"runtime"
	"testing"
)

func top(testing.TB) { runtime.Caller(0) }
== deep/fixed/f_test.go
package fixed

var f = "./fixtures/a.json"
== deep/fixed/fixtures/a.json
{}
== deep/fixed/docs/a.md
== alone/e.go
package alone
== docs/readme.md
`

func TestDerive_go(t *testing.T) {
	t.Parallel()
	files := tree(goTree)
	for line, c := range map[string]struct {
		dir, why string
		in, out  []string // files that count, and that do not
	}{
		"go test ./a": {in: []string{"a/a.go", "a/new.go", "a/data.json", "a/testdata/one.txt", "b/b.go", "b/page/index.html", "helper/h.go", "third/local/x/x.go", "third/local/go.mod", "go.mod", "go.sum", "go.work", "vendor/x/y.go"}, out: []string{"main.go", "docs/readme.md", "alone/e.go", "helper/deep/x.go", "deep/c/c.go"}},
		"go test -run '^TestX$' -count=1 ./alone": {in: []string{"alone/e.go", "go.mod"}, out: []string{"a/a.go", "alone/deep/x.go"}},
		"go vet ./...":           {why: "b/b_test.go starts programs"},
		"go vet ./a/...":         {in: []string{"a/new/x.go", "a/new/go.mod", "helper/h.go"}, out: []string{"a/new/x.md", "main.go"}},
		"go build":               {in: []string{"main.go", "a/a.go", "b/b.go"}, out: []string{"helper/h.go", "docs/readme.md"}},
		"go test ./c":            {dir: "deep", why: "deep/c/c_test.go reads other folders"},
		"go test ./reads":        {dir: "deep", why: "deep/reads/reads.go reads other folders"},
		"go test ./up":           {dir: "deep", why: "deep/up/up_test.go reads other folders"},
		"go test ./caller":       {dir: "deep", why: "deep/caller/help.go asks where it is"},
		"go test ./fixed":        {dir: "deep", in: []string{"deep/fixed/fixtures/a.json", "deep/fixed/fixtures/more/b.json", "deep/fixed/go.mod", "deep/go.mod", "deep/go.work"}, out: []string{"deep/fixed/docs/a.md"}},
		"go build ./deep/d":      {why: `deep/d/d.go imports "C"`},
		"go test ./b":            {why: "b/b_test.go starts programs"},
		"go test -C a .":         {why: `its flag "-C" may change which files count`},
		"go test -modfile=x ./a": {why: `its flag "-modfile=x" may change which files count`},
		"go test ex.org/m/a":     {why: `package "ex.org/m/a" is not a path such as ./x or ./x/...`},
		"go test ../x":           {why: "it names a folder outside of the project"},
		"go test ./docs/...":     {why: "it names no package with Go files"},
		"go test ./none/...":     {why: `folder "none" cannot be read`},
		"go run ./a":             {why: "it is none of go test, go vet and go build"},
		"go test ./a && true":    {why: "the command is more than a program and its arguments"},
		"A=1 go test ./a":        {why: "the command is more than a program and its arguments"},
		"go test $PKG":           {why: "the command is more than a program and its arguments"},
		"make test":              {why: `"make" is none of go, npm, pnpm and yarn`},
	} {
		globs, why := Derive(files, line, c.dir, map[string]string{"CGO_ENABLED": "0"})
		assert.Equal(t, c.why, why, line)
		check(t, line, globs, c.in, c.out)
	}
}

func check(t *testing.T, line string, globs, in, out []string) {
	t.Helper()
	counts := func(file string) bool {
		return slices.ContainsFunc(globs, func(glob string) bool { return fileset.Match(glob, file) })
	}
	for _, file := range in {
		assert.True(t, counts(file), "`%s`: %s does not count in %v", line, file, globs)
	}
	for _, file := range out {
		assert.False(t, counts(file), "`%s`: %s counts in %v", line, file, globs)
	}
}

// TestDerive_goWork: the modules of a workspace import each other without replacing anything.
func TestDerive_goWork(t *testing.T) {
	t.Parallel()
	files := tree("== go.work\ngo 1.25\nuse (\n\t./one\n\t./two\n)\n== one/go.mod\nmodule one\n== one/x.go\npackage one\nimport _ \"two/y\"\n== two/go.mod\nmodule two\n== two/y/y.go\npackage y\n== two/z/z.go\npackage z\n")
	globs, why := Derive(files, "go test ./...", "one", nil)
	assert.Equal(t, "", why)
	check(t, "go test", globs, []string{"go.work", "go.work.sum", "vendor/modules.txt", "one/x.go", "two/y/y.go", "two/go.mod"}, []string{"two/z/z.go"})
	files["go.work"].Data = append(files["go.work"].Data, "replace a => ./b\n"...)
	_, why = Derive(files, "go test ./...", "one", nil)
	assert.Equal(t, "go.work replaces modules", why)
	_, why = Derive(files, "go test ./...", "one", map[string]string{"GOFLAGS": "-modfile=x"})
	assert.Equal(t, "variable GOFLAGS may change which files count", why)
}

const nodeTree = `== package.json
{"workspaces": ["packages/*", "!packages/old"], "scripts": {"test": "jest"}}
== package-lock.json
{}
== packages/web/package.json
{"name": "@x/web", "scripts": {"test": "vitest"}, "dependencies": {"@x/ui": "workspace:*", "react": "^19"}}
== packages/ui/package.json
{"name": "@x/ui", "devDependencies": {"tokens": "file:../tokens"}}
== packages/tokens/package.json
{"name": "tokens"}
== packages/api/package.json
{"name": "api", "scripts": {"test": "cd .. && jest"}}
== packages/lost/package.json
{"name": "lost", "dependencies": {"gone": "workspace:*"}}
== packages/shared/package.json
{"name": "shared"}
== packages/shared/tsconfig.json
{"extends": "../../config/tsconfig.base.json"}
== packages/parts/package.json
{"name": "parts"}
== packages/parts/test/a.js
read(join(__dirname, '..', "..", '..', 'schemas'))
== packages/near/package.json
{"name": "near", "dependencies": {"tokens": "workspace:*"}}
== packages/near/src/a.ts
import "../b"; import "../../tokens/x"; import "../../../tsconfig.json"
== packages/out/package.json
{"name": "out", "dependencies": {"x": "link:../../../x"}}
`

func TestDerive_workspace(t *testing.T) {
	t.Parallel()
	web := []string{"package.json", "package-lock.json", "tsconfig.json", "packages/web/src/a.ts", "packages/ui/b.ts", "packages/tokens/c.ts"}
	others := []string{"packages/api/a.ts", "docs/x.md"}
	for line, c := range map[string]struct {
		dir, why string
		in, out  []string
	}{
		"npm test -w @x/web":               {in: web, out: others},
		"npm run test --workspace=@x/web":  {in: web, out: others},
		"npm test -w packages/web -- -t x": {in: web, out: others},
		"pnpm --filter @x/web test":        {in: web, out: others},
		"yarn workspace @x/web test":       {in: web, out: others},
		"npm test":                         {dir: "packages/web", in: web, out: others},
		"npm run lint":                     {why: `folder "." is not a package of the workspace`},
		"pnpm --filter @x/web... test":     {why: `"@x/web..." does not name one package`},
		"pnpm -r test":                     {why: `its flag "-r" may change which files count`},
		"npm test -w api":                  {why: `script "test" of packages/api/package.json leaves its folder`},
		"npm test -w lost":                 {why: `package "gone" is not in the workspace`},
		"npm test -w out":                  {why: `folder "../x" is not a package of the workspace`},
		"npm test -w shared":               {why: `packages/shared/tsconfig.json leads to "../../config/tsconfig.base.json"`},
		"npm test -w parts":                {why: `packages/parts/test/a.js leads to "'..'"`},
		"npm test -w near":                 {in: []string{"packages/near/src/a.ts", "packages/tokens/x.ts"}, out: others},
		"npm test -w none":                 {why: `folder "none" is not a package of the workspace`},
		"npm test -w @x/web -- -c ../x.js": {why: `its argument "../x.js" leaves its folder`},
	} {
		globs, why := Derive(tree(nodeTree), line, c.dir, nil)
		assert.Equal(t, c.why, why, line)
		check(t, line, globs, c.in, c.out)
	}
	pnpm := tree(nodeTree)
	pnpm["package.json"].Data = []byte(`{}`)
	_, why := Derive(pnpm, "pnpm --filter @x/web test", "", nil)
	assert.Equal(t, "there is no workspace", why)
	pnpm["pnpm-workspace.yaml"] = &fstest.MapFile{Data: []byte("packages: [packages/*]\n")}
	globs, why := Derive(pnpm, "pnpm --filter @x/web test", "", nil)
	assert.Equal(t, "", why)
	check(t, "pnpm", globs, append(web, "pnpm-workspace.yaml", "pnpm-lock.yaml"), others)
}

func FuzzDerive(f *testing.F) {
	f.Add("go test ./a/... -run 'x'", "package a\nimport \"ex.org/m/b\"", "module ex.org/m\nreplace a => ./b")
	f.Fuzz(func(t *testing.T, line, src, mod string) {
		files := fstest.MapFS{"go.mod": {Data: []byte(mod)}, "a/a.go": {Data: []byte(src)}, "package.json": {Data: []byte(mod)}}
		if globs, why := Derive(files, line, "", nil); why == "" && len(globs) == 0 {
			t.Errorf("`%s` depends on nothing", line)
		}
	})
}
