package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// domains lists where code lies, from the ground up: a package imports only what lies in its own domain and in those
// above it in this list. Those of the first line never import each other.
func domains() []string {
	return []string{
		"text archive markdown gitops providers",
		"engine/spec", "engine/format", "engine/store", "engine/evidence", "engine", "engine/enginetest",
		"engine/search", "engine/code", "engine/prompt", "engine/fleet", "engine/run", "engine/verify", "engine/work",
		"engine/author", "engine/task", "engine/view", "engine/feature", "engine/setup",
		"site", "mcp", "cmd", "e2e",
	}
}

// libraries maps libraries to the folders that may import them; one that is missing may not be imported.
func libraries() map[string]string {
	return map[string]string{
		"github.com/spf13/ charm.land/ github.com/charmbracelet/":     "cmd",
		"github.com/atotto/clipboard":                                 "cmd/commands",
		"github.com/guptarohit/asciigraph":                            "cmd/tasks",
		"github.com/mark3labs/mcp-go":                                 "mcp",
		"github.com/google/jsonschema-go":                             "mcp",
		"github.com/alecthomas/chroma/v2":                             "site/highlight",
		"github.com/yuin/goldmark":                                    "markdown engine/code/outline cmd/tui/prose site/prose",
		"github.com/adrg/frontmatter":                                 "markdown",
		"go.yaml.in/yaml/v3":                                          "markdown engine",
		"github.com/bmatcuk/doublestar/v4":                            "engine providers/loop",
		"github.com/go-git/":                                          "gitops",
		"github.com/gofrs/flock":                                      "gitops/lockfile",
		"github.com/looplab/fsm":                                      "engine/spec",
		"github.com/tailscale/hujson github.com/pelletier/go-toml/v2": "engine/format/agentfile",
		"github.com/google/renameio/v2":                               "engine/store/disk",
		"github.com/fsnotify/fsnotify":                                "engine/store engine/evidence/question",
		"modernc.org/sqlite":                                          "engine/store/index",
		"github.com/secure-systems-lab/ golang.org/x/crypto/ssh":      "engine/evidence",
		"golang.org/x/sys/unix":                                       "engine/store engine/evidence providers",
		"golang.org/x/text":                                           "engine/store/touched engine/search/words",
		"github.com/kljensen/snowball":                                "engine/search/words",
		"github.com/nats-io/nats.go":                                  "engine/fleet/jetstream",
		"github.com/nats-io/nkeys":                                    "engine/fleet",
		"github.com/nats-io/nats-server/v2":                           "engine/fleet/hub",
		"github.com/prometheus/ go.opentelemetry.io/":                 "engine/work/node/telemetry",
		"github.com/landlock-lsm/go-landlock":                         "providers/wall",
		"code.dny.dev/ssrf golang.org/x/net":                          "providers/proxy",
		"chant/grammars":                                              "engine/code/syntax",
	}
}

// onlyFrom maps packages to the folders that may import them, with the reason.
func onlyFrom() map[string]string {
	return map[string]string{
		// only chant-fleet links a server of NATS, metrics and traces
		"engine/fleet/hub": "cmd/chant-fleet engine/work/node/fleetstest", "engine/work/node/telemetry": "cmd/chant-fleet",
		// what a repository can do is reached by gitops, so that the work can be divided otherwise without a change for callers
		"gitops/committer": "gitops", "gitops/gitconfig": "gitops", "gitops/gitexec": "gitops", "gitops/gitindex": "gitops", "gitops/merging": "gitops",
		"gitops/nestedrepo": "gitops", "gitops/objectstore": "gitops", "gitops/refstore": "gitops", "gitops/revision": "gitops", "gitops/worktrees": "gitops",
		"mcp": "cmd", "site/serve": "cmd",
	}
}

// starters lists the only files that start processes: git, agents and commands, the wall, and what belongs to a terminal.
func starters() []string {
	return strings.Fields(`
		gitops/gitexec/git.go providers/run.go providers/wall/wall_linux.go providers/wall/network_linux.go
		providers/wall/warden_linux.go providers/wall/wall_darwin.go providers/wall/wall_other.go
		engine/evidence/sandbox/git.go engine/evidence/sandbox/gnupg.go engine/code/gotypes/list.go engine/enginetest/files.go
		cmd/editor.go cmd/console/screen/pager.go cmd/board/terminal.go cmd/pages/browser.go cmd/wizard/add.go`)
}

// isPure reports whether a package has no side effects: no files, processes, network, clock or random numbers.
func isPure(dir string) bool {
	places := strings.Fields(`
		text archive markdown providers/secret engine/spec engine/format engine/search/find engine/search/words engine/evidence/attest
		engine/code/chunk engine/code/embed engine/code/exact engine/code/graph engine/code/outline
		engine/code/syntax engine/fleet/pace engine/view/dag
		engine/view/picture site/prose mcp/code/toon`)
	impure := strings.Fields(`engine/format/lotar engine/code/embed/remote`)
	return liesIn(dir, places) && !liesIn(dir, impure)
}

