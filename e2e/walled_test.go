package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/providers/wall"
)

// How the log and the reason of a run name what the wall has refused: paths that a setting could allow, and those of git,
// of chant and of keys.
const (
	outsideOf = "outside of the run; allow it with sandbox."
	keptFrom  = "not for agents and criteria"
)

// needsWall skips a test where the system has no wall, and where its scripts do not work.
func needsWall(t *testing.T) {
	t.Helper()
	if s := wall.Supported(); runtime.GOOS != "linux" || !s.Available {
		t.Skip("no wall for these scripts here: " + s.Why)
	}
}

// refusesSignals reports whether the wall of this system keeps agents from ending chant.
func refusesSignals() bool {
	return !slices.ContainsFunc(wall.Supported().Open, func(what string) bool { return strings.HasPrefix(what, "signals") })
}

// newCheated is a project for cheats, with the wall or without.
func newCheated(t *testing.T, walled bool) *project {
	t.Helper()
	if !walled {
		return newProject(t)
	}
	needsWall(t)
	return newWalledProject(t)
}

// outside is what agents and criteria must not change: a digest of each file in HOME, in the checkout and in git's folder.
// What chant itself writes during a run is not in it: objects, the refs and logs of runs, main, and evidence.
type outside struct {
	base  string // main
	files map[string]string
}

// ofChant are folders and files, relative to HOME, that chant writes during a run and when it lands.
func ofChant() []string {
	return []string{
		".cache", "a repo/.chant/cache", "a repo/.chant/logs", "a repo/.chant/worktrees", "a repo/.git/chant", "a repo/.git/worktrees",
		"a repo/.git/logs", "a repo/.git/index", "a repo/.git/refs/heads/main", "a repo/.git/refs/heads/chant", "a repo/.git/refs/notes/chant",
		"a repo/.git/refs/chant", "a repo/.git/ORIG_HEAD",
	}
}

// lookOutside reads what is outside.
func (p *project) lookOutside() outside {
	p.t.Helper()
	home, own := p.home("."), ofChant()
	o := outside{base: p.git("rev-parse", "main"), files: map[string]string{}}
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(home, path)
		if err != nil {
			return err
		}
		loose := filepath.Dir(rel) == "a repo/.git/objects" && d.Name() != "info"
		switch {
		case (loose || slices.Contains(own, rel)) && d.IsDir():
			return fs.SkipDir
		case d.IsDir() || slices.Contains(own, rel):
			return nil
		}
		o.files[rel], err = digest(path, d)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return o
}

// digest describes a file, a link or a pipe.
func digest(path string, d fs.DirEntry) (string, error) {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		return os.Readlink(path)
	case !d.Type().IsRegular():
		return d.Type().String(), nil
	}
	text, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}

// nothingElse checks that nothing outside was changed but what the run of a spec has landed: its own files, and of .chant
// only the file of the spec.
func (p *project) nothingElse(was outside, id string, may ...string) {
	p.t.Helper()
	now := p.lookOutside()
	landed := strings.Fields(p.git("diff", "--name-only", was.base, "main"))
	for _, path := range landed {
		if strings.HasPrefix(path, ".chant/") && path != ".chant/specs/"+id+".md" && !slices.Contains(may, path) {
			p.t.Errorf("%s was changed on main", path)
		}
	}
	all := maps.Clone(was.files)
	maps.Copy(all, now.files)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		inRepo := strings.TrimPrefix(path, "a repo/")
		if was.files[path] != now.files[path] && !slices.Contains(landed, inRepo) && !slices.Contains(may, path) {
			p.t.Errorf("%q outside of the run was changed", path)
		}
	}
}
