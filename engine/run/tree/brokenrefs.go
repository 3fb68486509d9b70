package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// branchFiles lists what is in the folder of the branches of runs, by names of refs and with their sizes. Agents can
// write there.
func branchFiles(t *Trees) (map[string]int64, error) {
	found := map[string]int64{}
	top := path.Join("refs/heads", path.Dir(t.Job.Branch))
	err := filepath.WalkDir(filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(top)), func(full string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil || !entry.Type().IsRegular() || strings.HasSuffix(full, ".lock") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // removed meanwhile
		}
		rel, err := filepath.Rel(t.Repo.CommonDir(), full)
		found[filepath.ToSlash(rel)] = info.Size()
		return err
	})
	return found, err
}

// dropBroken removes what was added among the branches of runs and is no ref, and any file there that is too large for
// one. A broken branch that was known stays, since its owner is told where its last commit is; and so does the run's
// own, which dropGitLinks restores. It returns what it removed, for people.
func dropBroken(t *Trees, known map[string]int64) (taken []string, err error) {
	now, err := branchFiles(t)
	if err != nil {
		return nil, err
	}
	for name, size := range now {
		_, was := known[name]
		if name == "refs/heads/"+t.Job.Branch || was && size <= mostOfRef {
			continue
		}
		full := filepath.Join(t.Repo.CommonDir(), filepath.FromSlash(name))
		if size <= mostOfRef {
			text, err := os.ReadFile(full)
			if err != nil || plainRef().Match(text) || bytes.HasPrefix(text, []byte("ref:")) {
				continue
			}
		}
		taken = append(taken, fmt.Sprintf("git's %s was added and is not a ref", name))
		if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return taken, err
		}
	}
	return taken, nil
}
