package touched

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// preference are names in the order in which tools look for them: the first one that is there is read instead of those behind
// it, or before them.
type preference struct {
	names []string
	by    []string // the programs that do so; nil: those that run tests
}

// preferences is the only list of such names. Those with a slash are in a folder of that name.
func preferences() []preference {
	docker := []string{"docker", "docker-compose", "podman", "podman-compose", "buildah", "nerdctl"}
	return []preference{
		{[]string{"GNUmakefile", "makefile", "Makefile"}, nil},
		{[]string{".justfile", "justfile", "Justfile"}, nil},
		{[]string{"rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"}, nil},
		{[]string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "taskfile.dist.yml", "Taskfile.dist.yaml", "taskfile.dist.yaml"}, []string{"task", "go-task"}},
		{[]string{"gems.rb", "Gemfile"}, nil},
		{[]string{".rspec-local", ".rspec"}, nil},
		{[]string{".npmrc", "package.json"}, nil},
		{[]string{".yarnrc", "package.json"}, nil},
		{[]string{".yarnrc.yml", "package.json"}, nil},
		{[]string{".pnpmfile.cjs", "package.json"}, nil},
		{[]string{".mocharc.cjs", ".mocharc.js", ".mocharc.mjs", ".mocharc.yaml", ".mocharc.yml", ".mocharc.jsonc", ".mocharc.json"}, nil},
		{[]string{"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml"}, nil},
		{[]string{"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg"}, nil},
		{[]string{"setup.cfg", "pyproject.toml"}, nil},
		{[]string{"phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"}, nil},
		{[]string{".cargo/config", ".cargo/config.toml"}, nil},
		{[]string{"rust-toolchain", "rust-toolchain.toml"}, nil},
		{[]string{"BUILD.bazel", "BUILD"}, nil},
		{[]string{"WORKSPACE.bzlmod", "WORKSPACE.bazel", "WORKSPACE"}, nil},
		{[]string{"build.gradle", "build.gradle.kts"}, nil},
		{[]string{"settings.gradle", "settings.gradle.kts"}, nil},
		{[]string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"}, docker},
		// An override is read behind the other one, and what it says counts.
		{[]string{"compose.override.yaml", "compose.yaml", "compose.yml"}, docker},
		{[]string{"compose.override.yml", "compose.yaml", "compose.yml"}, docker},
		{[]string{"docker-compose.override.yaml", "docker-compose.yaml", "docker-compose.yml"}, docker},
		{[]string{"docker-compose.override.yml", "docker-compose.yaml", "docker-compose.yml"}, docker},
		{[]string{"Containerfile", "Dockerfile"}, docker},
		{[]string{"Dockerfile.dockerignore", ".dockerignore"}, docker},
	}
}

// compiled are endings of what is loaded instead of the text from which it was made: whatever is in it, its time or a mark in it
// says that it is up to date.
var compiled = [][2]string{{".pmc", ".pm"}, {".elc", ".el"}, {".class", ".java"}, {".zwc", ""}, {".gch", ""}, {".pch", ""}}

var (
	// scripts are endings that resolvers of JavaScript and TypeScript try for a name without one, each in an order of its
	// own, so that any of them may come before any other.
	scripts = []string{".js", ".cjs", ".mjs", ".jsx", ".ts", ".tsx", ".cts", ".mts"}
	// loads are endings that they try behind all of these.
	loads = []string{".json", ".node", ".wasm"}
	// starts are endings of programs in the order in which Windows tries them.
	starts = []string{".com", ".exe", ".bat", ".cmd"}
	// remade are endings of the files from which rules that are built into make make a file without the ending.
	remade = []string{".o", ".c", ".cc", ".cpp", ".p", ".f", ".m", ".r", ".s", ".y", ".l", ".ym", ".w", ".web", ".mod", ".sh"}
)

// shadow is a name that a file takes the place of.
type shadow struct {
	name      string // in the form of Fold; with a slash at its end it is a folder of modules of Python
	preferred bool   // by the lists of preferences
	by        []string
}

// shadows lists the names of files, whether they are there or not, that tools no longer read, or read later, if a file is added:
// those that they look for after it, from which it was made, or that they make of it.
func shadows(file string) []shadow {
	out := preferred(file)
	file = Fold(file)
	for _, list := range [][]string{python(file), javascript(file), made(file), replacedBy(file)} {
		for _, name := range list {
			out = append(out, shadow{name: name})
		}
	}
	return out
}

