package tree

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/evidence/sandbox"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/gitops/rootdir"
	"chant/providers"
)

// ownerModes is a folder, or a file, with the types and the permissions of the owner of what is in it, by name below it.
type ownerModes struct {
	dir   string
	modes map[string]fs.FileMode
}

// GuardPermissions remembers which permissions the owner has of what git and chant need, and of the folders above it. The
// function that it returns gives back those that were taken away since, and reports them: the wall keeps no process from
// changing permissions of what belongs to its user, and without them chant and git find no repository. Those that were added
// stay. step is that of what runs meanwhile, an agent or criteria.
func GuardPermissions(t *Trees, step journal.Step) (putBack func() error) {
	var all []ownerModes
	for dir, into := range needed(t) {
		all = append(all, readModes(dir, into))
	}
	// Folders come before what is in them, which cannot be reached without them.
	slices.SortFunc(all, func(a, b ownerModes) int { return cmp.Compare(a.dir, b.dir) })
	return func() error {
		when := "while the agent worked"
		if step != journal.Agent {
			when = "while criteria ran"
		}
		var found []string
		for _, one := range all {
			found = append(found, one.putBack(when)...)
		}
		return reportTaken(t, step, found)
	}
}

// needed lists what git and chant need, with a function that says of which folders in it the content is needed, too; nil for
// nothing in it.
func needed(t *Trees) map[string]func(name string) bool {
	top := func(string) bool { return false }
	config := keyfile.Folder(t.Environ)
	out := map[string]func(string) bool{
		t.Repo.CommonDir(): func(name string) bool {
			first, rest, _ := strings.Cut(name, "/")
			// Loose objects are many, and an agent can remove them anyway. Other programs keep large folders in git's.
			return slices.Contains([]string{"chant", "info", "logs", "refs", "worktrees"}, first) || first == "objects" && len(rest) != 2
		},
		filepath.Join(t.Store.Home(), store.Dir): func(name string) bool {
			// Worktrees of other runs belong to their agents.
			return !slices.Contains([]string{"cache", "logs", "worktrees"}, path.Dir(name))
		},
		config: top, filepath.Join(filepath.Dir(filepath.Dir(config)), "git"): top, t.Store.Home(): nil, t.Repo.Home(): nil,
	}
	for _, caches := range sandbox.CheckDirs(t.Repo, t.Environ) {
		out[filepath.Dir(caches)] = top
	}
	if home := providers.Variable(t.Environ, "HOME"); home != "" {
		out[home], out[filepath.Join(home, ".gitconfig")] = nil, nil
	}
	if t.Settings.Dir != "" {
		out[t.Settings.Dir] = top
	}
	all := map[string]func(string) bool{}
	add := func(dir string, into func(string) bool) {
		// A folder can be above another one, and needed itself.
		if all[dir] == nil {
			all[dir] = into
		}
	}
	for dir, into := range out {
		// A variable that is not set leaves no absolute path.
		if dir = disk.RealPath(dir); !filepath.IsAbs(dir) {
			continue
		}
		add(dir, into)
		for above := filepath.Dir(dir); above != filepath.Dir(above); above = filepath.Dir(above) {
			add(above, nil)
		}
	}
	return all
}

// readModes reads the permissions of a folder, or of a file, and of what is in it.
func readModes(dir string, into func(name string) bool) ownerModes {
	o := ownerModes{dir, map[string]fs.FileMode{}}
	// By paths, as a root took three times as long (2026-11-30): it is only read. What cannot be read is not needed.
	_ = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // it was removed meanwhile
		}
		name, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		o.modes[name] = ownersPart(info.Mode())
		if d.IsDir() && (into == nil || name != "." && !into(name)) {
			return fs.SkipDir
		}
		return nil
	})
	return o
}

// ownersPart returns the type of a file and the permissions of its owner without which it cannot be used. Whether a file may
// be executed is left to the person: so hooks are switched off.
func ownersPart(mode fs.FileMode) fs.FileMode {
	switch {
	case mode.IsDir():
		return mode & (fs.ModeType | 0o700)
	case mode.IsRegular():
		return mode & (fs.ModeType | 0o600)
	}
	return mode & fs.ModeType
}

// putBack gives the owner what was taken away, and returns what that was, for people.
func (o ownerModes) putBack(when string) (found []string) {
	for _, name := range slices.Sorted(maps.Keys(o.modes)) {
		at := filepath.Join(o.dir, filepath.FromSlash(name))
		info, err := os.Lstat(at)
		if err != nil || !o.lacks(name, info) {
			continue
		}
		what := fmt.Sprintf("permissions of %q were taken away %s", at, when)
		if name == "." {
			// No agent can put another folder in its place, and without permissions it cannot be opened as a root.
			err = os.Chmod(at, o.restored(name, info))
		} else {
			// An agent can have put links into git's folder.
			err = rootdir.In(o.dir, func(root *os.Root) error {
				info, err := root.Lstat(name)
				if err != nil || !o.lacks(name, info) {
					return err
				}
				return root.Chmod(name, o.restored(name, info))
			})
		}
		if err != nil {
			found = append(found, fmt.Sprintf("%s; they could not be put back: %v", what, err))
		} else {
			found = append(found, what+"; they were put back")
		}
	}
	return found
}

// lacks reports whether a file lacks permissions that its owner had. What is of another type now is another file.
func (o ownerModes) lacks(name string, now fs.FileInfo) bool {
	was := o.modes[name]
	return now.Mode().Type() == was.Type() && was.Perm()&^now.Mode().Perm() != 0
}

// restored returns the permissions of a file with those of its owner.
func (o ownerModes) restored(name string, now fs.FileInfo) fs.FileMode {
	return now.Mode()&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky) | o.modes[name].Perm()
}
