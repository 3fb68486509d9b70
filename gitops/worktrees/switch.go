package worktrees

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// ErrUnclean says that a worktree shows changes where none may be.
var ErrUnclean = errors.New("the worktree is not clean")

// Switch gives the linked worktree at dir another commit, on no branch: tracked files become those
// of the commit, only differing ones are written; what is neither tracked nor ignored goes,
// repositories inside it too; ignored files stay.
func (t *Trees) Switch(ctx context.Context, dir, commit string) error {
	p, hash, err := t.linked(ctx, dir, commit)
	if err != nil {
		return err
	}
	run := func(args ...string) ([]byte, error) {
		return t.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args, Limit: gitexec.LongLimit, Settings: []string{"core.fsmonitor=false", "core.untrackedCache=false"}})
	}
	if _, err := run("checkout", "-q", "-f", "--detach", hash); err != nil {
		return err
	}
	look := []string{"status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=none"}
	out, err := run(look...)
	if err == nil && len(out) == 0 {
		return t.markCheckout(ctx, p)
	}
	if err != nil {
		return err
	}
	if _, err := run("clean", "-q", "-ff", "-d"); err != nil {
		return err
	}
	if out, err = run(look...); err == nil && len(out) > 0 {
		shown, _, _ := bytes.Cut(out, []byte{0})
		err = fmt.Errorf("%q still shows %q: %w", p.Top, shown, ErrUnclean)
	}
	if err != nil {
		return err
	}
	return t.markCheckout(ctx, p)
}

// Particular says what is particular to the worktree at dir, so that it could hide changes from git
// or fit another commit badly: settings of its own, a sparse checkout, flags in its index,
// submodules, something that was not ended.
func (t *Trees) Particular(ctx context.Context, dir string) (string, error) {
	p, err := t.Site.Place(dir)
	if err != nil {
		return "", err
	}
	for _, name := range []string{
		"config.worktree", filepath.Join("info", "sparse-checkout"), "modules",
		"rebase-merge", "rebase-apply", "sequencer", "MERGE_HEAD", "BISECT_LOG",
	} {
		if _, err := os.Lstat(filepath.Join(p.GitDir, name)); !errors.Is(err, fs.ErrNotExist) {
			return filepath.ToSlash(name), err
		}
	}
	out, err := t.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "-s", "-v", "-z"}})
	if err != nil {
		return "", err
	}
	for _, record := range gitexec.Records(out) { // "tag mode hash stage<TAB>path"
		if plain := strings.HasPrefix(record, "H "); !plain || strings.HasPrefix(record, "H "+objectstore.ModeSubmodule+" ") {
			_, path, _ := strings.Cut(record, "\t")
			return fmt.Sprintf("the index entry of %q", path), nil
		}
	}
	return "", nil
}

// linked returns the place of a linked worktree and the hash of a commit for it. The main worktree is refused.
func (t *Trees) linked(ctx context.Context, dir, commit string) (p layout.Place, hash string, err error) {
	if err := refuseLink(dir); err != nil {
		return p, "", err
	}
	if p, err = t.Site.Place(dir); err != nil {
		return p, "", err
	}
	if p.GitDir == t.Site.Common {
		return p, "", fmt.Errorf("%q is the main worktree and stays as it is", p.Top)
	}
	hash, err = t.Revs.Resolve(ctx, commit)
	return p, hash, err
}