// liesIn reports whether a folder is one of these or lies below one.
func liesIn(dir string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool { return dir == place || strings.HasPrefix(dir, place+"/") })
}

// levelOf returns the line of [domains] that a package belongs to, and the domain; -1 if none.
func levelOf(dir string) (int, string) {
	level, domain := -1, ""
	for i, line := range domains() {
		for _, name := range strings.Fields(line) {
			// "engine" is the package of the project alone
			if (dir == name || name != "engine" && strings.HasPrefix(dir, name+"/")) && len(name) > len(domain) {
				level, domain = i, name
			}
		}
	}
	return level, domain
}

// banned lists names that say nothing about what is inside.
func banned() []string {
	return []string{"util", "utils", "common", "helper", "helpers", "misc", "base", "manager", "service", "types", "shared", "internal"}
}

const root = ".."

// TestLayers_imports checks every import of every non-test file.
func TestLayers_imports(t *testing.T) {
	t.Parallel()
	for dir, files := range goFiles(t) {
		if strings.HasPrefix(dir, "grammars") {
			continue // a module of its own
		}
		if level, _ := levelOf(dir); level < 0 {
			t.Errorf("package %q lies in no domain", dir)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(dir, "e2e") {
				continue
			}
			for _, imp := range importsOf(t, path.Join(dir, name)) {
				if why := whyForbidden(dir, name, imp); why != "" {
					t.Errorf("%s/%s imports %q: %s", dir, name, imp, why)
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
		"a library elsewhere": {"engine/work/x.go", "github.com/spf13/cobra", "only cmd may"},
		"an unknown library":  {"cmd/x.go", "github.com/x/y", "a library that no rule names"},
		"processes":           {"engine/work/x.go", "os/exec", "this file starts no processes"},
		"files in a spec":     {"engine/spec/x.go", "os", "this package is pure"},
		"downward":            {"engine/work/x.go", "chant/engine/run", ""},
		"a sibling":           {"engine/run/judge/x.go", "chant/engine/run/guard", ""},
		"a library":           {"cmd/x.go", "github.com/spf13/cobra", ""},
	} {
		if got := whyForbidden(path.Dir(tc.file), path.Base(tc.file), tc.imp); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// whyForbidden returns why a file may not import a package, "" if it may.
func whyForbidden(dir, file, imp string) string {
	own, ours := strings.CutPrefix(imp, "chant/")
	switch {
	case imp == "os/exec" && !slices.Contains(starters(), path.Join(dir, file)):
		return "this file starts no processes"
	case isPure(dir) && slices.Contains(strings.Fields("os os/exec os/user os/signal net net/http io/ioutil syscall math/rand math/rand/v2 crypto/rand"), imp):
		return "this package is pure"
	case ours && !strings.HasPrefix(own, "grammars"):
		if places, limited := onlyFrom()[own]; limited && !liesIn(dir, strings.Fields(places)) {
			return "only " + places + " may"
		}
		from, domain := levelOf(dir)
		to, other := levelOf(own)
		switch {
		case to > from:
			return other + " is above " + domain
		case from == 0 && other != domain && other != "text":
			return other + " and " + domain + " do not import each other"
		}
		return ""
	case !ours && !strings.Contains(strings.Split(imp, "/")[0], "."):
		return "" // the standard library
	}
	for prefixes, places := range libraries() {
		if slices.ContainsFunc(strings.Fields(prefixes), func(p string) bool { return strings.HasPrefix(imp, p) }) {
			if !liesIn(dir, strings.Fields(places)) {
				return "only " + places + " may"
			}
			return ""
		}
	}
	return "a library that no rule names"
}

// TestLayers_packages checks that every package says what it is, and that no
// folder or file has a name that says nothing.
func TestLayers_packages(t *testing.T) {
	t.Parallel()
	for dir, files := range goFiles(t) {
		if slices.Contains(banned(), path.Base(dir)) {
			t.Errorf("folder %q says nothing about what is inside", dir)
		}
		documented := false
		for _, name := range files {
			if slices.Contains(banned(), strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test")) {
				t.Errorf("file %s/%s says nothing about what is inside", dir, name)
			}
			f := parse(t, path.Join(dir, name), parser.ParseComments|parser.PackageClauseOnly)
			documented = documented || f.Doc.Text() != "" && !strings.HasSuffix(name, "_test.go")
		}
		if !documented {
			t.Errorf("package %q has no package comment", dir)
		}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, mode)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
