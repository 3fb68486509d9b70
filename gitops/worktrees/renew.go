package worktrees

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/revision"
)

// ErrOtherCheckout says that a new worktree could have other files, since the settings or attributes that change what a
// checkout writes are others now.
var ErrOtherCheckout = errors.New("settings or attributes for checkouts have changed since")

// Renew gives the linked worktree at dir the files of a commit, on no branch, as if it was new: git compares the
// content of every file instead of what its index says, and all other files go, ignored ones and repositories too.
// Files with equal content stay, with one time, unless ErrOtherCheckout. What git keeps of the worktree alone goes,
// too.
func (t *Trees) Renew(ctx context.Context, dir, commit string) error {
	p, hash, err := t.linked(ctx, dir, commit)
	if err != nil {
		return err
	}
	if err := t.checkCheckout(ctx, p, hash); err != nil {
		return err
	}
	// An index can be written so that git takes a changed file for an unchanged one.
	if err := clearGitDir(p); err != nil {
		return err
	}
	run := func(args ...string) ([]byte, error) {
		return t.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: args, Limit: gitexec.LongLimit,
			Settings: []string{"core.fsmonitor=false", "core.untrackedCache=false", "core.splitIndex=false", "core.ignoreStat=false"}})
	}
	if _, err := run("read-tree", hash); err != nil {
		return err
	}
	want, err := t.wantedFiles(ctx, p, hash)
	if err != nil {
		return err
	}
	if err := want.removeUnlike(p.Top, time.Now()); err != nil {
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

// checkoutMark is the file, in the git folder of a worktree, that names the settings by which its files were written.
const checkoutMark = "chant-checkout"

// markCheckout writes that file.
func (t *Trees) markCheckout(ctx context.Context, p layout.Place) error {
	settings, err := t.checkoutSettings(ctx)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.GitDir, checkoutMark), []byte(settings), 0o600)
}

// checkCheckout checks that a checkout would write the files that a worktree and a commit have in common as they are.
func (t *Trees) checkCheckout(ctx context.Context, p layout.Place, commit string) error {
	settings, err := t.checkoutSettings(ctx)
	if err != nil {
		return err
	}
	if was, err := layout.ReadPlain(filepath.Join(p.GitDir, checkoutMark)); err != nil || string(was) != settings {
		return ErrOtherCheckout
	}
	head, err := t.Refs.HeadOf(ctx, p)
	if err != nil {
		return err
	}
	changes, err := t.Revs.Diff(ctx, head.Hash, commit)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(changes, func(c revision.Change) bool { return path.Base(c.Path) == ".gitattributes" }) {
		return ErrOtherCheckout
	}
	return nil
}

// checkoutSettings identifies the settings that change what a checkout writes, and attributes that are in no commit.
func (t *Trees) checkoutSettings(ctx context.Context) (string, error) {
	how, err := t.Config.Summary(ctx)
	if err != nil {
		return "", err
	}
	attributes, err := layout.ReadPlain(filepath.Join(t.Site.Common, "info", "attributes"))
	if err != nil && !layout.Absent(err) {
		return "", err
	}
	sum := sha256.Sum256([]byte(how.Checkout + "\x00" + string(attributes)))
	return hex.EncodeToString(sum[:]), nil
}
