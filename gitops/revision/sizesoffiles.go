package revision

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"chant/gitops/gitexec"
)

// FileSize is how much of a file differs between two commits.
type FileSize struct {
	Path    string `json:"path"`
	Added   int    `json:"added"`   // lines
	Removed int    `json:"removed"` // lines
	Binary  bool   `json:"binary,omitempty"`
}

// Pair is two commits, by their full hashes.
type Pair struct{ From, To string }

// SizesOfFiles counts, for each pair, what differs between its commits, file by file in git's order, without what is in
// the folder except. One process of git compares all pairs.
func (r *Reader) SizesOfFiles(ctx context.Context, pairs []Pair, except string) ([][]FileSize, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var input bytes.Buffer
	for _, p := range pairs {
		// The second commit is taken for the parent of the first.
		fmt.Fprintf(&input, "%s %s\n", p.To, p.From)
	}
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Stdin: input.Bytes(), Limit: gitexec.LongLimit, Args: []string{
		"diff-tree", "--stdin", "--always", "-r", "-z", "--no-renames", "--numstat", "--no-show-signature", "--no-notes", "--no-color",
		"--no-ext-diff", "--format=" + touchMark + "%H", "--", ".", ":(exclude,top)" + except,
	}})
	if err != nil {
		return nil, err
	}
	sizes := parseSizes(gitexec.Records(out))
	// A pair that git has skipped would give all later ones the counts of another.
	if len(sizes) != len(pairs) {
		return nil, fmt.Errorf("git compared %d pairs of commits instead of %d", len(sizes), len(pairs))
	}
	return sizes, nil
}

// parseSizes reads records of git: for each pair one that begins with touchMark, then one for each file.
func parseSizes(records []string) [][]FileSize {
	var sizes [][]FileSize
	for _, record := range records {
		// Git separates the records of files from the next commit by a line end.
		record = strings.TrimPrefix(record, "\n")
		if strings.HasPrefix(record, touchMark) {
			sizes = append(sizes, nil)
			continue
		}
		field := strings.SplitN(record, "\t", 3)
		if len(field) < 3 || len(sizes) == 0 {
			continue
		}
		size := FileSize{Path: field[2], Binary: field[0] == "-"}
		// The "-" of a binary file counts as 0.
		size.Added, _ = strconv.Atoi(field[0])
		size.Removed, _ = strconv.Atoi(field[1])
		last := len(sizes) - 1
		sizes[last] = append(sizes[last], size)
	}
	return sizes
}

// ChangeSize is how much differs between two commits.
type ChangeSize struct {
	Files   int `json:"files"`
	Added   int `json:"added"`   // lines; those of binary files are not counted
	Removed int `json:"removed"` // lines
}

// SizeOfChange counts what differs between two commits, by their full hashes, without what is in the folder except.
func (r *Reader) SizeOfChange(ctx context.Context, from, to, except string) (size ChangeSize, err error) {
	pairs, err := r.SizesOfFiles(ctx, []Pair{{from, to}}, except)
	for _, files := range pairs {
		for _, f := range files {
			size = ChangeSize{size.Files + 1, size.Added + f.Added, size.Removed + f.Removed}
		}
	}
	return size, err
}
