package e2e

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// newSiteProject is a project whose site has every kind of page: specs in several states, archived and unreadable ones, with
// labels, dependencies, members, odd names and texts.
func newSiteProject(t *testing.T) *project {
	t.Helper()
	p := newProject(t)
	add := func(id, front, body string) {
		p.write(".chant/specs/"+id+".md", "---\n"+front+"---\n"+body)
	}
	const script = "\n## Script\n\n```sh\nprintf 'a\\nb\\n' > made.txt\n```\n"
	add("2026-01-02-001-abc", "labels: [api, UI, \"größe 1\"]\n", "# Make a file\n\nSee [the table](2026-01-02-002-abc.md#text) and [no file](gone.md)."+script+
		"\n## Acceptance Criteria\n\n- [ ] It is there `$ cat made.txt`\n")
	add("2026-01-02-002-abc", "depends_on: [2026-01-02-001-abc, 2026-01-02-099-abc]\nlabels: [ui]\n", "# A table <b>&amp; more</b>\n\n"+
		"#### Deep\n\n| a | b |\n|---|--:|\n| 1 | [x](https://example.com/?a=1&b=2) |\n\n> quoted\n\n<details><summary>raw</summary></details>\n\n"+
		"```go\nfunc main() { println(\"<b>\") } // code\n```\n\n![image](https://example.com/a.png)\n\n## Acceptance Criteria\n\n- [x] ticked\n- [ ] open *and* `code`\n")
	add("2026-01-02-003-abc", "type: driver\n", "# Parts\n")
	add("2026-01-02-003-abc.1", "status: failed\nreason: \"it \\u001b[31mbroke\"\n", "# First part\n")
	add("2026-01-02-003-abc.2", "depends_on: [2026-01-02-003-abc.1]\n", "# "+strings.Repeat("long ", 60)+"\n")
	add("käse&100%#", "", "# Odd name\n")
	add("2026-01-02-004-abc", "status: [\n", "# Broken\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "specs")
	p.chant("work", "2026-01-02-001-abc")
	p.chant("add", "To be archived")
	p.git("rm", "-q", ".chant/specs/2026-01-02-004-abc.md")
	p.git("commit", "-q", "-m", "without the broken one")
	p.chant("archive", "2026-01-02-001-abc")
	add("2026-01-02-005-abc", "status: {\n", "# Broken\n")
	return p
}

// files maps the files of a site to their content.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		found[name] = string(text)
		return err
	})
	assert.NoError(t, err)
	return found
}

// TestSite_build crawls a site: every link leads to a file and, with a fragment, to an id in it. A second build changes
// neither bytes nor times.
func TestSite_build(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	out := p.home("out")
	p.chant("site", "build", "--output", out)
	built := files(t, out)
	links := crawl(t, built)
	assert.True(t, links >= 100, "only %d links", links)
	_, ok := built["spec/käse&100%#.html"]
	assert.True(t, ok, "pages are missing: %v", built)
	assert.NotEqual(t, "", built["spec/2026-01-02-001-abc.html"], "pages are missing")

	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name := range built {
		assert.NoError(t, os.Chtimes(filepath.Join(out, filepath.FromSlash(name)), past, past))
	}
	p.chant("site", "build", "--output", out)
	for name, text := range files(t, out) {
		info, err := os.Stat(filepath.Join(out, filepath.FromSlash(name)))
		assert.NoError(t, err, "%s was written again", name)
		assert.Equal(t, built[name], text, "%s was written again", name)
		assert.True(t, info.ModTime().Equal(past), "%s was written again (%v)", name, err)
	}

	// A clone builds the same pages.
	clone := p.home("clone")
	p.git("clone", "-q", ".", clone)
	p.git("-C", clone, "fetch", "-q", "origin", "refs/notes/chant:refs/notes/chant")
	err := os.CopyFS(filepath.Join(clone, ".chant", "specs"), os.DirFS(filepath.Join(p.dir, ".chant", "specs")))
	assert.False(t, err != nil && !os.IsExist(err), "%v", err)
	other := p.home("other")
	r := execute(t, clone, p.env, p.program, "site", "build", "--output", other, "--title", filepath.Base(p.dir))
	assert.Equal(t, 0, r.code, "%v", r.stderr)
	for name, text := range files(t, other) {
		if name != "index.html" && text != built[name] { // the unreadable file is not in the commits
			t.Errorf("%s differs in a clone", name)
		}
	}
}

