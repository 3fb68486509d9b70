package touched

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/store"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// side is the tree of a commit by path: a text, "-> where" for a link, "+x text" for a program, submodule, "" for a file that is
// removed.
type side map[string]string

const submodule = "a submodule"

// commit commits a side on top of what is there. The index alone has it: no file system need have its names.
func (s side) commit(t *testing.T, dir string) {
	t.Helper()
	removedFirst := func(a, b string) int { return cmp.Or(cmp.Compare(len(s[a]), len(s[b])), cmp.Compare(a, b)) }
	for _, file := range slices.SortedFunc(maps.Keys(s), removedFirst) {
		text, mode := s[file], "100644"
		if text == "" {
			enginetest.Git(t, dir, "update-index", "--force-remove", file)
			continue
		}
		// A submodule is a commit, whatever repository has it.
		if text == submodule {
			enginetest.Git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+","+file)
			continue
		}
		if to, link := strings.CutPrefix(text, "-> "); link {
			text, mode = to, "120000"
		}
		if program, ok := strings.CutPrefix(text, "+x "); ok {
			text, mode = program, "100755"
		}
		scratch := filepath.Join(t.TempDir(), "blob")
		assert.NoError(t, os.WriteFile(scratch, []byte(text), 0o600))
		hash := strings.TrimSpace(enginetest.Git(t, dir, "hash-object", "-w", "--no-filters", scratch))
		enginetest.Git(t, dir, "-c", "core.protectNTFS=false", "-c", "core.protectHFS=false", "update-index", "--add", "--cacheinfo", mode+","+hash+","+file)
	}
	tree := strings.TrimSpace(enginetest.Git(t, dir, "write-tree"))
	commit := strings.TrimSpace(enginetest.Git(t, dir, "commit-tree", "-p", "HEAD", "-m", "one", tree))
	enginetest.Git(t, dir, "update-ref", "HEAD", commit)
}

// commits makes two commits, and reads the leads of a checkout with these settings of git.
func commits(t *testing.T, was, now side, settings ...string) (c Commits, rules Rules) {
	t.Helper()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "begin")
	was.commit(t, dir)
	now.commit(t, dir)
	for _, setting := range settings {
		key, value, _ := strings.Cut(setting, "=")
		enginetest.Git(t, dir, "config", key, strings.ReplaceAll(value, "TOP", filepath.ToSlash(dir)))
	}
	repo, err := gitops.Open(dir)
	assert.NoError(t, err)
	c = Commits{Repo: repo, Store: store.OpenRepository(repo, "chant/")}
	leads, err := repo.Leads(t.Context())
	assert.NoError(t, err)
	rules.Led, err = c.FindLed(t.Context(), "HEAD~1", repo.Home(), leads)
	assert.NoError(t, err)
	return c, rules
}

