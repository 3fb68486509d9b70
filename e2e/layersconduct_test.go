package e2e

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestLayers_conduct checks calls that an import alone does not forbid: only main exits, only os/exec starts processes,
// operations get their environment, and pure packages neither look at the clock nor at the disk. There are no init
// functions and no locals called spec.
func TestLayers_conduct(t *testing.T) {
	t.Parallel()
	for dir, files := range goFiles(t) {
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(dir, "e2e") {
				continue
			}
			file := path.Join(dir, name)
			parsed := parse(t, file, 0)
			imports := importNames(parsed)
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Name.Name == "init" && n.Recv == nil {
						t.Errorf("%s has an init function", file)
					}
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil {
						if imports[x.Name] == "os" && byPath(file, n.Sel.Name) {
							t.Errorf("%s uses os.%s by a path: files that an agent can write are reached by gitops/rootdir, or the exception needs a reason", file, n.Sel.Name)
						}
						if why := misconduct(dir, file, imports[x.Name], n.Sel.Name); why != "" {
							t.Errorf("%s uses %s.%s: %s", file, x.Name, n.Sel.Name, why)
						}
					}
				case *ast.Ident:
					if n.Name == "spec" && n.Obj != nil && n.Obj.Kind == ast.Var {
						t.Errorf("%s has a local called spec", file)
					}
				}
				return true
			})
		}
	}
}

// TestLayers_conductBroken breaks each rule about calls.
func TestLayers_conductBroken(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		dir, pkg, function string
		want               string
	}{
		"exits":                    {"cmd", "os", "Exit", "only main exits"},
		"exits by the log":         {"engine/work", "log", "Fatalf", "only main exits"},
		"starts a process":         {"engine/work", "os", "StartProcess", "only os/exec starts processes"},
		"forks":                    {"gitops", "syscall", "ForkExec", "only os/exec starts processes"},
		"reads the environment":    {"engine/run/launch", "os", "Getenv", "the environment comes from the project"},
		"a pure clock":             {"engine/spec/lint", "time", "Now", "this package is pure"},
		"a pure disk":              {"engine/spec", "path/filepath", "Glob", "this package is pure"},
		"a clock where it may":     {"engine/work", "time", "Now", ""},
		"a path in a pure package": {"engine/spec", "path/filepath", "Join", ""},
	} {
		assert.Equal(t, tc.want, misconduct(tc.dir, tc.dir+"/x.go", tc.pkg, tc.function), "%s", name)
	}
}

// misconduct is why a file of a package must not use a function of a package, "" where it may.
func misconduct(dir, file, pkg, function string) string {
	fatal := pkg == "log" && (strings.HasPrefix(function, "Fatal") || strings.HasPrefix(function, "Panic"))
	pure := isPure(dir)
	switch {
	case file == "cmd/fleet/become_unix.go" && pkg == "syscall" && function == "Exec": // it starts none: it becomes chant-fleet
		return ""
	case file == "providers/wall/network_linux.go" && pkg == "syscall" && function == "Exec": // it becomes what was to be started
		return ""
	case (pkg == "os" && function == "Exit" || fatal) && file != "cmd/chant/main.go" && file != "cmd/chant-fleet/main.go":
		return "only main exits"
	case pkg == "os" && function == "StartProcess" || pkg == "syscall" && slices.Contains([]string{"ForkExec", "StartProcess", "Exec"}, function):
		return "only os/exec starts processes"
	case pkg == "os" && slices.Contains([]string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, function) && strings.HasPrefix(dir, "engine") && dir != "engine/enginetest":
		return "the environment comes from the project"
	case pure && pkg == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "NewTimer", "NewTicker", "Tick"}, function),
		pure && pkg == "path/filepath" && slices.Contains([]string{"Glob", "EvalSymlinks", "Walk", "WalkDir", "Abs"}, function):
		return "this package is pure"
	}
	return ""
}

