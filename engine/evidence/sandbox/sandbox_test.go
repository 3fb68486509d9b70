package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/evidence/keyfile"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/providers"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

const id = "2026-01-02-001-abc"

// fixture is a project with a user's home, and the paths of a run in it.
type fixture struct {
	*Sandbox
	user, home, tree, other, check, state string
}

// newFixture creates a repository, and the folders of two runs and of a check.
func newFixture(t *testing.T, settings config.SandboxConfig, prefix string, variables ...string) *fixture {
	t.Helper()
	user := disk.RealPath(t.TempDir())
	repo, err := gitops.Init(t.Context(), filepath.Join(user, "my project"), "main")
	assert.NoError(t, err)
	if settings.Mode == "" {
		settings.Mode = config.SandboxAuto
	}
	environ := append([]string{"HOME=" + user, "XDG_CONFIG_HOME=" + user + "/config", "XDG_CACHE_HOME=" + user + "/cache"}, variables...)
	f := &fixture{Sandbox: &Sandbox{Repo: repo, Store: store.OpenRepository(repo, prefix), Settings: settings, Environ: environ}, user: user, home: repo.Home()}
	f.tree, f.other = filepath.Join(f.treeDir(), id), filepath.Join(f.treeDir(), "2026-01-02-002-def")
	f.check = filepath.Join(CheckDirs(repo, environ)[0], CheckTree+id)
	f.state = filepath.Join(f.home, ".chant", "cache", id)
	for _, dir := range []string{f.tree, f.other, f.check, f.state, filepath.Join(f.home, ".chant", "specs"), keyfile.Folder(environ)} {
		assert.NoError(t, os.MkdirAll(dir, 0o700))
	}
	return f
}

// walled is newFixture on a system that has a wall.
func walled(t *testing.T, settings config.SandboxConfig, variables ...string) *fixture {
	t.Helper()
	f := newFixture(t, settings, "chant/", variables...)
	if s := f.State(); !s.InForce {
		t.Skip(s.Why)
	}
	return f
}

// rights is what a policy allows for a path.
type rights string

const (
	none   rights = "nothing"
	reads  rights = "read"
	writes rights = "write"
)

func rightsOf(p *wall.Policy, path string) rights {
	switch {
	case p.MayWrite(path):
		return writes
	case p.MayRead(path):
		return reads
	}
	return none
}

