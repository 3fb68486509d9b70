package revision

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"chant/gitops/gitexec"
)

// WorkID names what leads from one commit to another: the same paths with the same
// content in place of others have the same name, wherever they begin. Paths in except
// are left out.
func (r *Reader) WorkID(ctx context.Context, from, to string, except ...string) (string, error) {
	a, err := r.TreeOf(ctx, from)
	if err != nil {
		return "", err
	}
	b, err := r.TreeOf(ctx, to)
	if err != nil {
		return "", err
	}
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"diff-tree", "-r", "-z", "--no-renames",
		"--raw", "--no-abbrev", "--ignore-submodules=none", a, b}})
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fields := gitexec.Records(out)
	for i := 0; i+1 < len(fields); i += 2 {
		if mode, content, ok := gitexec.NewSide(fields[i]); ok && !slices.Contains(except, fields[i+1]) {
			_, _ = io.WriteString(sum, mode+" "+content+" "+fields[i+1]+"\x00") // a hash takes everything
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
