package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/stamp"
)

// documentationList is the name of the list of Markdown files in the index.
const documentationList = "documentation in git's index"

// Documentation returns a function that lists the Markdown files that git tracks in home, other than those below Dir,
// sorted by bytes. The function may run beside other calls of the query. The list is taken from the index while git's
// own index file has the same stamp: to read that takes longer than the rest of a search.
func (q *Query) Documentation() (list func(context.Context) ([]string, error)) {
	now := q.clock()
	before := q.stampGitIndex()
	if known, ok := storedFiles(q.View, documentationList); ok && before.Known() && known.Stamp == before {
		return func(context.Context) ([]string, error) { return known.Names, nil }
	}
	return func(ctx context.Context) ([]string, error) {
		tracked, err := q.repo.TrackedFiles(ctx, q.home)
		if err != nil {
			return nil, err
		}
		files := slices.DeleteFunc(tracked, func(file string) bool {
			return strings.HasPrefix(file, Dir+"/") || !strings.HasSuffix(file, ".md")
		})
		files = slices.Clone(slices.Compact(files)) // a file that is not merged is listed several times
		if before.Settled(now) && q.stampGitIndex() == before {
			q.rows.documentation = &storedList{Stamp: before, Names: files}
		}
		return files, nil
	}
}

// stampGitIndex returns the stamp of the file in which git keeps what it tracks in home, zero if there is none.
func (q *Query) stampGitIndex() stamp.Stamp {
	dir, err := q.repo.GitDir(q.home)
	if err != nil {
		return stamp.Stamp{}
	}
	info, err := os.Lstat(filepath.Join(dir, "index"))
	if err != nil {
		return stamp.Stamp{}
	}
	return stamp.Of(info)
}