// TestPolicies: who may write and read which of the paths around a run.
func TestPolicies(t *testing.T) {
	t.Parallel()
	allowed, tests := disk.RealPath(t.TempDir()), disk.RealPath(t.TempDir())
	f := walled(t, config.SandboxConfig{Write: []string{allowed}, Checks: []string{tests}, Secrets: []string{"~/creds"}})
	linkSecrets(t, f)
	ssh := filepath.Join(f.user, "id_ed25519")
	assert.NoError(t, os.WriteFile(filepath.Join(keyfile.Folder(f.Environ), "key.ssh"), []byte(ssh+"\n"), 0o600))
	agent, err := f.ForAgent(f.tree, f.state)
	reader, err2 := f.ForReader(f.tree, f.state)
	setup, err3 := f.ForSetup(f.tree)
	own, err4 := f.ForCriteria(f.tree)
	criteria, err5 := f.ForCriteria(f.check)
	checkSetup, err6 := f.ForSetup(f.check)
	assert.NoError(t, errors.Join(err, err2, err3, err4, err5, err6))
	common := f.Repo.CommonDir()
	in := func(elem ...string) string { return filepath.Join(elem...) }
	// agent, reader, setup of its tree, criteria in its tree, criteria in a check tree, setup of a check tree, broker
	broker, err := f.ForBroker(&agent, id)
	assert.NoError(t, err)
	all := func(r rights) [7]rights { return [7]rights{r, r, r, r, r, r, r} }
	for path, want := range map[string][7]rights{
		in(f.tree, "main.go"):                        {writes, reads, writes, writes, none, none, writes},
		in(f.other, "main.go"):                       {none, none, none, none, none, none, none},
		in(f.check, "main.go"):                       {none, none, none, none, writes, writes, writes},
		in(f.home, "main.go"):                        all(reads),
		in(f.home, ".chant", "config.md"):            all(reads),
		in(f.home, ".chant", "specs", "x.md"):        {reads, reads, reads, reads, reads, reads, writes},
		in(f.state, "prompt.md"):                     {reads, reads, none, none, none, none, writes},
		in(f.home, ".chant", "cache", "x", "p.md"):   all(none),
		in(f.home, ".chant", "cache", "mcp.json"):    all(none),
		in(f.user, ".rstn", "mcp-session.json"):      all(none),
		in(f.home, ".chant", "heldout", "x.md"):      all(none),
		in(f.home, ".chant", "logs", "x.log"):        {none, none, none, none, none, none, reads},
		in(f.TempDir(f.tree), "x"):                   {writes, writes, writes, writes, none, none, writes},
		in(f.TempDir(f.check), "x"):                  {none, none, none, none, writes, writes, none},
		f.Socket(f.tree):                             {reads, reads, reads, reads, none, none, writes},
		in(agent.cache, "go-build", "x"):             {writes, writes, writes, writes, none, none, writes},
		in(criteria.cache, "go-build", "x"):          {none, none, none, none, writes, writes, none},
		in(common, "objects", "ab", "x"):             {writes, reads, writes, writes, reads, reads, writes},
		in(common, "objects", "pack", "x"):           {reads, reads, reads, reads, reads, reads, writes},
		in(common, "objects", "info", "alternates"):  {reads, reads, reads, reads, reads, reads, writes},
		in(common, "refs", "heads", "chant", id):     {writes, reads, writes, writes, reads, reads, writes},
		in(common, "logs", "refs", "heads", "chant"): {writes, reads, writes, writes, reads, reads, writes},
		in(common, "refs", "heads", "main"):          {reads, reads, reads, reads, reads, reads, writes},
		in(common, "refs", "notes", "chant"):         {reads, reads, reads, reads, reads, reads, writes},
		in(common, "packed-refs"):                    {reads, reads, reads, reads, reads, reads, writes},
		in(common, "config"):                         {reads, reads, reads, reads, reads, reads, writes},
		in(common, "hooks", "pre-commit"):            {reads, reads, reads, reads, reads, reads, writes},
		in(f.Repo.AdminDir(f.tree), "index"):         {writes, reads, writes, writes, reads, reads, writes},
		in(f.Repo.AdminDir(f.other), "index"):        {reads, reads, reads, reads, reads, reads, writes},
		in(f.Repo.AdminDir(f.check), "index"):        {reads, reads, reads, reads, writes, writes, writes},
		in(common, "chant", "runs", id+".jsonl"):     {reads, reads, reads, reads, reads, reads, writes},
		in(common, "chant", "hook"):                  {reads, reads, reads, reads, reads, reads, writes},
		in(keyfile.Folder(f.Environ), "key.pem"):     all(none),
		ssh:                                          all(none),
		in(f.user, "vault", "key"):                   all(none),
		in(f.user, "vault", "step"):                  all(none),
		in(f.user, "vault", "seed"):                  all(none),
		in(f.user, "vault", "creds"):                 all(none),
		in(f.user, "vault", "member"):                all(none),
		in(f.user, "vault", "heldout", "x.md"):       all(none),
		in(f.user, "vault", "token"):                 all(none),
		in(f.user, "vault", "other"):                 all(reads),
		in(f.user, ".profile"):                       all(reads),
		in(allowed, "x"):                             {writes, writes, writes, writes, reads, reads, writes},
		in(tests, "x"):                               {reads, reads, reads, reads, writes, writes, reads},
		"/dev/null":                                  all(writes),
	} {
		got := [7]rights{}
		for i, b := range []Bounds{agent, reader, setup, own, criteria, checkSetup, {Wall: broker}} {
			got[i] = rightsOf(b.Wall, path)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", strings.TrimPrefix(path, f.user), got, want)
		}
	}
}

