package inputs

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// goFlags are the flags of go test, vet and build that change nothing about which files count; true for those with a value.
func goFlags() map[string]bool {
	return map[string]bool{
		"v": false, "race": false, "short": false, "cover": false, "json": false, "failfast": false, "a": false, "x": false, "trimpath": false, "msan": false,
		"run": true, "skip": true, "count": true, "timeout": true, "tags": true, "p": true, "parallel": true, "cpu": true, "shuffle": true, "bench": true,
		"benchtime": true, "covermode": true, "coverprofile": true, "vet": true, "ldflags": true, "gcflags": true, "o": true,
	}
}

// goPackages are the packages that a command depends on.
type goPackages struct {
	files   fs.FS
	modules map[string]string // folders by the path of the module
	found   set
	seen    map[string]bool // folders
	open    []string        // folders to be read
}

func deriveGo(files fs.FS, dir string, args []string, found set) (why string) {
	patterns, why := goPatterns(args)
	if why != "" {
		return why
	}
	g := &goPackages{files: files, modules: map[string]string{}, found: found, seen: map[string]bool{}}
	if why := g.findModules(dir); why != "" {
		return why
	}
	for _, p := range patterns {
		if why := g.addPattern(path.Join(dir, p), strings.HasSuffix(p, "...")); why != "" {
			return why
		}
	}
	if len(g.open) == 0 {
		return "it names no package with Go files"
	}
	// The list grows while it is read: packages import others.
	named := len(g.open)
	for i := 0; i < len(g.open); i++ {
		if why := g.read(g.open[i], i < named); why != "" {
			return why
		}
	}
	return ""
}

// goPatterns returns the packages that the arguments of go name, as paths.
func goPatterns(args []string) (patterns []string, why string) {
	if len(args) == 0 || !slices.Contains([]string{"test", "vet", "build"}, args[0]) {
		return nil, "it is none of go test, go vet and go build"
	}
	for i := 1; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "-")
		name, _, joined := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		switch valued, known := goFlags()[name]; {
		case isFlag && !known:
			return nil, fmt.Sprintf("its flag %q may change which files count", args[i])
		case isFlag && valued && !joined:
			i++
		case isFlag:
		case args[i] != "." && !strings.HasPrefix(args[i], "./") && !strings.HasPrefix(args[i], "../") || strings.Contains(strings.TrimSuffix(args[i], "/..."), "..."):
			return nil, fmt.Sprintf("package %q is not a path such as ./x or ./x/...", args[i])
		default:
			patterns = append(patterns, args[i])
		}
	}
	if patterns == nil {
		patterns = []string{"."}
	}
	return patterns, ""
}

// findModules reads the modules of the workspace, or of the folder, and those that they replace by folders.
func (g *goPackages) findModules(dir string) (why string) {
	roots := []string{}
	if top, ok := findAbove(dir, func(at string) bool { return exists(g.files, path.Join(at, "go.work")) }); ok {
		for _, glob := range []string{"go.work", "go.work.sum", "vendor/**"} {
			if why := g.found.add(top, glob); why != "" {
				return why
			}
		}
		work, why := readModFile(g.files, path.Join(top, "go.work"), modfile.ParseWork)
		switch {
		case why != "":
			return why
		case len(work.Replace) > 0:
			return "go.work replaces modules"
		}
		for _, use := range work.Use {
			roots = append(roots, path.Join(top, use.Path))
		}
	} else if root, ok := findAbove(dir, func(at string) bool { return exists(g.files, path.Join(at, "go.mod")) }); ok {
		roots = []string{root}
	} else {
		return "there is no go.mod"
	}
	for _, root := range roots {
		if why := g.addModule(root); why != "" {
			return why
		}
	}
	return ""
}

func (g *goPackages) addModule(root string) (why string) {
	module, why := readModFile(g.files, path.Join(root, "go.mod"), modfile.Parse)
	if why != "" {
		return why
	}
	for _, glob := range []string{"go.mod", "go.sum", "vendor/**"} {
		if why := g.found.add(root, glob); why != "" {
			return why
		}
	}
	if module.Module != nil {
		g.modules[module.Module.Mod.Path] = root
	}
	for _, r := range module.Replace {
		switch folder := r.New.Path; {
		case path.IsAbs(folder):
			return "go.mod replaces a module by a folder that is not in the repository"
		case modfile.IsDirectoryPath(folder):
			at := path.Join(root, folder)
			g.modules[r.Old.Path] = at
			if why := g.found.add(at, "go.mod"); why != "" {
				return why
			}
		}
	}
	return ""
}

// readModFile reads a go.mod or go.work.
func readModFile[T any](files fs.FS, name string, parse func(string, []byte, modfile.VersionFixer) (T, error)) (out T, why string) {
	src, err := fs.ReadFile(files, name)
	if err != nil {
		return out, fmt.Sprintf("%s cannot be read", name)
	}
	if out, err = parse(name, src, nil); err != nil {
		return out, fmt.Sprintf("%s cannot be parsed", name)
	}
	return out, ""
}

