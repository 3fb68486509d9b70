package fleetstest

import (
	"path/filepath"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/gitops"
)

// Fleet is a bare remote with a project, and clones of it.
type Fleet struct {
	t    *testing.T
	Bare string // path of the remote
}

// NewFleet creates a remote with a project and these files in addition.
func NewFleet(t *testing.T, files map[string]string) *Fleet {
	t.Helper()
	_, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, files)
	f := &Fleet{t: t, Bare: filepath.Join(t.TempDir(), "remote.git")}
	enginetest.Git(t, dir, "clone", "-q", "--bare", dir, f.Bare)
	return f
}

// Clone opens a new clone, in which agents start without a sandbox.
func (f *Fleet) Clone() (*engine.Project, *fleet.Remote) {
	f.t.Helper()
	dir := filepath.Join(f.t.TempDir(), "clone")
	if _, err := gitops.Clone(f.t.Context(), f.Bare, dir, "origin", ""); err != nil {
		f.t.Fatal(err)
	}
	enginetest.Git(f.t, dir, "config", "user.name", "Ada")
	enginetest.Git(f.t, dir, "config", "user.email", "ada@example.com")
	return f.Open(dir)
}

// Open opens a clone again, as another process would.
func (f *Fleet) Open(dir string) (*engine.Project, *fleet.Remote) {
	f.t.Helper()
	o := enginetest.Options()
	o.Now, o.After = nil, nil
	o.Environ = append(o.Environ, "XDG_CACHE_HOME="+f.t.TempDir(), "XDG_CONFIG_HOME="+f.t.TempDir())
	o.Progress = func(ev engine.Event) {
		f.t.Logf("%s: %s %s %s", filepath.Base(filepath.Dir(dir)), ev.ID, ev.Kind, ev.Text)
	}
	p, err := engine.Open(dir, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return p, &fleet.Remote{Repo: p.Repo, Name: "origin", Target: "main", Prefix: p.Store.Branch("")}
}

// Git runs git in the remote.
func (f *Fleet) Git(args ...string) string {
	f.t.Helper()
	return enginetest.Git(f.t, f.Bare, args...)
}
