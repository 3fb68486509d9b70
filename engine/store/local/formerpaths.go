package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine/store/disk"
	"chant/gitops/lockfile"
)

// formerPath is the path in earlier versions of a name that is now in git's common directory.
func (l Files) formerPath(kind Kind, name string) string {
	return filepath.Join(l.home, Dir, string(kind), name)
}

// moveFormerJournal moves a spec's journal from its former path, unless the new path has one.
func (l Files) moveFormerJournal(id, to string) error {
	// Once the new path has a journal, the old one may be of a version that runs beside this one, and is left alone.
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	from := l.formerPath(Runs, id+".jsonl")
	src, err := readJournal(from)
	if err != nil || src == nil {
		return err
	}
	// The new file is complete before the old one goes: a crash leaves two equal journals.
	if err := disk.Write(to, src, disk.Options{Mode: 0o600}); err != nil {
		return fmt.Errorf("move the journal of %q: %w", id, err)
	}
	if err := os.Remove(from); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Holder is the process that holds a lock below Locks, such as that of a run by the spec's id. It may
// be of an earlier version, which holds the lock at its former path.
func (l Files) Holder(name string) (lockfile.Holder, bool) {
	// A process of an earlier version may hold the lock at its former path.
	if holder, held := lockfile.HeldBy(l.LockPath(name)); held {
		return holder, true
	}
	return l.FormerHolder(name)
}

// FormerHolder is the process of an earlier version that holds a lock at its former path.
func (l Files) FormerHolder(name string) (lockfile.Holder, bool) {
	return lockfile.HeldBy(l.formerPath(Locks, name+".lock"))
}
