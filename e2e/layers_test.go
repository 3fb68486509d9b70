package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// rules lists the domains from the ground up: a package imports only what lies in its own domain and in those on its left
// and above it; the five at the beginning never import each other, but for text. A folder with a colon names the libraries
// that it may import, shortened by github.com/ and golang.org/. Then follow who alone imports some packages, which files
// start processes, and what is pure: without files, processes, network, clock and random numbers.
const rules = `
domains: text archive markdown gitops providers
	engine/spec engine/format engine/store engine/evidence engine engine/enginetest engine/search engine/code engine/prompt
	engine/fleet engine/run engine/verify engine/work engine/author engine/task engine/view engine/feature engine/setup
	site mcp cmd e2e

markdown: yuin/goldmark adrg/frontmatter go.yaml.in/yaml
gitops: go-git/ gofrs/flock
providers: x/sys/unix bmatcuk/doublestar
providers/proxy: code.dny.dev/ssrf x/net/
providers/wall: landlock-lsm/
engine: go.yaml.in/yaml bmatcuk/doublestar
engine/spec: looplab/fsm
engine/format/agentfile: tailscale/hujson pelletier/go-toml
engine/store: google/renameio fsnotify/ modernc.org/sqlite x/sys/unix x/text/
engine/evidence: secure-systems-lab/ x/crypto/ssh x/mod/modfile fsnotify/ x/sys/unix
engine/evidence/keyfile: filippo.io/age
engine/search/words: x/text/ kljensen/snowball
engine/code: yuin/goldmark chant/grammars
engine/fleet: nats-io/nkeys
engine/fleet/jetstream: nats-io/nats.go
engine/fleet/hub: nats-io/nats-server
engine/work/node/telemetry: prometheus/ go.opentelemetry.io/
site/prose: alecthomas/chroma yuin/goldmark
mcp: mark3labs/mcp-go google/jsonschema-go
cmd: spf13/ charm.land/ charmbracelet/ muesli/ google/jsonschema-go atotto/clipboard guptarohit/asciigraph yuin/goldmark

only cmd/chant-fleet engine/work/node/fleetstest: engine/fleet/hub engine/work/node/telemetry
only gitops: gitops/gitconfig gitops/gitexec gitops/gitindex gitops/objectstore gitops/refstore gitops/revision
only cmd: mcp site/serve
start: gitops/gitexec/git.go providers/run.go providers/wall/wall_linux.go providers/wall/network_linux.go
	providers/wall/warden_linux.go providers/wall/wall_darwin.go providers/wall/wall_other.go engine/evidence/sandbox/git.go
	engine/evidence/sandbox/gnupg.go engine/code/gotypes/list.go engine/enginetest/files.go cmd/editor.go cmd/browser.go
	cmd/console/screen/pager.go cmd/board/terminal.go cmd/wizard/add.go
pure: text archive markdown providers/secret engine/spec engine/format engine/search/find engine/search/words
	engine/evidence/attest engine/code/chunk engine/code/embed engine/code/exact engine/code/graph engine/code/mutant engine/code/outline
	engine/code/syntax engine/code/weakened engine/fleet/pace mcp/code/toon
impure: engine/format/lotar engine/code/embed/remote
`

// rule returns the names after a colon of [rules].
func rule(name string) []string {
	for line := range strings.SplitSeq(strings.ReplaceAll(rules, "\n\t", " "), "\n") {
		if names, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.Fields(names)
		}
	}
	return nil
}

// allowedTo returns the folders that alone may import a package of ours, nil without a rule.
func allowedTo(pkg string) []string {
	for line := range strings.SplitSeq(rules, "\n") {
		only, names, _ := strings.Cut(line, ":")
		if only, ok := strings.CutPrefix(only, "only "); ok && slices.Contains(strings.Fields(names), pkg) {
			return strings.Fields(only)
		}
	}
	return nil
}

// mayImport reports whether a folder, or one that it lies in, may import a library.
func mayImport(dir, lib string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		for _, name := range rule(dir) {
			if strings.HasPrefix(lib, name) || strings.HasPrefix(lib, "github.com/"+name) || strings.HasPrefix(lib, "golang.org/"+name) {
				return true
			}
		}
	}
	return false
}

// isPure reports whether a package may not have side effects.
func isPure(dir string) bool { return liesIn(dir, rule("pure")) && !liesIn(dir, rule("impure")) }

// liesIn reports whether a folder is one of these or lies below one.
func liesIn(dir string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool { return dir == place || strings.HasPrefix(dir, place+"/") })
}

// levelOf returns the domain that a package belongs to, and where it is among them; -1 if none.
func levelOf(dir string) (int, string) {
	level, domain := -1, ""
	for i, name := range rule("domains") {
		// "engine" is the package of the project alone
		if (dir == name || name != "engine" && strings.HasPrefix(dir, name+"/")) && len(name) > len(domain) {
			level, domain = i, name
		}
	}
	return level, domain
}

// banned lists names that say nothing about what is inside.
func banned() []string {
	return []string{"util", "utils", "common", "helper", "helpers", "misc", "base", "manager", "service", "types", "shared", "internal"}
}

const root = ".."

