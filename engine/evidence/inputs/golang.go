package inputs

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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
		for _, name := range []string{"go.work", "go.work.sum"} {
			g.found[path.Join(top, name)] = true
		}
		lines, why := directives(g.files, path.Join(top, "go.work"))
		if why != "" {
			return why
		}
		for _, line := range lines {
			switch {
			case line[0] == "use" && len(line) == 2:
				roots = append(roots, path.Join(top, line[1]))
			case line[0] == "replace":
				return "go.work replaces modules"
			}
		}
	} else if root, ok := findAbove(dir, func(at string) bool { return exists(g.files, path.Join(at, "go.mod")) }); ok {
		roots = []string{root}
		// One that another landing adds would count.
		for at := root; ; at = path.Dir(at) {
			g.found[path.Join(at, "go.work")] = true
			if at == "." {
				break
			}
		}
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
	lines, why := directives(g.files, path.Join(root, "go.mod"))
	if why != "" {
		return why
	}
	for _, glob := range []string{"go.mod", "go.sum", "vendor/**"} {
		if why := g.found.add(root, glob); why != "" {
			return why
		}
	}
	for _, line := range lines {
		arrow := slices.Index(line, "=>")
		switch {
		case line[0] == "module" && len(line) == 2:
			g.modules[line[1]] = root
		case line[0] == "replace" && arrow > 1 && strings.HasPrefix(line[arrow+1], "."):
			at := path.Join(root, line[arrow+1])
			g.modules[line[1]] = at
			if why := g.found.add(at, "go.mod"); why != "" {
				return why
			}
		}
	}
	return ""
}

// directives returns the directives of a go.mod or go.work, each with the words after it.
func directives(files fs.FS, name string) (out [][]string, why string) {
	src, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Sprintf("%s cannot be read", name)
	}
	block := ""
	for line := range strings.Lines(string(src)) {
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(strings.ReplaceAll(line, `"`, ""))
		switch {
		case len(fields) == 0:
		case fields[0] == ")":
			block = ""
		case len(fields) == 2 && fields[1] == "(":
			block = fields[0]
		case block != "":
			out = append(out, append([]string{block}, fields...))
		default:
			out = append(out, fields)
		}
	}
	// A word is missing where git, or a person, has left the file half done.
	return slices.DeleteFunc(out, func(line []string) bool { return line[len(line)-1] == "=>" }), ""
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
	// New packages count, too.
	if why := g.found.add(root, "**/*.go"); why != "" {
		return why
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

// leavesFolder finds what a test reads of other folders.
var leavesFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\"`]\\.\\.[\"`/]") })

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
	g.found[path.Join(dir, "testdata/**")] = true
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
		if isTest && leavesFolder().Match(src) {
			return fmt.Sprintf("%s reads other folders", name)
		}
		if why := g.addImports(name, src, isTest); why != "" {
			return why
		}
	}
	return ""
}

func (g *goPackages) addImports(name string, src []byte, isTest bool) (why string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		return fmt.Sprintf("%s cannot be parsed", name)
	}
	for _, i := range file.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		switch {
		case err != nil || imported == "C":
			return fmt.Sprintf("%s imports %s", name, i.Path.Value)
		case isTest && imported == "os/exec":
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