// isInHostilePlace reports whether a file of Go works on files in places that an agent, or what it starts, can write to:
// worktrees and their git folders, check trees, caches, the branches of runs.
func isInHostilePlace(file string) bool {
	return slices.ContainsFunc([]string{
		"engine/evidence/criteria/", "engine/feature/", "engine/run/launch/", "engine/run/tree/", "engine/evidence/sandbox/", "providers/relay/",
		"gitops/commit", "gitops/nested", "gitops/worktree", "gitops/gitindex/", "gitops/refstore/", "gitops/rootdir/",
	}, func(place string) bool { return strings.HasPrefix(file, place) })
}

// pathExceptions maps calls by a path in those packages to the reasons why no agent has a hand in them.
func pathExceptions() map[string]string {
	return map[string]string{
		"engine/evidence/sandbox/checktree.go MkdirAll":  "the folder of caches or check trees itself, in one that is the person's",
		"engine/evidence/sandbox/checktree.go MkdirTemp": "a new name; the folder was just seen not to be a link",
		"engine/evidence/sandbox/checktree.go Remove":    "that name, an empty folder",
		"engine/evidence/criteria/young.go CreateTemp":   "a new name in the top of a check tree in which nothing runs",
		"engine/evidence/criteria/young.go Remove":       "that name",
		"engine/feature/tickfile.go MkdirAll":            "chant's folder in that of git",
		"engine/run/tree/checktree.go Remove":            "the folder of check trees, which is the person's, if it is empty",
		"engine/run/tree/clean.go Rename":                "both names are in the folder of worktrees; a link is renamed itself",
		"engine/evidence/sandbox/git.go MkdirTemp":       "a new name among temporary files",
		"engine/evidence/sandbox/sandbox.go MkdirAll":    "the folder of a CLI, in none that an agent can write to: see below",
		"gitops/worktreeregister.go Mkdir":               "the folder of git's worktrees, in which no agent can write",
		"gitops/worktreeregister.go MkdirAll":            "the same, and a worktree that is being made",
		"gitops/worktreeregister.go Remove":              "a worktree that is being made",
		"gitops/worktreeregister.go RemoveAll":           "a worktree that is being made",
		"gitops/worktreeregister.go WriteFile":           "a worktree that is being made",
		"gitops/worktreeremove.go Remove":                "empty folders alone, and not what a link leads to",
		"engine/run/tree/permissions.go Chmod":           "a folder that cannot be opened before it, in a folder in which no agent can write",
		"providers/relay/server_unix.go Chmod":           "a socket in a folder in which no agent can write",
		"providers/relay/server_unix.go Remove":          "a socket in a folder in which no agent can write",
	}
}

// byPath reports whether a file of a package uses a function of os that changes what is at a path, although an agent could
// have made any part of that path a link.
func byPath(file, function string) bool {
	changes := []string{
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile", "Remove", "RemoveAll",
		"Rename", "Symlink", "Truncate", "WriteFile",
	}
	return isInHostilePlace(file) && slices.Contains(changes, function) && pathExceptions()[file+" "+function] == ""
}

// TestLayers_hostilePlaces: each exception is still needed, and a call without one is found.
func TestLayers_hostilePlaces(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for dir, files := range goFiles(t) {
		for _, name := range files {
			file := path.Join(dir, name)
			if !isInHostilePlace(file) || strings.HasSuffix(name, "_test.go") {
				continue
			}
			parsed := parse(t, file, 0)
			imports := importNames(parsed)
			ast.Inspect(parsed, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil && imports[x.Name] == "os" {
						used[file+" "+sel.Sel.Name] = true
					}
				}
				return true
			})
		}
	}
	for call := range pathExceptions() {
		assert.True(t, used[call], "the exception for %q is not needed any more", call)
	}
	assert.True(t, byPath("engine/run/tree/x.go", "WriteFile"), "a file in a worktree may be written by its path")
	assert.False(t, byPath("engine/run/tree/clean.go", "Rename"), "an exception does not count")
}

// importNames maps the names by which a file uses packages to their paths.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, imp := range f.Imports {
		full, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(full)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		names[name] = full
	}
	return names
}
