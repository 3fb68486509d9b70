package weakened

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/store/touched"
)

// compareTakeovers finds new or changed files that a runner reads before, or instead of, a check.
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
	t := takeover{finder: f, base: base, gone: gone, paths: touched.NewNames(slices.Sorted(maps.Keys(base))), makefile: f.makefile(base)}
	t.targets = needed(t.makefile, targetsIn(c.Commands))
	for _, file := range f.files {
		if file.After == nil || file.kept || f.hasFinding(file.Path) {
			continue
		}
		if instead, found := t.replacedCheck(file); found {
			f.addAt(criteria.TestConfigChanged, file.Path, 1, instead, firstLine(file.After))
			continue
		}
		t.compareSettings(file)
		t.compareIncluded(file)
	}
	for _, r := range c.Replaced {
		t.compareLink(r)
	}
}

// takeover is what decides whether a file takes over a check.
type takeover struct {
	*finder
	base, gone map[string]bool // the paths before the change, and those of them that it removes
	paths      touched.Names   // the same paths
	makefile   string          // its text before the change
	targets    []string        // of make that commands ask for, and what these need
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

// hasTests reports whether there were tests below a folder.
func (t takeover) hasTests(folder string) bool {
	for name := range t.base {
		// Rust has tests beside its code.
		if (folder == "." || strings.HasPrefix(name, folder+"/")) && (isTestPath(name) && !isDocument(name) || strings.HasSuffix(name, ".rs")) {
			return true
		}
	}
	return false
}

// governed returns the folder for which a file of settings counts.
func governed(file string) string {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if slices.Contains([]string{".cargo", ".mvn", "node_modules"}, path.Base(dir)) {
			return path.Dir(dir)
		}
	}
	return path.Dir(file)
}

// replacedCheck reports whether a new file takes over a check by its name alone, and what it does so instead of.
func (t takeover) replacedCheck(file File) (instead string, found bool) {
	if file.Before != nil {
		return "", false
	}
	for _, other := range t.paths.ShadowedBy(file.Path) {
		// A module that becomes a package is removed.
		if !t.gone[other.File] && t.takesPlace(file, other) {
			return path.Base(other.File), true
		}
	}
	if t.hidesModule(file.Path) {
		_, module := touched.ModuleOf(file.Path)
		return "the module " + module, true
	}
	if module := t.hiddenLibrary(file.Path); module != "" {
		return "the module " + module, true
	}
	if target := t.hiddenTarget(file.Path); target != "" {
		return "the target " + target, true
	}
	return "", false
}

// compareLink looks at a new link or submodule: it may lead to a file, or to a package that has its name.
func (t takeover) compareLink(r Replaced) {
	if r.Was != "" {
		return
	}
	names := []string{r.Path}
	// Elsewhere a folder of this name is no module.
	if t.hasPython() {
		names = append(names, r.Path+"/__init__.py")
	}
	for _, name := range names {
		if instead, found := t.replacedCheck(File{Path: name}); found {
			t.addAt(criteria.TestConfigChanged, r.Path, 1, instead, r.Is)
			return
		}
	}
	// Lines cannot be compared, since they are those of another file.
	if touched.RunsTests(r.Path) && t.hasTests(governed(r.Path)) {
		t.addAt(criteria.TestConfigChanged, r.Path, 1, "", r.Is)
	}
}

// takesPlace reports whether a check would be another one since a tool finds a new file before one that was there.
func (t takeover) takesPlace(file File, other touched.Shadowed) bool {
	name := path.Base(other.File)
	switch {
	case len(other.By) > 0:
		return slices.ContainsFunc(other.By, func(program string) bool { return t.names[program] })
	case groupOfPath(other.File) == recipes:
		return true
	// Lines of settings decide.
	case name == "package.json", strings.HasPrefix(name, "vite.config."):
		return false
	case file.lacks("setup.cfg", "[tool:pytest]"), file.lacks("tox.ini", "[pytest]"):
		return false
	// Files below a folder are found by paths as before, unless a command takes the folder for a module.
	case other.Folder != "":
		for word := range t.used.run {
			if strings.HasPrefix(touched.Fold(word), strings.ReplaceAll(other.Folder, "/", ".")+".") {
				return true
			}
		}
		return false
	case t.isRun(other.File):
		return true
	// Runners collect tests by their paths, so that one beside another one of the same name only adds to it.
	case resolved.get().MatchString(other.File):
		return isTestPath(other.File) && !collected.get().MatchString(other.File)
	}
	return other.Settings && t.hasTests(governed(other.File)) || t.checkKind(other.File) != ""
}