// TestGuarded compares two commits, as checkouts would write them and as paths reach what is protected.
func TestGuarded(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("names of files that Windows does not have")
	}
	const none = ""
	for name, tt := range map[string]struct {
		was, now side
		protect  string
		want     string // the beginning of the only thing, none if nothing is found
	}{
		"another file":                        {side{"t.sh": "a"}, side{"u.sh": "b"}, "t.sh", none},
		"the file itself":                     {side{"t.sh": "a"}, side{"t.sh": "b"}, "t.sh", "t.sh is protected and was changed"},
		"its mode":                            {side{"t.sh": "a"}, side{"t.sh": "+x a"}, "t.sh", "t.sh is protected and was changed"},
		"line ends":                           {side{"t.sh": "a"}, side{".gitattributes": "*.sh eol=crlf\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"line ends, by a folder":              {side{"a/b/t.sh": "a"}, side{"a/.gitattributes": "b/* text eol=crlf\n"}, "a/b/t.sh", "a/.gitattributes decides about a/b/t.sh"},
		"line ends of others":                 {side{"t.sh": "a", "u.txt": "b"}, side{".gitattributes": "*.txt eol=crlf\n"}, "t.sh", none},
		"attributes without effect":           {side{"t.sh": "a"}, side{".gitattributes": "*.sh linguist-language=C\n"}, "t.sh", none},
		"an encoding":                         {side{"t.sh": "a"}, side{".gitattributes": "t* working-tree-encoding=UTF-16\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"words that git fills in":             {side{"t.sh": "$Id$"}, side{".gitattributes": "t.sh ident\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"a filter":                            {side{"t.sh": "a"}, side{".gitattributes": "[attr]x filter=f\n*.sh x\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"words of an archive":                 {side{"t.sh": "a"}, side{".gitattributes": "t.sh export-subst\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"a merge driver":                      {side{"t.sh": "a"}, side{".gitattributes": "t.sh merge=union\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"attributes that are taken away":      {side{"t.sh": "a", ".gitattributes": "t.sh -text\n"}, side{".gitattributes": ""}, "t.sh", ".gitattributes decides about t.sh"},
		"a pattern in another case":           {side{"t.sh": "a"}, side{".gitattributes": "T.SH eol=crlf\n"}, "t.sh", ".gitattributes decides about t.sh"},
		"attributes in another spelling":      {side{"t.sh": "a"}, side{".GitAttributes": "x\n"}, "t.sh", ".GitAttributes decides about t.sh"},
		"attributes with a short name":        {side{"t.sh": "a"}, side{"GITATT~1": "x\n"}, "t.sh", "GITATT~1 decides about t.sh"},
		"attributes by a link":                {side{"t.sh": "a", "x": "*.sh eol=crlf\n"}, side{".gitattributes": "-> x"}, "t.sh", ".gitattributes decides about t.sh"},
		"attributes of the settings":          {side{".chant/config.md": "a"}, side{".gitattributes": "* working-tree-encoding=UTF-16\n"}, "", ".gitattributes decides about .chant/config.md"},
		"another case":                        {side{"t.sh": "a"}, side{"T.sh": "b"}, "t.sh", "T.sh is protected"},
		"another case of a folder":            {side{"tests/t.sh": "a"}, side{"Tests/u.sh": "b"}, "tests/**", "Tests/u.sh is protected"},
		"another composition":                 {side{"\u00fcb.sh": "a"}, side{"u\u0308b.sh": "b"}, "\u00fcb.sh", "u\u0308b.sh is protected"},
		"a character that macOS ignores":      {side{"t.sh": "a"}, side{"t\u200c.sh": "b"}, "t.sh", "t\u200c.sh is protected"},
		"letters with one lower case":         {side{"task.sh": "a"}, side{"ta\u017f\u212a.sh": "b"}, "task.sh", "ta\u017f\u212a.sh is protected"},
		"a dot that Windows leaves out":       {side{"t.sh": "a"}, side{"t.sh.": "b"}, "t.sh", "t.sh. is protected"},
		"a stream":                            {side{"t.sh": "a"}, side{"t.sh:x": "b"}, "t.sh", "t.sh:x is protected"},
		"a separator of Windows":              {side{"d/t.sh": "a"}, side{`d\t.sh`: "b"}, "d/t.sh", `d\t.sh is protected`},
		"what a link leads to":                {side{"t.sh": "-> real.sh", "real.sh": "a"}, side{"real.sh": "b"}, "t.sh", "real.sh decides about t.sh"},
		"what links lead to":                  {side{"t.sh": "-> l", "l": "-> d/r", "d/r": "a"}, side{"d/r": "b"}, "t.sh", "d/r decides about t.sh"},
		"below a linked folder":               {side{"tests": "-> src/t", "src/t/a.sh": "a"}, side{"src/t/a.sh": "b"}, "tests/*.sh", "src/t/a.sh decides about tests/a.sh"},
		"below two linked folders":            {side{"tests": "-> a", "a/b": "-> ../c", "c/d.sh": "a"}, side{"c/d.sh": "b"}, "tests/b/d.sh", "c/d.sh decides about tests/b/d.sh"},
		"a link in place of a folder":         {side{"tests/a.sh": "a", "evil/b.sh": "a"}, side{"tests/a.sh": "", "tests": "-> evil"}, "tests/b.sh", "tests decides about tests/b.sh"},
		"a link that makes a new path":        {side{"evil/b.sh": "a"}, side{"tests": "-> evil"}, "tests/*.sh", "tests decides about tests/b.sh"},
		"a link in the middle":                {side{"tests": "-> a/t", "a": "-> b", "b/t/x.sh": "a", "c/t/x.sh": "b"}, side{"a": "-> c"}, "tests/x.sh", "a decides about tests/x.sh"},
		"a link of another case":              {side{"t/a.sh": "a", "L": "-> t"}, side{"l/a.sh": "b"}, "t/a.sh", "l/a.sh decides about t/a.sh"},
		"a way out through a link":            {side{"d/e/f": "x"}, side{"d/e/up": "-> ../../../", "l": "-> d/e/up/x"}, "", "d/e/up is a link that leads out"},
		"a way out that a link opens":         {side{"d/e": "-> ../f/g", "f/g/x": "x", "l": "-> d/e/../../y"}, side{"d/e": "-> ../f"}, "", "d/e was changed, so that l is a link that leads out"},
		"a way out that a folder opens":       {side{"d": "-> a/b", "a/b/x": "x", "l": "-> d/../../y"}, side{"d": "", "d/x": "x"}, "", "d was deleted, so that l is a link that leads out"},
		"a way out of a folder that runs get": {side{"x": "x"}, side{"l": "-> node_modules/../y"}, "", "l is a link that leads back from a folder that the repository does not have"},
		"a way out that Windows sees":         {side{"x": "x"}, side{"l": `-> ..\y`}, "", "l is a link that leads out"},
		"a drive":                             {side{"x": "x"}, side{"l": "-> C:/y"}, "", "l is a link that leads out"},
		"into git's folder":                   {side{"x": "x"}, side{"l": "-> .git/config"}, "", "l is a link that leads into a folder of git"},
		"into git's folder of a submodule":    {side{"x": "x"}, side{"l": "-> a/b/.GIT/hooks"}, "", "l is a link that leads into a folder of git"},
		"through git's folder":                {side{"x": "x"}, side{"l": "-> .git/../x"}, "", "l is a link that leads into a folder of git"},
		"into git's folder, by another":       {side{"d/x": "x"}, side{"d/l": "-> ..", "m": "-> d/l/.git"}, "", "m is a link that leads into a folder of git"},
		"into git's short name":               {side{"x": "x"}, side{"l": "-> GIT~1/hooks"}, "", "l is a link that leads into a folder of git"},
		"into chant's folder":                 {side{"x": "x"}, side{"l": "-> .Chant/cache"}, "", "l is a link that leads into .chant"},
		"bytecode":                            {side{"check.py": "a"}, side{"__pycache__/check.cpython-311.pyc": "b"}, "*.py", "__pycache__/check.cpython-311.pyc decides about check.py, which is protected, and was added"},
		"settings that were there":            {side{"package.json": "a", ".npmrc": "a"}, side{".npmrc": "script-shell=true"}, "package.json", ".npmrc decides about package.json, which is protected, and was changed"},
		"code that was there":                 {side{"check.js": "a", "check.ts": "a"}, side{"check.ts": "b"}, "check.js", none},
		"bytecode that was there":             {side{"check.py": "a", "check.pyc": "a"}, side{"check.pyc": "b"}, "check.py", "check.pyc decides about check.py"},
		"bytecode of others":                  {side{"check.py": "a", "x.py": "a"}, side{"__pycache__/x.cpython-311.pyc": "b"}, "check.py", none},
		"a name with no file behind it":       {side{"x.js": "a"}, side{"y.ts": "b"}, "**/*.js", none},
		"what a glob spells out":              {side{"x": "a"}, side{"Makefile.sh": "b"}, "./Makefile", "Makefile.sh decides about Makefile"},
		"a module that hides a folder":        {side{"tests/a.py": "a"}, side{"tests.py": "b"}, "tests/**", "tests.py decides about tests/a.py"},
		"a module beside another folder":      {side{"tests/a.py": "a"}, side{"tests_of_mine.py": "b"}, "tests/**", none},
		"a link that hides":                   {side{"check.py": "a", "x": "b"}, side{"check.so": "-> x"}, "check.py", "check.so decides about check.py"},
		"a linked package":                    {side{"check.py": "a", "x/__init__.py": "b"}, side{"check": "-> x"}, "check.py", "check decides about check.py"},
		"what hides the end of a link":        {side{"t.py": "-> real.py", "real.py": "a"}, side{"real.so": "b"}, "real.py", "real.so decides about real.py"},
		"what hides it below a linked folder": {side{"tests": "-> src", "src/a.py": "a"}, side{"src/a.so": "b"}, "tests/*.py", "src/a.so decides about tests/a.py"},
		"a submodule with a protected file":   {side{"lib": submodule}, side{"lib": "x"}, "lib/check.py", "lib decides about lib/check.py, which is protected, and was changed"},
		"a submodule below a glob":            {side{"x": "a"}, side{"a/lib": submodule}, "**/*.sh", "a/lib decides about **/*.sh"},
		"a submodule in another case":         {side{"x": "a"}, side{"Lib": submodule}, "lib/*.py", "Lib decides about lib/*.py"},
		"a submodule with a protected name":   {side{"x": "a"}, side{"lib": submodule}, "lib", "lib is protected and was added"},
		"a submodule by a link":               {side{"tests": "-> lib", "lib/a.sh": "a"}, side{"lib/a.sh": "", "lib": submodule}, "tests/*.sh", "lib decides about tests/*.sh"},
		"a submodule that is a package":       {side{"check.py": "a"}, side{"check": submodule}, "check.py", "check decides about check.py"},
		"a submodule that is a cache":         {side{"a/check.py": "a"}, side{"a/__pycache__": submodule}, "a/*.py", "a/__pycache__ decides about a/check.py"},
		"a submodule elsewhere":               {side{"lib2/check.py": "a"}, side{"lib": submodule}, "lib2/**", none},
		"links in a circle":                   {side{"x": "x"}, side{"l": "-> m", "m": "-> l"}, "", "l is a link that leads through more links"},
		"a way out that was there":            {side{"l": "-> ../y", "m": "-> x"}, side{"m": "-> z"}, "", none},
		"a link to what is ignored":           {side{"x": "x"}, side{"l": "-> node_modules/.bin/x"}, "", none},
		"a link inside":                       {side{"d/x": "x"}, side{"d/e/l": "-> ../x"}, "", none},
		"a link of the whole repository":      {side{"x/y": "x", "s": "-> ."}, side{"x/y": "y"}, "t.sh", none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, rules := commits(t, tt.was, tt.now)
			if tt.protect != "" {
				rules.Protect = []string{tt.protect}
			}
			found, err := c.Guarded(t.Context(), "HEAD~1", "HEAD", rules)
			assert.NoError(t, err)
			got := ""
			if len(found) > 0 {
				got = found[0].String()
			}
			assert.HasPrefix(t, got, tt.want)
			assert.False(t, tt.want == none && got != "", "got %q, want %q", got, tt.want)
		})
	}
}

