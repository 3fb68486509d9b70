package store

import (
	"context"
	"slices"
	"strings"
)

// Documentation lists the Markdown files that git tracks in home, other than those below Dir, sorted by bytes. It may be
// called beside other methods.
func (q *Query) Documentation(ctx context.Context) ([]string, error) {
	tracked, err := q.repo.TrackedFiles(ctx, q.home)
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(tracked, func(file string) bool {
		return strings.HasPrefix(file, Dir+"/") || !strings.HasSuffix(file, ".md")
	})
	return slices.Clone(slices.Compact(files)), nil // a file that is not merged is listed several times
}
