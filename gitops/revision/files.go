package revision

import (
	"context"
	"fmt"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// Files lists every file of a commit or tree in order of their paths, which are what
// Name holds. A submodule is an entry too, with the commit that it stands at.
func (r *Reader) Files(ctx context.Context, rev string) ([]objectstore.Entry, error) {
	tree, err := r.TreeOf(ctx, rev)
	if err != nil {
		return nil, err
	}
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"ls-tree", "-r", "-z", "--full-tree", tree}})
	if err != nil {
		return nil, err
	}
	var files []objectstore.Entry
	for _, line := range gitexec.Records(out) {
		info, name, ok := strings.Cut(line, "\t")
		fields := strings.Fields(info)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree: line %q is none of its own", line)
		}
		files = append(files, objectstore.Entry{Name: name, Hash: fields[2], Mode: fields[0]})
	}
	return files, nil
}