// TestGuarded_led: what settings of git lead to is hidden as what globs protect, also a module that a script imports.
func TestGuarded_led(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes of other systems")
	}
	was := side{"tools/f.py": "import json\nimport mine\n", "tools/mine.py": "x = 1\n"}
	for file, want := range map[string]string{
		"tools/mine.so":                          "tools/mine.so decides about tools/mine.py, which is protected, since",
		"tools/json.pyc":                         "tools/json.pyc decides about tools/json.py, which is protected, since",
		"tools/__pycache__/mine.cpython-311.pyc": "tools/__pycache__/mine.cpython-311.pyc decides about tools/mine.py, which is protected, since",
		"tools/other.so":                         "",
		"docs/json.pyc":                          "",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			c, rules := commits(t, was, side{file: "b"}, "filter.f.clean=python3 tools/f.py")
			found, err := c.Guarded(t.Context(), "HEAD~1", "HEAD", rules)
			assert.NoError(t, err)
			got := ""
			if len(found) > 0 {
				got = found[0].String()
			}
			assert.HasPrefix(t, got, want)
			assert.Equal(t, want == "", got == "", "got %q", got)
		})
	}
}

// TestLed_FindBelow: a submodule is led to if something below it is, or if it lies in a folder that is.
func TestLed_FindBelow(t *testing.T) {
	t.Parallel()
	led := Led{files: map[string]string{"lib/b/x.sh": "b", "lib/a/x.sh": "a"}, folders: map[string]string{"hooks": "hooks"}}
	for folder, want := range map[string]string{"lib": "a", "Lib/b": "b", "hooks/one": "hooks", "lib/c": "", "li": "", "hook": ""} {
		what, found := led.FindBelow(folder)
		assert.Equal(t, want, what, "%s", folder)
		assert.Equal(t, want != "", found, "%s", folder)
	}
}