// preferencesOf returns the lists that have a name, by the form of Fold, since each changed file is looked up.
var preferencesOf = sync.OnceValue(func() map[string][]preference {
	out := map[string][]preference{}
	for _, p := range preferences() {
		for _, name := range p.names {
			// Some of a list differ in case alone.
			if key := Fold(path.Base(name)); !slices.ContainsFunc(out[key], func(o preference) bool { return &o.names[0] == &p.names[0] }) {
				out[key] = append(out[key], p)
			}
		}
	}
	return out
})

// preferred lists the names behind that of a file in the lists of preferences.
func preferred(file string) []shadow {
	var out []shadow
	folded := Fold(file)
	for _, p := range preferencesOf()[path.Base(folded)] {
		at := slices.IndexFunc(p.names, func(name string) bool { return strings.HasSuffix("/"+file, "/"+name) })
		// Some systems find the file by any spelling.
		if at < 0 {
			at = slices.IndexFunc(p.names, func(name string) bool { return strings.HasSuffix("/"+folded, "/"+Fold(name)) })
		}
		if at < 0 {
			continue
		}
		folder := strings.TrimSuffix(folded, Fold(p.names[at]))
		for _, name := range p.names[at+1:] {
			out = append(out, shadow{folder + Fold(name), true, p.by})
		}
	}
	return out
}

// ModuleOf returns the name by which Python imports a file, its source, bytecode or machine code, and the folder in which it looks
// for that; "" for others.
func ModuleOf(file string) (folder, module string) {
	folder, name := path.Split(file)
	folder = path.Clean(folder)
	switch path.Ext(name) {
	case ".py", ".pyc":
		module = strings.TrimSuffix(name, path.Ext(name))
	case ".so", ".pyd":
		// A tag of the interpreter may be in front of the ending.
		module, _, _ = strings.Cut(name, ".")
	}
	if module == "__init__" && folder != "." {
		return path.Dir(folder), path.Base(folder)
	}
	return folder, module
}

// python lists what Python imports no longer. It tries packages, machine code, source and bytecode, in that order, and believes
// bytecode beside a source if a mark in it says that it need not be compared.
func python(file string) []string {
	folder, name := path.Split(file)
	if cache, isCached := strings.CutSuffix(folder, "__pycache__/"); isCached && path.Ext(name) == ".pyc" && (cache == "" || strings.HasSuffix(cache, "/")) {
		// The tag in front of the ending may have dots itself, and so may the name of a file that is no module.
		first, _, _ := strings.Cut(name, ".")
		rest := strings.TrimSuffix(name, ".pyc")
		if optimized := path.Ext(rest); strings.HasPrefix(optimized, ".opt-") {
			rest = strings.TrimSuffix(rest, optimized)
		}
		return []string{cache + first + ".py", cache + strings.TrimSuffix(rest, path.Ext(rest)) + ".py"}
	}
	in, module := ModuleOf(file)
	if module == "" {
		return nil
	}
	out := []string{path.Join(in, module) + ".py"}
	if strings.HasPrefix(name, "__init__.") {
		out = append(out, path.Join(folder, "__init__.py"))
	} else {
		// A folder without __init__.py counts only where nothing else has the name.
		out = append(out, path.Join(in, module)+"/")
	}
	return out
}

// javascript lists what require and import find no longer: they try a file of the exact name, then endings, then the folder.
func javascript(file string) []string {
	var out []string
	add := func(stem string, endings ...[]string) {
		for _, ending := range slices.Concat(endings...) {
			out = append(out, stem+ending)
		}
	}
	add(file, scripts, loads)
	ending := path.Ext(file)
	stem := strings.TrimSuffix(file, ending)
	switch {
	// It says which file the folder begins with.
	case path.Base(file) == "package.json":
		add(strings.TrimSuffix(file, "package.json")+"index", scripts, loads)
		return out
	case slices.Contains(scripts, ending):
		add(stem, scripts, loads)
	case ending == ".node":
		add(stem, scripts, loads[2:])
	case ending == ".json":
		add(stem, loads[1:])
	default:
		return out
	}
	add(stem+"/index", scripts, loads)
	out = append(out, stem+"/package.json")
	if folder, isConfig := strings.CutSuffix(stem, "vitest.config"); isConfig {
		add(folder+"vite.config", scripts)
	}
	return out
}