// linkSecrets has every file with a secret be a link to the folder "vault" of the person, as programs for dotfiles make them.
func linkSecrets(t *testing.T, f *fixture) {
	t.Helper()
	vault, keys, chant := filepath.Join(f.user, "vault"), keyfile.Folder(f.Environ), filepath.Join(f.home, ".chant")
	for _, dir := range []string{filepath.Join(vault, "heldout"), filepath.Join(keys, "fleet"), filepath.Join(f.user, ".rstn"), filepath.Join(f.Repo.CommonDir(), "chant")} {
		assert.NoError(t, os.MkdirAll(dir, 0o700))
	}
	for _, name := range []string{"key", "seed", "creds", "member", "token", "other", "heldout/x.md"} {
		assert.NoError(t, os.WriteFile(filepath.Join(vault, name), nil, 0o600))
	}
	assert.NoError(t, os.WriteFile(filepath.Join(f.Repo.CommonDir(), "chant", "fleet.json"), []byte(`{"credentials": "`+filepath.Join(f.user, "member")+`"}`), 0o600))
	for link, to := range map[string]string{
		filepath.Join(keys, "key.pem"): filepath.Join(vault, "step"), filepath.Join(vault, "step"): "key",
		filepath.Join(keys, "fleet", "n.seed"): filepath.Join(vault, "seed"), filepath.Join(f.user, "creds"): filepath.Join(vault, "creds"),
		filepath.Join(f.user, "member"): filepath.Join(vault, "member"), filepath.Join(chant, "heldout"): filepath.Join(vault, "heldout"),
		filepath.Join(f.user, ".rstn", "mcp-session.json"): filepath.Join(vault, "token"),
	} {
		assert.NoError(t, os.Symlink(to, link))
	}
}

// TestForBroker_reading: a command that an agent has asked for reads nothing that "sandbox.read" keeps from the agent.
func TestForBroker_reading(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{Read: spec.StringList{"/opt"}})
	agent, err := f.ForAgent(f.tree, f.state)
	if err == nil {
		err = f.Admit(&agent, providers.Launch{})
	}
	assert.NoError(t, err)
	broker, err := f.ForBroker(&agent, id)
	assert.NoError(t, err)
	for path, want := range map[string]rights{
		filepath.Join(f.user, "secret.txt"): none, filepath.Join(f.user, ".ssh", "id"): none, "/opt/x": reads,
		filepath.Join(f.home, "main.go"): reads, filepath.Join(f.home, ".chant", "cache", "mcp.json"): none,
	} {
		assert.Equal(t, want, rightsOf(broker, path), "%s", path)
	}
}

// TestForFolder: a command in a person's worktree whose content may be an agent's changes what is there, but nothing of git
// and of chant.
func TestForFolder(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	assert.NoError(t, os.Mkdir(filepath.Join(f.home, "src"), 0o700))
	b, err := f.ForFolder(f.home)
	assert.NoError(t, err)
	for path, want := range map[string]rights{
		"src/main.go": writes, "new": reads, ".git/config": reads, ".git/hooks/pre-commit": reads, ".git/objects/ab/x": reads,
		".git/refs/heads/chant/" + id: reads, ".chant/config.md": reads, ".chant/specs/x.md": reads, ".chant/cache/mcp.json": none,
	} {
		assert.Equal(t, want, rightsOf(b.Wall, filepath.Join(f.home, filepath.FromSlash(path))), "%s", path)
	}
}

