package revision

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// Touch is a commit and the files that it changed.
type Touch struct {
	objectstore.Commit
	Files []FileChange
}

// FileChange is a file with the ids of its blobs before and after a commit, "" where it did not exist.
type FileChange struct{ Path, Old, New string }

// Touches lists the commits reachable from to and not from from ("" for all) that changed files in a folder, with
// these files, oldest first. A merge changed what it has differently from all of its parents. A renamed file is two
// changes. A few commits in a line are read in process.
func (r *Reader) Touches(ctx context.Context, from, to, folder string) ([]Touch, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	// By dates alone, a child may be older than its parent: clocks differ.
	args := []string{"rev-list", "--topo-order", tip}
	if from != "" {
		base, err := r.Resolve(ctx, from)
		if err != nil {
			return nil, err
		}
		if commits, known := r.nearLog(ctx, base, tip); known {
			return r.touchesOf(ctx, commits, folder)
		}
		args = append(args, "^"+base)
	}
	// "git log -- folder" compares the trees of each commit twice: to select commits, and to print what changed.
	commits, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: args, Limit: gitexec.LongLimit})
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	touches, err := r.touchesBeside(ctx, commits, folder)
	slices.Reverse(touches)
	return touches, err
}

// Recent lists the newest commits reachable from to that are no merges and changed files, at most so many, with these
// files, newest first. Errors: ErrNotFound.
func (r *Reader) Recent(ctx context.Context, to string, most int) ([]Touch, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	commits, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"rev-list", "--no-merges", "--max-count=" + strconv.Itoa(most), tip}, Limit: gitexec.LongLimit})
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	return r.touchesBeside(ctx, commits, ".")
}

// touchesBeside compares the trees of commits, one in each line, by several processes of git side by side. The result is
// in the order of the lines.
func (r *Reader) touchesBeside(ctx context.Context, commits []byte, folder string) ([]Touch, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// One process of git compares on one processor only.
	parts := split(commits, min(runtime.NumCPU(), maxBeside))
	found := make([][]Touch, len(parts))
	var running sync.WaitGroup
	for i, part := range parts {
		running.Go(func() {
			out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Stdin: part, Limit: gitexec.LongLimit, Args: []string{
				"diff-tree", "--stdin", "--root", "-r", "-z", "-c", "--raw", "--no-abbrev", "--no-renames", "--no-show-signature", "--no-notes",
				"--no-color", "--no-ext-diff", "--encoding=UTF-8", "--format=" + touchMark + "%H%n%P%n%T%n%an <%ae>%n%ct%n%B", "--", folder,
			}})
			if err != nil {
				// The first failure ends the others, whose results are of no use then.
				cancel(err)
				return
			}
			found[i] = parseTouches(gitexec.Records(out))
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// A walk is divided among at most maxBeside processes, and only so that each gets fullPart bytes of commits or more.
const (
	maxBeside = 8
	fullPart  = 20 << 10
)

// split divides lines into at most n parts of about the same size.
func split(lines []byte, n int) [][]byte {
	n = max(1, min(n, len(lines)/fullPart))
	size := len(lines)/n + 1
	var parts [][]byte
	for len(lines) > size {
		// A part ends at the end of a line, so that no hash is cut.
		end := size + bytes.IndexByte(lines[size:], '\n') + 1
		parts, lines = append(parts, lines[:end]), lines[end:]
	}
	if len(lines) > 0 {
		parts = append(parts, lines)
	}
	return parts
}

// touchMark begins the record of a commit among those of files.
const touchMark = "\x01"

// parseTouches reads records of git: for each commit one that begins with touchMark, and for each file one with modes
// and ids, followed by its path. Commits without files are left out.
func parseTouches(records []string) []Touch {
	var touches []Touch
	var now Touch
	add := func() {
		if len(now.Files) > 0 {
			touches = append(touches, now)
		}
	}
	for len(records) > 0 {
		record := strings.TrimPrefix(records[0], "\n")
		records = records[1:]
		commit, begins := strings.CutPrefix(record, touchMark)
		switch {
		case begins:
			add()
			now = Touch{Commit: objectstore.ParseRecord(commit)}
		case strings.HasPrefix(record, ":") && len(records) > 0:
			if old, next, ok := rawIDs(record); ok {
				now.Files = append(now.Files, FileChange{Path: records[0], Old: old, New: next})
			}
			// The path is a record of its own and is skipped even if the one before could not be read.
			records = records[1:]
		}
	}
	add()
	return touches
}

// rawIDs returns the ids of a raw record: as many colons as there are parents, a mode for each parent and one for the
// commit, as many ids, and letters. What is not a file has no id.
func rawIDs(record string) (old, next string, ok bool) {
	rest := strings.TrimLeft(record, ":")
	n := len(record) - len(rest) + 1
	fields := strings.Fields(rest)
	if len(fields) != 2*n+1 {
		return "", "", false
	}
	return fileID(fields[0], fields[n]), fileID(fields[n-1], fields[2*n-1]), true
}

func fileID(mode, id string) string {
	if mode == objectstore.ModeFile || mode == objectstore.ModeExecutable {
		return id
	}
	return ""
}

// touchesOf reads what commits with one parent each, the newest first, changed in a folder; it returns the oldest first.
func (r *Reader) touchesOf(ctx context.Context, commits []objectstore.Commit, folder string) ([]Touch, error) {
	var touches []Touch
	for _, c := range slices.Backward(commits) {
		before, err := r.folderOf(ctx, c.Parents[0], folder)
		if err != nil {
			return nil, err
		}
		after, err := r.folderOf(ctx, c.Hash, folder)
		if err != nil {
			return nil, err
		}
		var files []FileChange
		err = r.diffTrees(ctx, before, after, folder+"/", func(path string, old, now objectstore.Entry) {
			// A change of permissions alone leaves the content as it was.
			if f := (FileChange{Path: path, Old: fileID(old.Mode, old.Hash), New: fileID(now.Mode, now.Hash)}); f.Old != f.New {
				files = append(files, f)
			}
		})
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			touches = append(touches, Touch{c, files})
		}
	}
	return touches, nil
}

// folderOf returns the tree of a folder in a commit, "" if there is none.
func (r *Reader) folderOf(ctx context.Context, commit, folder string) (string, error) {
	tree, err := r.TreeOf(ctx, commit)
	if err != nil {
		return "", err
	}
	for name := range strings.SplitSeq(folder, "/") {
		entry, ok, err := r.Objects.Child(ctx, tree, name)
		if err != nil || !ok || !entry.Dir {
			return "", err
		}
		tree = entry.Hash
	}
	return tree, nil
}