// addPattern adds the folders of a pattern: one, or all that go finds below it.
func (g *goPackages) addPattern(pattern string, all bool) (why string) {
	root := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
	if root == "" {
		root = "."
	}
	if strings.HasPrefix(root, "..") {
		return "it names a folder outside of the project"
	}
	if !all {
		g.open = append(g.open, root)
		return ""
	}
	// New packages count, too, and new modules, which take folders out of this one.
	for _, glob := range []string{"**/*.go", "**/go.mod"} {
		if why := g.found.add(root, glob); why != "" {
			return why
		}
	}
	err := fs.WalkDir(g.files, root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && at != root && (name == "testdata" || name == "vendor" || name[0] == '.' || name[0] == '_' || exists(g.files, path.Join(at, "go.mod"))):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".go" && !slices.Contains(g.open, path.Dir(at)):
			g.open = append(g.open, path.Dir(at))
		}
		return nil
	})
	if err != nil {
		return fmt.Sprintf("folder %q cannot be read", root)
	}
	return ""
}

// read adds the files of a folder and the packages that they import; those of tests only of a package that the command names.
func (g *goPackages) read(dir string, named bool) (why string) {
	if g.seen[dir] {
		return ""
	}
	g.seen[dir] = true
	entries, err := fs.ReadDir(g.files, dir)
	if err != nil {
		return fmt.Sprintf("folder %q cannot be read", dir)
	}
	if why := g.found.add(dir, "*"); why != "" {
		return why
	}
	if why := g.found.add(dir, "testdata/**"); why != "" {
		return why
	}
	// A module or workspace that another landing adds around the package would count.
	for at := dir; ; at = path.Dir(at) {
		for _, name := range []string{"go.mod", "go.work"} {
			if why := g.found.add(at, name); why != "" {
				return why
			}
		}
		if at == "." {
			break
		}
	}
	for _, e := range entries {
		isTest := strings.HasSuffix(e.Name(), "_test.go")
		if path.Ext(e.Name()) != ".go" || isTest && !named {
			continue
		}
		name := path.Join(dir, e.Name())
		src, err := fs.ReadFile(g.files, name)
		if err != nil {
			return fmt.Sprintf("%s cannot be read", name)
		}
		if bytes.Contains(src, []byte("//go:embed")) {
			g.found[path.Join(dir, "**")] = true
		}
		// What is tested may read files, too, in the folder of the test.
		if why := g.addRead(dir, name, src); why != "" {
			return why
		}
		if why := g.addImports(name, src, isTest || bytes.Contains(src, []byte(`"testing"`))); why != "" {
			return why
		}
	}
	return ""
}

// addRead adds the folders beside a file that its texts name.
func (g *goPackages) addRead(dir, name string, src []byte) (why string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(src)), src, nil, 0)
	last := ""
	for {
		switch _, kind, text := s.Scan(); kind {
		case token.EOF:
			return ""
		case token.IDENT:
			// These find the top of the repository, and then any file.
			if last == "." && (text == "Caller" || text == "Getwd") {
				return fmt.Sprintf("%s asks where it is", name)
			}
			last = text
		case token.STRING:
			text, err := strconv.Unquote(text)
			steps := strings.Split(text, "/")
			if err != nil || slices.Contains(steps, "..") {
				return fmt.Sprintf("%s reads other folders", name)
			}
			if steps[0] == "." && len(steps) > 1 {
				steps = steps[1:]
			}
			// An invalid path is an error of Stat. The folder itself is read already.
			beside := path.Join(dir, steps[0])
			if info, err := fs.Stat(g.files, beside); beside != path.Clean(dir) && err == nil && info.IsDir() {
				if why := g.found.add(beside, "**"); why != "" {
					return why
				}
			}
			last = ""
		default:
			last = kind.String()
		}
	}
}

func (g *goPackages) addImports(name string, src []byte, forTests bool) (why string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return fmt.Sprintf("%s cannot be parsed", name)
	}
	for _, i := range file.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		switch {
		case err != nil || imported == "C":
			return fmt.Sprintf("%s imports %s", name, i.Path.Value)
		case forTests && imported == "os/exec":
			return fmt.Sprintf("%s starts programs", name)
		}
		// The longest path wins, as in go: a module can be in the folder of another one.
		best := ""
		for module := range g.modules {
			if (imported == module || strings.HasPrefix(imported, module+"/")) && len(module) > len(best) {
				best = module
			}
		}
		if best != "" {
			g.open = append(g.open, path.Join(g.modules[best], strings.TrimPrefix(imported, best)))
		}
	}
	return ""
}
