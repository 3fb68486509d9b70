package revision

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"chant/gitops/gitexec"
)

// ChangeSize is how much differs between two commits.
type ChangeSize struct {
	Files   int `json:"files"`
	Added   int `json:"added"`   // lines; those of binary files are not counted
	Removed int `json:"removed"` // lines
}

// SizeOfChange counts what differs between two commits, without what is in the folder
// except, "" for none.
func (r *Reader) SizeOfChange(ctx context.Context, from, to, except string) (ChangeSize, error) {
	a, err := r.TreeOf(ctx, from)
	if err != nil {
		return ChangeSize{}, err
	}
	b, err := r.TreeOf(ctx, to)
	if err != nil {
		return ChangeSize{}, err
	}
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"diff-tree", "-r", "-z", "--no-renames", "--numstat", a, b}})
	if err != nil {
		return ChangeSize{}, err
	}
	var size ChangeSize
	for record := range bytes.SplitSeq([]byte(out), []byte{0}) {
		field := strings.SplitN(string(record), "\t", 3)
		if len(field) < 3 || except != "" && strings.HasPrefix(field[2], except+"/") {
			continue
		}
		size.Files++
		if n, err := strconv.Atoi(field[0]); err == nil {
			size.Added += n
		}
		if n, err := strconv.Atoi(field[1]); err == nil {
			size.Removed += n
		}
	}
	return size, nil
}