// lacks reports whether a file has a name, and its text not the section that makes it settings of pytest. The text of a link is
// not known.
func (f File) lacks(name, section string) bool {
	return path.Base(f.Path) == name && f.After != nil && !strings.Contains(string(f.After), section)
}

var (
	// resolved matches files that are found by names without endings.
	resolved = pattern{text: `\.(?:[cm]?[jt]s|[jt]sx|json|node|wasm)$`}
	// collected matches files of these that are tests by their own names, or data.
	collected = pattern{text: `(?:^|/)tests?\.\w+$|[._-](?:test|spec|tests)\.\w+$|(?:^|/)__tests__/|\.json$`}
)

// isRun reports whether commands name a file, with its ending or, as a module, without.
func (t takeover) isRun(file string) bool {
	stem := strings.TrimSuffix(file, path.Ext(file))
	return t.isUsed(file) || t.used.run[stem] || t.used.run[strings.ReplaceAll(stem, "/", ".")] || path.Base(stem) == "index" && t.used.run[path.Dir(stem)]
}

var (
	// alwaysLoaded matches files that decide what tests load, or how they run, whatever is in them.
	alwaysLoaded = pattern{text: `(?:^|/)(?:sitecustomize\.py|usercustomize\.py|[^/]+\.pth|go\.work|phpunit\.xml|\.proverc)$|(?:^|/)node_modules/\.bin/`}
	// takesOver matches lines by which a runner starts something else, leaves tests out, or loads more than it did.
	takesOver = pattern{text: `(?i)script-shell|node-options|ignore-scripts\s*=|yarn-?path["':=\s]+(?:[^.\s"':=]|\.[^y])|\bpreload\s*=|^shell\s*=|` +
		`\brunner\b["']?\s*[:=]|rustc\S*wrapper\s*=\s*"(?:[^s]|s[^c])|^rust(?:c|doc)\s*=|^(?:t|test)\s*=|` +
		`skipTests|test\.skip|-Dtest\b|-fn\b|--fail-never|testFailureIgnore|-javaagent|bootclasspath|--run_under|--test_\w*filters?\b|--nobuild\b|` +
		`collect-?only|--co\b|dry-?run|python_(?:files|classes|functions)\b|addopts\s*=.*\s-[kmp]\b|passWithNoTests|testMatch|testRegex|testPath|testNamePattern|testRunner|` +
		`--(?:tag|example|pattern|exclude-pattern|failure-exit-code)\b|\b(?:f?grep|invert)["']?\s*[:=]|\bdef\s+pytest_(?:[b-z]|a[^d])\w*|\bpytest_plugins\b|autouse|sys\.modules|` +
		`os\._exit|sys\.exit|process\.exit|child_process|(?:^|[^.\w])setattr\(`}
	// patches matches a line of a module that replaces something of another one.
	patches = pattern{text: `(?m)^\w+(?:\.\w+)+[ \t]*=[^=]`}
)

// compareSettings finds what a new file of settings, or a new line of one that lines do not judge elsewhere, takes over.
func (t takeover) compareSettings(file File) {
	if !touched.RunsTests(file.Path) || file.Before != nil && groupOfPath(file.Path) != plain || !t.hasTests(governed(file.Path)) {
		return
	}
	// Weights of models have the same ending as paths of Python.
	if file.opaque && path.Ext(file.Path) == ".pth" {
		return
	}
	if file.opaque || alwaysLoaded.get().MatchString(file.Path) {
		t.addAt(criteria.TestConfigChanged, file.Path, 1, firstLine(file.Before), firstLine(file.After))
		return
	}
	text := string(file.After)
	if s := t.now[file.Path]; isCode(s.lang) {
		text = s.code
	}
	for _, p := range pairs(string(file.Before), text) {
		if is := p.is.text; is == "" || versions.get().ReplaceAllString(p.was.text, "#") == versions.get().ReplaceAllString(is, "#") ||
			!takesOver.get().MatchString(is) && !(path.Ext(file.Path) == ".py" && patches.get().MatchString(text[p.is.at:p.is.at+len(lineAfter(text, p.is.at))])) {
			continue
		}
		t.addAt(criteria.TestConfigChanged, file.Path, lineAt(text, p.is.at), p.was.text, p.is.text)
		return
	}
}

