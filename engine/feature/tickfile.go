package feature

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"

	"chant/engine"
	"chant/engine/format/tasklist"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops/lockfile"
	"chant/gitops/rootdir"
)

// maxTasksFile limits a file with tasks, in bytes.
const maxTasksFile = 64 << 20

// tickTries limits how often an edit is repeated while another program writes the file.
const tickTries = 100

// tickFile ticks a box in the worktree's file. Callers of chant take turns; if another program writes the file at the
// same time, the edit is repeated on the new content.
func (w *worktree) tickFile(ctx context.Context, p *engine.Project, id string) (err error) {
	file := path.Join(w.dir, tasksFile)
	rel, err := disk.RealBelow(w.root, file)
	if err != nil {
		return engine.Fail(engine.Invalid, next.Step{}, "could not write %q: %s", file, describeError(err))
	}
	// A link inside of the worktree stays one.
	root, err := rootdir.Open(disk.RealPath(w.root))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	lock, err := w.lock(ctx, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	for range tickTries {
		src, err := rootdir.Read(root, rel, maxTasksFile)
		if err != nil {
			return err
		}
		ticked, err := tasklist.Tick(src, id, true)
		if err != nil {
			return engine.Fail(engine.Conflict, next.Feature.On(), "%s: %s", file, err)
		}
		// Another program has written it since it was read.
		if now, err := rootdir.Read(root, rel, maxTasksFile); err != nil || !bytes.Equal(now, src) {
			continue
		}
		if bytes.Equal(ticked, src) {
			return nil
		}
		info, err := root.Lstat(rel)
		if err != nil {
			return err
		}
		return rootdir.Write(root, filepath.ToSlash(rel), ticked, info.Mode().Perm())
	}
	return engine.Fail(engine.Conflict, next.Feature.On(), "another program keeps writing %q", file)
}

// lock takes the turn of this worktree's repository.
func (w *worktree) lock(ctx context.Context, p *engine.Project) (*lockfile.Lock, error) {
	dir := filepath.Join(p.Repo.CommonDir(), "chant")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return lockfile.AcquireWait(ctx, filepath.Join(dir, "tasks.lock"), "tick a task")
}
