package gitops

import (
	"context"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// FirstCommit gives a branch that has no commit yet one without files; index and files stay as they
// are. Errors: ErrNoIdentity, ErrChanged when another process was faster.
func (r *Repo) FirstCommit(ctx context.Context, branch, message string) (string, error) {
	tree, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"hash-object", "-t", "tree", "-w", "--stdin"}, Stdin: []byte{}, Write: true})
	if err != nil {
		return "", err
	}
	hash, err := r.CommitTree(ctx, strings.TrimSpace(string(tree)), nil, message)
	if err != nil {
		return "", err
	}
	return hash, r.UpdateRef(ctx, layout.Heads+branch, hash, "", "chant: first commit")
}