// standard matches modules that come with Python, or are a runner, which tests import by themselves or through others.
var standard = pattern{text: `^(?:__future__|abc|argparse|ast|asyncio|atexit|base64|bisect|collections|configparser|contextlib|copy|csv|dataclasses|datetime|decimal|difflib|dis|doctest|email|enum|fnmatch|fractions|functools|gc|getpass|gettext|glob|hashlib|heapq|html|http|hypothesis|importlib|inspect|io|itertools|json|linecache|locale|logging|math|mock|nose|numbers|operator|os|pathlib|pickle|platform|pluggy|pprint|py|pytest|queue|random|re|reprlib|runpy|select|selectors|shlex|shutil|signal|site|socket|sqlite3|stat|statistics|string|struct|subprocess|sys|tarfile|tempfile|textwrap|threading|time|timeit|token|tokenize|traceback|types|typing|unittest|urllib|uuid|warnings|weakref|xml|zipfile|_pytest)$`}

// hasPython reports whether there was Python before.
func (t takeover) hasPython() bool {
	for name := range t.base {
		if path.Ext(name) == ".py" {
			return true
		}
	}
	return false
}

// hidesStandard reports whether Python would take a file for one of these modules if it looked where the file is.
func hidesStandard(file string) bool {
	_, module := touched.ModuleOf(file)
	return standard.get().MatchString(module)
}

// hidesModule reports whether Python finds a file before a module that tests need.
func (t takeover) hidesModule(file string) bool {
	dir, _ := touched.ModuleOf(file)
	if !hidesStandard(file) {
		return false
	}
	if dir == "." && t.hasTests(".") {
		return true
	}
	// Programs look in their own folder first, and tests in that of their package, if they have none.
	isPackage := t.base[path.Join(dir, "__init__.py")]
	for name := range t.base {
		if path.Dir(name) == dir && (t.used.run[name] || isTestPath(name) && !isPackage) {
			return true
		}
	}
	return false
}

// library matches modules that come with Perl or Ruby, or are a runner, in the folders that commands of tests put before those of
// the language.
var library = pattern{text: `^(?:.*/)?(?:lib|inc|blib/lib|blib/arch|t|test|spec)/((?:Test|Test2|TAP|App/Prove)(?:/(?:More|Simple|Builder|Tester|Harness|API|V0|Suite|Util|Event|Hub|Tools|IPC|Parser|Formatter|Base|Object|Deep|Exception|Most|Warn|Fatal|Differences|Class|Spec)(?:/.*)?)?\.pm|` +
	`(?:strict|warnings|Exporter|Carp|constant|parent|base|lib|utf8|feature|vars|Config|Cwd|POSIX|Scalar/Util|List/Util|Data/Dumper|File/\w+|Time/\w+|IO/\w+|IPC/\w+|JSON/PP|Storable|Encode|overload|threads)\.pm|` +
	`(?:minitest|test/unit|rspec|rspec/\w+|bundler|rake|simplecov)(?:/.*)?\.rb|(?:set|json|time|date|yaml|psych|stringio|tempfile|tmpdir|fileutils|pathname|open3|timeout|ostruct|logger|erb|csv|securerandom|digest|forwardable|singleton|delegate)\.rb)$`}

// hiddenLibrary returns the module that Perl or Ruby finds in a new file before that of the language, "" for none. A project that has
// others of the name is where it comes from.
func (t takeover) hiddenLibrary(file string) string {
	m := library.get().FindStringSubmatch(file)
	if m == nil || !t.hasTests(".") {
		return ""
	}
	name := strings.TrimSuffix(m[1], path.Ext(m[1]))
	parts := strings.Split(name, "/")
	own := "/" + strings.Join(parts[:min(len(parts), 2)], "/")
	for other := range t.base {
		if strings.Contains(other, own+"/") || strings.Contains(other, own+".") {
			return ""
		}
	}
	if path.Ext(file) == ".pm" {
		name = strings.ReplaceAll(name, "/", "::")
	}
	return name
}

