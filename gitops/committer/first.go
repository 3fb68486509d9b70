package committer

import (
	"context"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// FirstCommit gives a branch that has no commit yet one without files; index and files stay as they
// are. Errors: ErrNoIdentity, ErrChanged when another process was faster.
func (w *Committer) FirstCommit(ctx context.Context, branch, message string) (string, error) {
	tree, err := w.Git.Run(ctx, gitexec.Call{Dir: w.Site.Home, Args: []string{"hash-object", "-t", "tree", "-w", "--stdin"}, Stdin: []byte{}, Write: true})
	if err != nil {
		return "", err
	}
	hash, err := w.CommitTree(ctx, strings.TrimSpace(string(tree)), nil, message)
	if err != nil {
		return "", err
	}
	return hash, w.Refs.UpdateRef(ctx, layout.Heads+branch, hash, "", "chant: first commit")
}