// TestForCriteria_own: criteria in a person's checkout have no bounds, nor has anything without a wall.
func TestForCriteria_own(t *testing.T) {
	t.Parallel()
	f := newFixture(t, config.SandboxConfig{}, "chant/")
	b, err := f.ForCriteria(f.home)
	assert.NoError(t, err)
	assert.True(t, b.Wall == nil, "%+v, %v", b, err)
	assert.Zero(t, b.Env)
	off := newFixture(t, config.SandboxConfig{Mode: config.SandboxOff}, "chant/")
	for _, bind := range []func(string) (Bounds, error){off.ForCriteria, off.ForSetup, func(tree string) (Bounds, error) { return off.ForAgent(tree, off.state) }} {
		b, err := bind(off.tree)
		assert.NoError(t, err)
		assert.True(t, b.Wall == nil, "%+v, %v", b, err)
		assert.Zero(t, b.Env)
		assert.True(t, b.Refused("touch: cannot touch '/etc/x': Permission denied") == nil, "%+v, %v", b, err)
		assert.NoError(t, errors.Join(b.Prepare(), off.Admit(&b, providers.Launch{State: []string{off.user + "/state"}}), b.Clear()))
	}
	_, err = os.Stat(off.user + "/state")
	assert.Error(t, err, "without a wall the folder of a CLI was created")
}

// TestPolicies_worktreesElsewhere: the folder of worktrees that the settings name is hidden, with those of other runs.
func TestPolicies_worktreesElsewhere(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	f.Trees = filepath.Join(f.user, "trees")
	b, err := f.ForAgent(filepath.Join(f.Trees, id), f.state)
	assert.NoError(t, err)
	assert.Equal(t, writes, rightsOf(b.Wall, filepath.Join(f.Trees, id, "x")), "its own worktree")
	assert.Equal(t, none, rightsOf(b.Wall, filepath.Join(f.Trees, "another", "x")))
}

// TestForAgent_network: the limit is that of agents alone.
func TestForAgent_network(t *testing.T) {
	t.Parallel()
	for network, want := range map[config.Network][]uint16{"": nil, config.NoNetwork: {}, "443,8080": {443, 8080}} {
		f := walled(t, config.SandboxConfig{Network: network})
		agent, err := f.ForAgent(f.tree, f.state)
		criteria, err2 := f.ForCriteria(f.check)
		assert.NoError(t, errors.Join(err, err2))
		switch got := agent.Wall.Network; {
		case (got == nil) != (want == nil) || got != nil && !slices.Equal(got.Ports, want):
			t.Errorf("%q: %+v", network, got)
		case criteria.Wall.Network != nil:
			t.Errorf("%q: criteria are limited to %+v", network, criteria.Wall.Network)
		}
	}
}

// TestAdmit: a CLI may write to its own state, and with sandbox.read an agent reads only what it needs.
func TestAdmit(t *testing.T) {
	t.Parallel()
	data := disk.RealPath(t.TempDir())
	f := walled(t, config.SandboxConfig{Read: []string{data, "~/notes"}})
	f.Chant = "/opt/chant/chant"
	f.Environ = append(f.Environ, "PATH="+f.user+"/tools/bin:"+f.user+"/bin:relative")
	b, err := f.ForAgent(f.tree, f.state)
	assert.NoError(t, err)
	file := filepath.Join(f.user, "there.json")
	assert.NoError(t, os.WriteFile(file, nil, 0o600))
	launch := providers.Launch{Path: filepath.Join(f.user, "cli", "agent"), State: []string{f.user + "/.made", file, f.user + "/missing.json"}}
	assert.NoError(t, f.Admit(&b, launch))
	for path, want := range map[string]rights{
		f.user + "/.made/session":      writes,
		file:                           writes,
		f.user + "/missing.json":       none, // no rule can be made for it
		data + "/x":                    reads,
		f.user + "/notes/x":            reads,
		f.user + "/private":            none,
		f.user + "/.gitconfig":         reads,
		f.user + "/tools/lib/x":        reads, // around a folder bin of PATH
		f.user + "/bin/x":              reads,
		f.user + "/lib/x":              none, // the home folder is around no folder bin
		f.user + "/cli/agent":          reads,
		f.home + "/main.go":            reads,
		f.tree + "/main.go":            writes,
		f.other + "/main.go":           none,
		f.state + "/prompt.md":         reads,
		"/usr/bin/git":                 reads,
		"/root/x":                      none,
		"/opt/chant/chant":             reads,
		f.Repo.CommonDir() + "/config": reads,
	} {
		assert.Equal(t, want, rightsOf(b.Wall, path), "%s", path)
	}
}

