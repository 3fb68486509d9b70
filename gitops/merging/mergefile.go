package merging

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"chant/gitops/gitexec"
)

// MergeFile merges three versions of one file line by line. conflict tells that the
// result holds conflict markers.
func (mr *Merger) MergeFile(ctx context.Context, base, ours, theirs []byte) (merged []byte, conflict bool, err error) {
	dir, err := os.MkdirTemp("", "chant-merge-")
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{"merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs"}
	for _, v := range []struct {
		name string
		text []byte
	}{{"ours", ours}, {"base", base}, {"theirs", theirs}} {
		path := filepath.Join(dir, v.name)
		if err := os.WriteFile(path, v.text, 0o600); err != nil {
			return nil, false, err
		}
		args = append(args, path)
	}
	out, err := mr.Git.Run(ctx, gitexec.Call{Dir: mr.Site.Home, Args: args})
	if code := gitexec.ExitCode(err); code > 0 && code < 128 { // the number of conflicts
		return out, true, nil
	}
	return out, false, err
}
