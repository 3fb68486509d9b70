package e2e

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
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
		"a pure clock":             {"engine/lint", "time", "Now", "this package is pure"},
		"a pure disk":              {"engine/spec", "path/filepath", "Glob", "this package is pure"},
		"a clock where it may":     {"engine/work", "time", "Now", ""},
		"a path in a pure package": {"engine/spec", "path/filepath", "Join", ""},
	} {
		if got := misconduct(tc.dir, tc.dir+"/x.go", tc.pkg, tc.function); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// misconduct is why a file of a package must not use a function of a package, "" where it may.
func misconduct(dir, file, pkg, function string) string {
	fatal := pkg == "log" && (strings.HasPrefix(function, "Fatal") || strings.HasPrefix(function, "Panic"))
	_, pure := pure()[dir]
	switch {
	case file == "cmd/fleet/become_unix.go" && pkg == "syscall" && function == "Exec": // it starts none: it becomes chant-fleet
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
