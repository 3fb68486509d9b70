package work

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chant/engine"
	"chant/engine/journal"
)

// treeSize adds up the sizes of the files below a folder, in bytes. Links count as
// themselves; what goes while it looks counts as nothing.
func treeSize(ctx context.Context, folder string) (int64, error) {
	var total int64
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	})
	return total, err
}

// treeBorn is when the run that a tree belongs to began or, where no journal tells,
// when git made the tree; zero when neither is known.
func treeBorn(p *engine.Project, id, folder string) time.Time {
	if h, err := journal.ReadHistory(p.Store, id); err == nil {
		for _, a := range h.Attempts {
			if !a.Gone {
				return a.Opened.UTC()
			}
		}
	}
	if info, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
		return info.ModTime().UTC()
	}
	return time.Time{}
}
