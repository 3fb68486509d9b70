package weakened

import (
	"path"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/store/touched"
)

// compareTakeovers finds files by which runners and tests do something else, although nothing of what they are made of
// has changed.
func (f *finder) compareTakeovers(c Change) {
	base := map[string]bool{}
	for _, name := range c.Base {
		base[name] = true
	}
	gone := map[string]bool{}
	for _, file := range f.files {
		if file.Before != nil {
			base[file.Old] = true
			gone[file.Old] = file.After == nil || file.Old != file.Path
		}
	}
	t := takeover{finder: f, base: base, gone: gone, makefile: f.makefile(base), targets: targetsIn(c.Commands)}
	for name := range base {
		// Rust has tests beside its code.
		if t.hasTests = isTestPath(name) && !isDocument(name) || strings.HasSuffix(name, ".rs"); t.hasTests {
			break
		}
	}
	for _, file := range f.files {
		if file.After == nil || f.hasFinding(file.Path) || file.Before != nil && len(changedLines(string(file.Before), string(file.After)))+len(changedLines(string(file.After), string(file.Before))) == 0 {
			continue
		}
		if instead, found := t.of(file); found {
			f.addAt(criteria.TestConfigChanged, file.Path, 1, instead, firstLine(file.After))
		}
	}
}

// takeover is what decides whether a file takes over a check.
type takeover struct {
	*finder
	base, gone map[string]bool // the paths before the change, and those of them that it removes
	hasTests   bool
	makefile   string   // its text before the change
	targets    []string // of make that commands ask for
}

// makefile returns the text of the file that make reads.
func (f *finder) makefile(base map[string]bool) string {
	for _, name := range makefiles {
		if base[name] && f.old[name] != nil {
			return f.old[name].text
		}
	}
	return ""
}

// of reports whether a file takes over a check, and what it does so instead of.
func (t takeover) of(file File) (instead string, found bool) {
	isNew := file.Before == nil
	if isNew {
		for _, other := range touched.ShadowedFiles(file.Path) {
			// A module that becomes a package is removed.
			if !t.base[other] || t.gone[other] || path.Ext(other) == ".py" && t.checkKind(other) == "" {
				continue
			}
			if t.hasTests || groupOfPath(other) == recipes {
				return path.Base(other), true
			}
		}
		if t.hidesModule(file.Path) {
			return "the module " + moduleOf(file.Path), true
		}
		if target := t.hiddenTarget(file.Path); target != "" {
			return "the target " + target, true
		}
	}
	// What changes of a file of settings is judged by its lines.
	if t.hasTests && touched.RunsTests(file.Path) && (isNew || groupOfPath(file.Path) == plain) {
		if isNew {
			return "", true
		}
		return firstLine(file.Before), true
	}
	return "", t.isIncluded(file.Path)
}

// standard matches modules that come with Python, or are a runner, which tests import by themselves or through others.
var standard = pattern{text: `^(?:__future__|abc|argparse|ast|asyncio|atexit|base64|bisect|collections|configparser|contextlib|copy|csv|dataclasses|datetime|decimal|difflib|dis|doctest|email|enum|fnmatch|fractions|functools|gc|getpass|gettext|glob|hashlib|heapq|html|http|hypothesis|importlib|inspect|io|itertools|json|linecache|locale|logging|math|mock|nose|numbers|operator|os|pathlib|pickle|platform|pluggy|pprint|py|pytest|queue|random|re|reprlib|runpy|select|selectors|shlex|shutil|signal|site|socket|sqlite3|stat|statistics|string|struct|subprocess|sys|tarfile|tempfile|textwrap|threading|time|timeit|token|tokenize|traceback|types|typing|unittest|urllib|uuid|warnings|weakref|xml|zipfile|_pytest)$`}

// moduleOf is the name by which Python imports a file, "" for others.
func moduleOf(file string) string {
	if path.Base(file) == "__init__.py" {
		return path.Base(path.Dir(file))
	}
	name, isModule := strings.CutSuffix(path.Base(file), ".py")
	if !isModule {
		return ""
	}
	return name
}

// hidesModule reports whether Python finds a file before a module that tests need.
func (t takeover) hidesModule(file string) bool {
	dir := path.Dir(file)
	if path.Base(file) == "__init__.py" {
		dir = path.Dir(dir)
	}
	if !standard.get().MatchString(moduleOf(file)) {
		return false
	}
	if dir == "." && t.hasTests {
		return true
	}
	// Programs look in their own folder first.
	for name := range t.base {
		if path.Dir(name) == dir && (t.used.run[name] || isTestPath(name)) {
			return true
		}
	}
	return false
}

// phony matches the line of a Makefile that says which targets are no files.
var phony = pattern{text: `(?m)^\.PHONY\s*:(.*)$`}

// hiddenTarget returns the target that make no longer makes since a new file has its name, "" for none.
func (t takeover) hiddenTarget(file string) string {
	name, _, _ := strings.Cut(file, "/")
	if !slices.Contains(t.targets, name) || t.makefile == "" {
		return ""
	}
	for other := range t.base {
		if other == name || strings.HasPrefix(other, name+"/") {
			return ""
		}
	}
	for _, m := range phony.get().FindAllStringSubmatch(strings.ReplaceAll(t.makefile, "\\\n", " "), -1) {
		if slices.Contains(strings.Fields(m[1]), name) {
			return ""
		}
	}
	return name
}

// included matches the line of a Makefile that includes others.
var included = pattern{text: `(?m)^\s*[-s]?include\s+(.*)$`}

// isIncluded reports whether the Makefile includes a file, before the change or after it.
func (t takeover) isIncluded(file string) bool {
	text := t.makefile
	for _, name := range makefiles {
		if s := t.now[name]; s != nil {
			text += "\n" + s.text
		}
	}
	for _, m := range included.get().FindAllStringSubmatch(text, -1) {
		if slices.ContainsFunc(strings.Fields(m[1]), func(word string) bool { return path.Clean(word) == file }) {
			return true
		}
	}
	return false
}