// phony matches the line of a Makefile that says which targets are no files.
var phony = pattern{text: `(?m)^\.PHONY\s*:(.*)$`}

// rule matches the first line of a rule of a Makefile: its targets, and what they need.
var rule = pattern{text: `(?m)^([^:#=\n\t]+)::?([^=:\n;#][^\n;#]*|$)`}

// needed returns targets of a Makefile with all that they need.
func needed(makefile string, targets []string) []string {
	var rules [][2][]string
	for _, m := range rule.get().FindAllStringSubmatch(strings.ReplaceAll(makefile, "\\\n", " "), -1) {
		if made := strings.Fields(m[1]); len(made) > 0 {
			rules = append(rules, [2][]string{made, strings.Fields(m[2])})
		}
	}
	out := slices.Clone(targets)
	// Without a target, make makes the first one that is not special.
	if at := slices.IndexFunc(rules, func(r [2][]string) bool { return !strings.HasPrefix(r[0][0], ".") }); at >= 0 && slices.Contains(out, "") {
		out = append(out, rules[at][0]...)
	}
	for i := 0; i < len(out); i++ {
		for _, r := range rules {
			if !slices.Contains(r[0], out[i]) {
				continue
			}
			for _, need := range r[1] {
				if !slices.Contains(out, need) {
					out = append(out, need)
				}
			}
		}
	}
	return out
}

// hiddenTarget returns the target that make no longer makes since a new file has its name, "" for none.
func (t takeover) hiddenTarget(file string) string {
	name, _, _ := strings.Cut(file, "/")
	if !slices.Contains(t.targets, name) || !regexp.MustCompile(`(?m)^(?:[^:#\n\t]*\s)?`+regexp.QuoteMeta(name)+`\s*:(?:[^=]|$)`).MatchString(t.makefile) {
		return ""
	}
	for other := range t.base {
		if other == name || strings.HasPrefix(other, name+"/") {
			return ""
		}
	}
	for _, m := range phony.get().FindAllStringSubmatch(strings.ReplaceAll(t.makefiles(), "\\\n", " "), -1) {
		if slices.Contains(strings.Fields(m[1]), name) {
			return ""
		}
	}
	return name
}

// included matches the line of a Makefile that includes others.
var included = pattern{text: `(?m)^\s*[-s]?include\s+(.*)$`}

// makefiles returns what make reads before the change and after it.
func (t takeover) makefiles() string {
	text := t.makefile
	for _, name := range makefiles {
		if s := t.now[name]; s != nil {
			text += "\n" + s.text
		}
	}
	return text
}

// isIncluded reports whether a Makefile that commands use includes a file, before the change or after it.
func (t takeover) isIncluded(file string) bool {
	if !t.runsMake() {
		return false
	}
	for _, m := range included.get().FindAllStringSubmatch(t.makefiles(), -1) {
		for word := range strings.FieldsSeq(withoutWildcard(m[1])) {
			if found, err := path.Match(path.Clean(word), file); err == nil && found {
				return true
			}
			// What a variable names is not known.
			if strings.Contains(word, "$") && path.Ext(file) == ".mk" {
				return true
			}
		}
	}
	return false
}

// runsMake reports whether a command starts make.
func (t takeover) runsMake() bool { return t.names["make"] || t.names["gmake"] }

// withoutWildcard removes the function of make around patterns of files.
func withoutWildcard(names string) string {
	return strings.NewReplacer("$(wildcard ", " ", "${wildcard ", " ", ")", " ", "}", " ").Replace(names)
}

// compareIncluded looks at the targets that check something in a file that the Makefile includes.
func (t takeover) compareIncluded(file File) {
	// Files whose names say that they are for make are compared by lines.
	if !t.isIncluded(file.Path) || file.Before != nil && groupOfPath(file.Path) == recipes {
		return
	}
	before, after := t.recipes(string(file.Before)), t.recipes(string(file.After))
	for _, p := range pairs(before, after) {
		if file.Before == nil {
			t.addAt(criteria.TestConfigChanged, file.Path, lineAt(after, p.is.at), "", p.is.text)
			return
		}
		t.judge(recipes, file, before, after, p)
	}
}