// module is the path of this module with a slash, which release/setpath changes.
var module = strings.TrimSuffix(reflect.TypeFor[project]().PkgPath(), "e2e")

// TestLayers_imports checks every import of every non-test file.
func TestLayers_imports(t *testing.T) {
	t.Parallel()
	for dir, files := range goFiles(t) {
		if strings.HasPrefix(dir, "grammars") {
			continue // a module of its own
		}
		level, _ := levelOf(dir)
		assert.True(t, level >= 0, "package %q lies in no domain", dir)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(dir, "e2e") {
				continue
			}
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, filepath.Join(root, dir, name), nil, parser.ImportsOnly)
			assert.NoError(t, err)
			for _, imp := range parsed.Imports {
				if why := whyForbidden(dir, name, strings.Trim(imp.Path.Value, `"`)); why != "" {
					t.Errorf("%s imports %s: %s", files.Position(imp.Pos()), imp.Path.Value, why)
				}
			}
		}
	}
}

// TestLayers_importsBroken breaks each rule about imports.
func TestLayers_importsBroken(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, imp, want string }{
		"upward":              {"engine/spec/x.go", "chant/engine/store", "engine/store is above engine/spec"},
		"a leaf":              {"markdown/x.go", "chant/gitops", "gitops and markdown do not import each other"},
		"the project":         {"engine/store/x.go", "chant/engine", "engine is above engine/store"},
		"an entry point":      {"engine/work/x.go", "chant/cmd", "cmd is above engine/work"},
		"a part of gitops":    {"engine/store/x.go", "chant/gitops/refstore", "only gitops may"},
		"the server of NATS":  {"engine/work/node/x.go", "chant/engine/fleet/hub", "only cmd/chant-fleet engine/work/node/fleetstest may"},
		"a library elsewhere": {"engine/work/x.go", "github.com/spf13/cobra", "no rule allows this library here"},
		"an unknown library":  {"cmd/x.go", "github.com/x/y", "no rule allows this library here"},
		"processes":           {"engine/work/x.go", "os/exec", "this file starts no processes"},
		"files in a spec":     {"engine/spec/x.go", "os", "this package is pure"},
		"downward":            {"engine/work/x.go", "chant/engine/run", ""},
		"a sibling":           {"engine/run/judge/x.go", "chant/engine/run/guard", ""},
		"a library":           {"cmd/x.go", "github.com/spf13/cobra", ""},
	} {
		assert.Equal(t, tc.want, whyForbidden(path.Dir(tc.file), path.Base(tc.file), tc.imp), "%s", name)
	}
}

// whyForbidden returns why a file may not import a package, "" if it may.
func whyForbidden(dir, file, imp string) string {
	own, ours := strings.CutPrefix(imp, module)
	if imp == "os/exec" && !slices.Contains(rule("start"), path.Join(dir, file)) {
		return "this file starts no processes"
	}
	if isPure(dir) && slices.Contains(strings.Fields("os os/exec os/user os/signal net net/http io/ioutil syscall math/rand math/rand/v2 crypto/rand"), imp) {
		return "this package is pure"
	}
	if !ours && !strings.Contains(strings.Split(imp, "/")[0], ".") {
		return "" // the standard library
	}
	if !ours || own == "grammars" {
		if !mayImport(dir, strings.Replace(imp, module, "chant/", 1)) {
			return "no rule allows this library here"
		}
		return ""
	}
	if places := allowedTo(own); places != nil && !liesIn(dir, places) {
		return "only " + strings.Join(places, " ") + " may"
	}
	from, domain := levelOf(dir)
	to, other := levelOf(own)
	if leaves := slices.Index(rule("domains"), "engine/spec"); from < leaves && to < leaves && other != domain && other != "text" {
		return other + " and " + domain + " do not import each other"
	}
	if to > from {
		return other + " is above " + domain
	}
	return ""
}

// TestLayers_packages checks that every package says what it is, and that no
// folder or file has a name that says nothing.
func TestLayers_packages(t *testing.T) {
	t.Parallel()
	for dir, files := range goFiles(t) {
		assert.NotSliceContains(t, banned(), path.Base(dir), "folder %q says nothing about what is inside", dir)
		documented := false
		for _, name := range files {
			if slices.Contains(banned(), strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")) {
				t.Errorf("file %s/%s says nothing about what is inside", dir, name)
			}
			f := parse(t, path.Join(dir, name), parser.ParseComments|parser.PackageClauseOnly)
			documented = documented || f.Doc.Text() != "" && !strings.HasSuffix(name, "_test.go")
		}
		assert.True(t, documented, "package %q has no package comment", dir)
	}
}

// goFiles maps every folder with Go files to their names.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			dir, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			dir = filepath.ToSlash(dir)
			found[dir] = append(found[dir], entry.Name())
		}
		return nil
	})
	assert.NoError(t, err)
	return found
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	var out []string
	for _, imp := range parse(t, file, parser.ImportsOnly).Imports {
		out = append(out, strings.Trim(imp.Path.Value, `"`))
	}
	return out
}

func parse(t *testing.T, file string, mode parser.Mode) *ast.File {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	assert.NoError(t, err)
	f, err := parser.ParseFile(token.NewFileSet(), file, src, mode)
	assert.NoError(t, err)
	return f
}
