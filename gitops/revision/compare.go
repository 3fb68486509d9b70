package revision

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"chant/gitops/gitexec"
)

// Comparison says what to compare: two commits, as far as pathspecs allow.
type Comparison struct {
	From, To string
	Paths    []string // pathspecs
	Tree     string   // the top of the worktree in which pathspecs are meant, "" for home
	Folder   string   // below Tree, where they begin, "" for the top
}

// FileDiff is how much differs in one file.
type FileDiff struct {
	Path    string `json:"path"`
	Old     string `json:"old_path,omitempty"` // where it was, if it was moved
	Added   int    `json:"added"`              // lines
	Removed int    `json:"removed"`            // lines
	Binary  bool   `json:"binary,omitempty"`   // it has no lines
}

// FileDiffs lists the files that differ, in git's order. A file that was moved is one.
func (r *Reader) FileDiffs(ctx context.Context, c Comparison) ([]FileDiff, error) {
	out, err := r.compare(ctx, c, "-z", "--numstat")
	if err != nil {
		return nil, err
	}
	return parseNumstat(string(out))
}

// Patch returns what differs as text that "git apply" reads, except for binary files.
func (r *Reader) Patch(ctx context.Context, c Comparison) ([]byte, error) {
	return r.compare(ctx, c, "--patch")
}

// Diffstat returns a line for each file that differs, and one for all, of at most so many columns.
func (r *Reader) Diffstat(ctx context.Context, c Comparison, width int) ([]byte, error) {
	return r.compare(ctx, c, fmt.Sprintf("--stat=%d", width))
}

// compare runs "git diff" without the programs that settings name.
func (r *Reader) compare(ctx context.Context, c Comparison, form ...string) ([]byte, error) {
	var args []string
	if c.Folder != "" {
		args = append(args, "-C", c.Folder)
	}
	// Prefixes and renames can be set otherwise by the person, and programs that settings name must not run.
	args = append(args, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--src-prefix=a/", "--dst-prefix=b/")
	args = append(append(args, form...), c.From, c.To, "--")
	return r.Git.Run(ctx, gitexec.Call{Dir: cmp.Or(c.Tree, r.Site.Home), Args: append(args, c.Paths...)})
}

// errNumstat is output that is not that of git.
var errNumstat = errors.New("git diff --numstat has another form than expected")

// parseNumstat reads the output of "git diff --numstat -z".
func parseNumstat(out string) ([]FileDiff, error) {
	files := []FileDiff{}
	for out != "" {
		record, rest, ended := strings.Cut(out, "\x00")
		field := strings.SplitN(record, "\t", 3)
		if !ended || len(field) < 3 {
			return nil, errNumstat
		}
		f := FileDiff{Path: field[2], Binary: field[0] == "-" && field[1] == "-"}
		if !f.Binary {
			var err, err2 error
			f.Added, err = strconv.Atoi(field[0])
			f.Removed, err2 = strconv.Atoi(field[1])
			if err != nil || err2 != nil || f.Added < 0 || f.Removed < 0 {
				return nil, errNumstat
			}
		}
		// A file that was moved has an empty path here, and two paths after it.
		if f.Path == "" {
			moved := strings.SplitN(rest, "\x00", 3)
			if len(moved) < 3 {
				return nil, errNumstat
			}
			f.Old, f.Path, rest = moved[0], moved[1], moved[2]
		}
		files, out = append(files, f), rest
	}
	return files, nil
}

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
	// Only what is there afterwards goes into the sum, so that the same work has the same name on another base.
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"diff-tree", "-r", "-z", "--no-renames",
		"--raw", "--no-abbrev", "--ignore-submodules=none", a, b}})
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fields := gitexec.Records(out)
	for i := 0; i+1 < len(fields); i += 2 {
		if mode, content, ok := gitexec.NewSide(fields[i]); ok && !slices.Contains(except, fields[i+1]) {
			// A hash takes everything.
			_, _ = io.WriteString(sum, mode+" "+content+" "+fields[i+1]+"\x00")
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
