package gitindex

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
)

// StatusEntry is one path that is not clean. Code is git's two letters: the first for
// index against commit, the second for disk against index, "??" for untracked.
type StatusEntry struct{ Code, Path string }

// Status lists what is changed, staged or untracked in the worktree whose top is dir; a
// rename shows as a removal and an addition. With paths, slash-separated from the top, only
// what lies at or below them. It takes no lock. Errors: ErrNotRepository when dir is not
// (any more) that worktree.
func (x *Index) Status(ctx context.Context, dir string, paths ...string) ([]StatusEntry, error) {
	return x.status(ctx, gitexec.Call{}, dir, paths...)
}

// FaithfulStatus is Status of a worktree whose files are as the commit alone has them, whatever settings would make of
// them.
func (x *Index) FaithfulStatus(ctx context.Context, dir string) ([]StatusEntry, error) {
	how := gitexec.Call{}
	how.Settings, how.Env = gitconfig.Faithful()
	return x.status(ctx, how, dir)
}

// status is Status with the settings and variables of how.
func (x *Index) status(ctx context.Context, how gitexec.Call, dir string, paths ...string) ([]StatusEntry, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	// Renames would give records of two paths, and without "all" git shows an untracked folder as one entry.
	args := []string{"--literal-pathspecs", "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--"}
	how.Dir, how.Args = p.Top, append(args, paths...)
	out, err := x.Patiently(ctx, p, how)
	if err != nil {
		return nil, err
	}
	var entries []StatusEntry
	for _, record := range gitexec.Records(out) {
		if len(record) > 3 {
			entries = append(entries, StatusEntry{Code: record[:2], Path: record[3:]})
		}
	}
	return entries, nil
}

// Hidden lists the tracked files of the worktree at dir that git is set not to look at
// (assume-unchanged, and skip-worktree outside of a sparse checkout): Status says nothing
// of them. Errors as Status.
func (x *Index) Hidden(ctx context.Context, dir string) ([]string, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	out, err := x.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "-v", "-z"}})
	if err != nil {
		return nil, err
	}
	var hidden, skipped []string
	for _, record := range gitexec.Records(out) {
		switch tag, path, _ := strings.Cut(record, " "); {
		case tag == "S":
			skipped = append(skipped, path)
		// Git marks assume-unchanged by a small letter; "?" is not a letter.
		case strings.ToLower(tag) == tag && tag != "?":
			hidden = append(hidden, path)
		}
	}
	if len(skipped) == 0 {
		return hidden, nil
	}
	// In a sparse checkout, the mark only says that the file is left out, as the person asked for.
	if sparse, err := x.Config.Bool(ctx, p.Top, "core.sparseCheckout"); err != nil || sparse {
		return hidden, err
	}
	return append(hidden, skipped...), nil
}

// Skipped lists the tracked files below a folder that git leaves out of the worktree at dir, or is set not to look at there
// (skip-worktree). It starts no process where the index has no room for that mark, as most have.
func (x *Index) Skipped(ctx context.Context, dir, folder string) ([]string, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	// The mark needs version 3 of the format, which git writes only where it is used.
	if version, err := indexVersion(filepath.Join(p.GitDir, "index")); err != nil || version < 3 {
		return nil, err
	}
	out, err := x.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"--literal-pathspecs", "ls-files", "-t", "-z", "--", folder}})
	var skipped []string
	for _, record := range gitexec.Records(out) {
		if path, ok := strings.CutPrefix(record, "S "); ok {
			skipped = append(skipped, path)
		}
	}
	return skipped, err
}

// indexVersion reads the version of an index file; 0 without one, or of what is none.
func indexVersion(path string) (uint32, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var head [8]byte // "DIRC" and the version
	n, err := io.ReadFull(file, head[:])
	if n < len(head) || string(head[:4]) != "DIRC" {
		// Git reports what is wrong with it.
		return 0, file.Close()
	}
	return binary.BigEndian.Uint32(head[4:]), errors.Join(err, file.Close())
}
