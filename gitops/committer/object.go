package committer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// commitTree writes a commit object: in process if that gives what "git commit-tree" writes, else by that command.
func (w *Committer) commitTree(ctx context.Context, tree string, parents []string, message string, how gitconfig.Summary) (string, error) {
	text := strings.TrimRight(message, "\n") + "\n"
	if w.Objects.WritesHere() && !how.Sign && !how.ByGit && utf8.ValidString(text) && !strings.Contains(text, "\x00") {
		if err := w.checkKinds(ctx, tree, parents); err != nil {
			return "", err
		}
		return w.Objects.WriteCommit(encodeCommit(tree, parents, text, how, time.Now()))
	}
	args := []string{"commit-tree"}
	if how.Sign {
		args = append(args, "-S")
	}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	out, err := w.Git.Run(ctx, gitexec.Call{Dir: w.Site.Home, Args: append(args, "-F", "-", tree), Stdin: []byte(text), Write: true})
	var failed *gitexec.Error
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "tell me who you are") || strings.Contains(failed.Stderr, "empty ident name")) {
		err = fmt.Errorf("%w: %w", gitconfig.ErrNoIdentity, err)
	}
	return strings.TrimSpace(string(out)), err
}

// checkKinds checks that a tree and the parents of a commit exist and are what they must be.
func (w *Committer) checkKinds(ctx context.Context, tree string, parents []string) error {
	for i, hash := range append([]string{tree}, parents...) {
		want := objectstore.KindCommit
		if i == 0 {
			want = objectstore.KindTree
		}
		kind, _, err := w.Objects.Read(ctx, hash)
		if err == nil && kind != want {
			err = fmt.Errorf("object %q is a %s, not a %s", hash, kind, want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// encodeCommit returns a commit object as git writes it.
func encodeCommit(tree string, parents []string, message string, how gitconfig.Summary, now time.Time) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "tree %s\n", tree)
	for _, parent := range parents {
		fmt.Fprintf(&out, "parent %s\n", parent)
	}
	when := fmt.Sprintf("%d %s", now.Unix(), now.Format("-0700"))
	fmt.Fprintf(&out, "author %s %s\ncommitter %s %s\n\n%s", how.Author, when, how.Committer, when, message)
	return []byte(out.String())
}
