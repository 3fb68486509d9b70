package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/store/disk"
)

// Reach is where processes behind a wall can write: resolved paths of files and folders; nil without a wall.
type Reach []string

// Covers reports whether one of the paths, or a link on the way to it, can be written.
func (r Reach) Covers(paths ...string) bool {
	return r == nil || slices.ContainsFunc(paths, func(path string) bool { return r.leadsInto(path, maxLinks) })
}

// maxLinks bounds how many links are followed, like the kernel's limit.
const maxLinks = 40

// leadsInto is Covers for one path. Each link counts where it lies, since who can write there can lead it elsewhere.
func (r Reach) leadsInto(path string, links int) bool {
	at := string(filepath.Separator)
	rest := strings.Split(filepath.Clean(path), at)
	at = filepath.VolumeName(path) + at
	for i, name := range rest {
		// It is the root, or a volume.
		if i == 0 {
			continue
		}
		at = filepath.Join(at, name)
		// A folder that can be written covers everything below it.
		if r.has(at) {
			return true
		}
		info, err := os.Lstat(at)
		if err != nil {
			// Nothing is there, in a folder that cannot be written.
			return false
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		to, err := os.Readlink(at)
		// What cannot be followed counts as covered.
		if err != nil || links == 0 {
			return true
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		return r.leadsInto(filepath.Join(append([]string{to}, rest[i+1:]...)...), links-1)
	}
	return false
}

// has reports whether a path is one of them or below one.
func (r Reach) has(path string) bool {
	return slices.ContainsFunc(r, func(top string) bool {
		rel, err := filepath.Rel(top, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// ReachOf lists where an agent with these bounds, and the criteria of its run, can write; nil without a wall. Loose objects,
// which hold no settings, are left out. What a command of chant writes that the agent has asked for (ForBroker) is not in it:
// that is chant's, and none of those commands changes settings, hooks or keys.
func (s *Sandbox) ReachOf(agent *Bounds) (Reach, error) {
	if agent.Wall == nil {
		return nil, nil
	}
	checks, err := s.ReachOfChecks()
	loose := s.looseDirs()
	out := slices.DeleteFunc(append(agent.Wall.Writable(), checks...), func(path string) bool { return slices.Contains(loose, path) })
	for i, path := range out {
		out[i] = disk.RealPath(path)
	}
	slices.Sort(out)
	return slices.Compact(out), err
}

// ReachOfChecks lists where criteria can write beside the tree in which they run; nil without a wall.
// Without a wall everything can be written, which nil says.
func (s *Sandbox) ReachOfChecks() (Reach, error) {
	if !s.State().InForce {
		return nil, nil
	}
	caches, err := s.cacheDir(checks)
	// The folder that contains those of all trees.
	out := Reach{caches, filepath.Dir(filepath.Dir(s.TempDir(s.treeDir())))}
	for _, path := range s.Settings.Checks {
		out = append(out, disk.RealPath(s.expandHome(path)))
	}
	return out, err
}