// made lists the files that rules make of a file that are built into make. It remakes its makefiles, too, before it reads them.
func made(file string) []string {
	folder, name := path.Split(file)
	var out []string
	for _, ending := range remade {
		stem, found := strings.CutSuffix(name, ending)
		// Programs have no ending and are made of their sources every day, unlike texts.
		if found && (path.Ext(stem) != "" || slices.Contains([]string{"makefile", "gnumakefile"}, stem)) {
			out = append(out, folder+stem)
		}
	}
	above, revisions := strings.CutSuffix(folder, "rcs/")
	versions, _ := strings.CutSuffix(folder, "sccs/")
	version, isVersion := strings.CutSuffix(name, ",v")
	if isVersion {
		out = append(out, folder+version)
	}
	if revisions {
		out = append(out, above+version)
	}
	if older, found := strings.CutPrefix(name, "s."); found && older != "" {
		out = append(out, versions+older)
	}
	// The rules are chained: what one makes, another one uses.
	for _, one := range slices.Clone(out) {
		out = append(out, made(one)...)
	}
	return out
}

// replacedBy lists the texts instead of which a file is loaded, and what Windows starts no longer.
func replacedBy(file string) []string {
	var out []string
	for _, c := range compiled {
		if stem, found := strings.CutSuffix(file, c[0]); found {
			out = append(out, stem+c[1])
		}
	}
	if at := slices.Index(starts, path.Ext(file)); at >= 0 {
		for _, ending := range starts[at+1:] {
			out = append(out, strings.TrimSuffix(file, path.Ext(file))+ending)
		}
	}
	return out
}

// Names are the paths of files, in which those are found that another file takes the place of.
type Names struct {
	files   map[string][]string // by the form of Fold
	modules map[string][]string // sources of Python, by each folder that they are below, in the same form
}

// NewNames returns these paths.
func NewNames(files ...[]string) Names {
	n := Names{map[string][]string{}, map[string][]string{}}
	for _, file := range slices.Concat(files...) {
		folded := Fold(file)
		if slices.Contains(n.files[folded], file) {
			continue
		}
		n.files[folded] = append(n.files[folded], file)
		if path.Ext(folded) != ".py" {
			continue
		}
		for dir := path.Dir(folded); dir != "."; dir = path.Dir(dir) {
			n.modules[dir] = append(n.modules[dir], file)
		}
	}
	return n
}

// Shadowed is a file that another one takes the place of.
type Shadowed struct {
	File     string
	Settings bool     // tools look for names like those of both, in an order
	By       []string // the programs that do so; nil: those that run tests
	Folder   string   // that Python took for a module, and that the file is in
}

// ShadowedBy lists the files that tools no longer read, or read later, if a file is beside them, each once.
func (n Names) ShadowedBy(file string) []Shadowed {
	var out []Shadowed
	add := func(files []string, s shadow, folder string) {
		for _, other := range files {
			if other != file && !slices.ContainsFunc(out, func(o Shadowed) bool { return o.File == other }) {
				out = append(out, Shadowed{other, s.preferred, s.by, folder})
			}
		}
	}
	for _, s := range shadows(file) {
		folder, isFolder := strings.CutSuffix(s.name, "/")
		if !isFolder {
			add(n.files[s.name], s, "")
			continue
		}
		// Protected may be the folder itself, by its name.
		add(n.files[folder], s, folder)
		// A package comes before a module of its name.
		if len(n.files[folder+"/__init__.py"]) == 0 {
			add(n.modules[folder], s, folder)
		}
	}
	return out
}

// ShadowedBelow lists the files that a folder may take the place of whose content is not known: as a package, or by what tools
// keep in a folder of its name.
func (n Names) ShadowedBelow(folder string) []Shadowed {
	out := n.ShadowedBy(folder + "/__init__.py")
	if !slices.Contains([]string{"__pycache__", "rcs", "sccs"}, path.Base(Fold(folder))) {
		return out
	}
	for folded, files := range n.files {
		if path.Dir(folded) == path.Dir(Fold(folder)) {
			for _, file := range files {
				out = append(out, Shadowed{File: file})
			}
		}
	}
	slices.SortFunc(out, func(a, b Shadowed) int { return strings.Compare(a.File, b.File) })
	return out
}
