package worktrees

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Renew gives the linked worktree at dir the files of a commit, on no branch, as if it was new: git compares the content
// of every file instead of what its index says, and all other files go, ignored ones and repositories too. Files with
// equal content stay as they are.
func (t *Trees) Renew(ctx context.Context, dir, commit string) error {
	p, err := t.Site.Place(dir)
	if err != nil {
		return err
	}
	if p.GitDir == t.Site.Common {
		return fmt.Errorf("%q is the main worktree and stays as it is", p.Top)
	}
	hash, err := t.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	if err := removeUnusual(p.Top); err != nil {
		return err
	}
	// An index can be written so that git takes a changed file for an unchanged one.
	if err := os.Remove(filepath.Join(p.GitDir, "index")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	run := func(args ...string) ([]byte, error) {
		return t.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args, Limit: gitexec.LongLimit,
			Settings: []string{"core.fsmonitor=false", "core.untrackedCache=false", "core.splitIndex=false"}})
	}
	if _, err := run("read-tree", hash); err != nil {
		return err
	}
	if _, err := run("update-index", "-q", "--refresh"); err != nil && gitexec.ExitCode(err) != 1 {
		return err // 1: some files differ
	}
	if _, err := run("checkout", "-q", "-f", "--detach", hash); err != nil {
		return err
	}
	if _, err := run("clean", "-q", "-ff", "-d", "-x"); err != nil {
		return err
	}
	out, err := run("status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignored", "--ignore-submodules=none")
	if err == nil && len(out) > 0 {
		shown, _, _ := bytes.Cut(out, []byte{0})
		err = fmt.Errorf("%q still shows %q: %w", p.Top, shown, ErrUnclean)
	}
	return err
}

// removeUnusual removes what a checkout never makes: files that have another name elsewhere, by which they could be
// changed later, files that their owner cannot change, and what is neither a file, a link nor a folder.
func removeUnusual(top string) error {
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == filepath.Join(top, ".git") || d.Type()&fs.ModeSymlink != 0 {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		const special = fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
		switch mode := info.Mode(); {
		case d.IsDir() && mode.Perm()&0o700 != 0o700:
			return os.Chmod(path, 0o755)
		case d.IsDir():
			return nil
		case !mode.IsRegular() || mode&special != 0 || mode.Perm()&0o600 != 0o600 || names(info) > 1:
			return os.Remove(path)
		}
		return nil
	})
}

// Tracked returns how many entries the index of the worktree at dir has, by the index's own header. An index that is
// split counts as empty.
func (t *Trees) Tracked(dir string) (entries int, err error) {
	p, err := t.Site.Place(dir)
	if err != nil {
		return 0, err
	}
	f, err := os.Open(filepath.Join(p.GitDir, "index"))
	if layout.Absent(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var header [12]byte // "DIRC", version, entries
	if _, err := io.ReadFull(f, header[:]); err != nil || string(header[:4]) != "DIRC" {
		return 0, nil //nolint:nilerr // broken, which git reports
	}
	return int(binary.BigEndian.Uint32(header[8:])), nil
}