// crawl checks every link of every page, and returns how many there are.
func crawl(t *testing.T, built map[string]string) (links int) {
	t.Helper()
	attribute := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	for name, text := range built {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, found := range attribute.FindAllStringSubmatch(text, -1) {
			link := strings.NewReplacer("&amp;", "&", "&#34;", `"`, "&#39;", "'", "&#43;", "+").Replace(found[1])
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %q: %v", name, link, err)
				continue
			}
			if u.IsAbs() {
				assert.Equal(t, "https", u.Scheme, "%s leads to %q", name, link)
				assert.HasPrefix(t, found[0], "href", "%s leads to %q", name, link)
				assert.Equal(t, "example.com", u.Host, "%s leads to %q", name, link)
				continue
			}
			links++
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			page, exists := built[target]
			assert.True(t, exists, "%s: %q leads nowhere", name, link)
			assert.False(t, u.Fragment != "" && !strings.Contains(page, `id="`+u.Fragment+`"`), "%s: %q leads nowhere", name, link)
		}
	}
	return links
}

// TestSite_valid checks all pages with html-validate.
func TestSite_valid(t *testing.T) {
	t.Parallel()
	node, modules := npmPackage(t, "html-validate")
	p := newSiteProject(t)
	out := p.home("out")
	p.chant("site", "build", "--output", out)
	settings := p.home("htmlvalidate.json")
	assert.NoError(t, os.WriteFile(settings, []byte(`{"root": true, "extends": ["html-validate:standard", "html-validate:a11y"]}`), 0o644))
	r := execute(t, filepath.Dir(modules), os.Environ(), node, filepath.Join(modules, "html-validate", "bin", "html-validate.mjs"), "--config", settings, "--formatter", "text", out)
	assert.Equal(t, 0, r.code, "exit %s %s", r.out, r.stderr)
}

// browser returns Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	forRelease(t, "site")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Skip("no Chromium: the pages are not looked at in a browser (apt-get install chromium)")
	return ""
}

// nodeScript copies a script of testdata/site beside the modules that it imports, and returns its path.
func nodeScript(t *testing.T, modules, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Skip(err)
	}
	src, err := os.ReadFile(filepath.Join("testdata", "site", name))
	assert.NoError(t, err)
	script := filepath.Join(dir, name)
	assert.NoError(t, os.WriteFile(script, src, 0o644))
	return script
}

// TestSite_accessible checks pages with axe-core in a browser, in the light and in the dark.
func TestSite_accessible(t *testing.T) {
	t.Parallel()
	chromium := browser(t)
	node, modules := npmPackage(t, "puppeteer-core")
	npmPackage(t, "axe-core")
	p := newSiteProject(t)
	out := p.home("out")
	p.chant("site", "build", "--output", out)
	var pages []string
	for name := range files(t, out) {
		if strings.HasSuffix(name, ".html") {
			pages = append(pages, name)
		}
	}
	slices.Sort(pages)
	r := execute(t, t.TempDir(), os.Environ(), node, append([]string{nodeScript(t, modules, "axe.mjs"), chromium, out}, pages...)...)
	want := fmt.Sprintf("checked %d\n", 2*len(pages))
	assert.Equal(t, 0, r.code, "exit %s", r.stderr)
	assert.Equal(t, want, r.out, "exit %s", r.stderr)
}