// TestForAgent_missingPath: a path of the settings that does not exist is an error that names it, and Missing finds it.
func TestForAgent_missingPath(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{Write: []string{"~/nowhere"}, Checks: []string{"/no/such/folder"}})
	_, err := f.ForAgent(f.tree, f.state)
	assert.Error(t, err)
	assert.Contains(t, err.Error(), `sandbox.write: "~/nowhere"`)
	_, err = f.ForCriteria(f.check)
	assert.Error(t, err)
	assert.Contains(t, err.Error(), `sandbox.checks: "/no/such/folder"`)
	assert.Equal(t, []string{"~/nowhere"}, f.Missing([]string{"~/nowhere", "~/my project", "/"}))
}

// TestPrepare: the folders that the bounds name exist afterwards, with a link to settings of cargo; Clear removes those for
// temporary files.
func TestPrepare(t *testing.T) {
	t.Parallel()
	f := walled(t, config.SandboxConfig{})
	assert.NoError(t, os.MkdirAll(f.user+"/.cargo", 0o700))
	assert.NoError(t, os.WriteFile(f.user+"/.cargo/config.toml", []byte("[net]\n"), 0o600))
	b, err := f.ForAgent(f.tree, f.state)
	assert.NoError(t, err)
	for range 2 { // the second time everything exists
		assert.NoError(t, b.Prepare())
	}
	for _, path := range append(f.branchDirs(), f.TempDir(f.tree), filepath.Join(f.Repo.CommonDir(), "objects", "00"), filepath.Join(f.Repo.CommonDir(), "objects", "ff")) {
		info, err := os.Stat(path)
		assert.NoError(t, err, "%s", path)
		assert.True(t, info.IsDir(), "%s: %v", path, err)
	}
	want, err := os.ReadFile(f.user + "/.cargo/config.toml")
	assert.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(b.cache, "cargo", "config.toml"))
	assert.NoError(t, err, "the settings of cargo")
	assert.Equal(t, string(want), string(got), "the settings of cargo")
	assert.NoError(t, b.Clear())
	_, err = os.Stat(filepath.Dir(f.TempDir(f.tree)))
	assert.Error(t, err, "the folder for temporary files is still there")
}

// TestTempDir: its path is short enough for sockets below it, and each tree has its own.
func TestTempDir(t *testing.T) {
	t.Parallel()
	long := "/" + strings.Repeat("very-long-name/", 10)
	top := disk.RealPath("/tmp")
	for name, c := range map[string]struct{ tmpdir, below string }{
		"the usual":     {"", top},
		"of the user":   {"/run/user/7", "/run/user/7"},
		"too long":      {long, top},
		"relative":      {"tmp", top},
		"just possible": {"/" + strings.Repeat("x", maxTempPath-1), "/" + strings.Repeat("x", maxTempPath-1)},
	} {
		got := tempDir([]string{"TMPDIR=" + c.tmpdir}, long+"tree")
		assert.HasPrefix(t, got, c.below+"/chant-", "%s", name)
		assert.Equal(t, "t", filepath.Base(got), "%s", name)
		socket := filepath.Join(got, "tsx-1000", "12345.pipe")
		assert.True(t, len(socket) <= 104, "%s: a socket below it has %d bytes", name, len(socket))
		assert.NotEqual(t, got, tempDir([]string{"TMPDIR=" + c.tmpdir}, long+"other"), "%s: two trees have", name)
	}
}
