package weakened

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"chant/engine/evidence/criteria"
	"chant/engine/store/touched"
	"chant/gitops"
)

// Limits of what is compared. Files of tests and their settings come first, so that a large change hides none of them.
const (
	maxFiles = 2000
	maxLines = 20_000 // that were added or removed
)

// Found is what a change of commits weakens.
type Found struct {
	Findings []criteria.Weakened
	Cut      string // what was not compared, as a sentence; "" if everything was
}

// Between returns what the commits after one up to another weaken, without what is in .chant.
func Between(ctx context.Context, repo *gitops.Repo, from, to string, commands []string) (Found, error) {
	diff, err := repo.Diff(ctx, from, to)
	if err != nil {
		return Found{}, err
	}
	diff = slices.DeleteFunc(diff, func(c gitops.Change) bool {
		return touched.InChant(c.Path) || c.Link || c.WasLink || c.Gitlink || c.WasGitlink
	})
	rank := func(c gitops.Change) int {
		switch {
		case isTestPath(c.Path):
			return 0
		case groupOfPath(c.Path) != plain:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(diff, func(a, b gitops.Change) int { return cmp.Compare(rank(a), rank(b)) })
	change := Change{Commands: commands}
	out, lines := Found{}, 0
	for i, c := range diff {
		if i == maxFiles || lines > maxLines {
			out.Cut = fmt.Sprintf("%d of %d changed files were compared for weakened checks (at most %d files and %d lines are)", i, len(diff), maxFiles, maxLines)
			break
		}
		file := File{Path: c.Path}
		if file.Before, err = readSide(ctx, repo, from, c, 'A'); err != nil {
			return Found{}, err
		}
		if file.After, err = readSide(ctx, repo, to, c, 'D'); err != nil {
			return Found{}, err
		}
		if !isOpaque(file.Before) && !isOpaque(file.After) {
			lines += len(changedLines(string(file.Before), string(file.After))) + len(changedLines(string(file.After), string(file.Before)))
		}
		change.Files = append(change.Files, file)
	}
	change.Files = joinMoved(change.Files)
	out.Findings, err = Find(ctx, change)
	return out, err
}

// readSide reads a file of a commit, nil if the change has the status with which that commit lacks it.
func readSide(ctx context.Context, repo *gitops.Repo, rev string, c gitops.Change, without byte) ([]byte, error) {
	if c.Status == without {
		return nil, nil
	}
	src, err := repo.ReadFile(ctx, rev, c.Path)
	// A file that has become a folder, or was one.
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if src == nil && err == nil {
		src = []byte{}
	}
	return src, err
}

// maxMoved limits how many pairs of files are compared to find those that were moved: a change that renames a folder has
// as many as their square. Tests that were moved are found by their names all the same.
const maxMoved = 2000

// joinMoved makes one file of two of which one is gone and the other one new, with most of its text and the same ending.
func joinMoved(files []File) []File {
	out := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.After == nil })
	tries := 0
	for _, gone := range files {
		if gone.After != nil {
			continue
		}
		at := slices.IndexFunc(out, func(f File) bool {
			if f.Before == nil && bytes.Equal(f.After, gone.Before) {
				return true
			}
			if f.Before != nil || path.Ext(f.Path) != path.Ext(gone.Path) || len(gone.Before) > MaxBytes/16 || len(f.After) > 2*len(gone.Before) || tries == maxMoved {
				return false
			}
			tries++
			return alike(string(gone.Before), string(f.After)) > 0.6
		})
		if at < 0 {
			out = append(out, gone)
			continue
		}
		out[at].Old, out[at].Before = gone.Path, gone.Before
	}
	return out
}
