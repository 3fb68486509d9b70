package revision

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// Window is a range of times of commits. Times outside of the years 1971 to 2099 do not limit it.
type Window struct{ Since, Until time.Time }

// Visit says which commits are visited.
type Visit struct {
	Tips []string // ids of commits from which they are reachable
	Window
	Folder string                          // of the files that are read
	Files  func(c objectstore.Commit) bool // whether the files of a commit are read; nil for all
}

// The numbers of commits that Visit reads at once: few at first, since most callers need only the newest.
const (
	firstVisit = 256
	maxVisit   = 4096
)

// VisitCommits calls see with each commit, newest first, with the files that it changed, which may be none, until see returns
// false. A merge changed what it has differently from all of its parents. Commits behind one that is older than the
// window are not looked for. Commits that the tips gain or lose meanwhile may be missing.
func (r *Reader) VisitCommits(ctx context.Context, v Visit, see func(Touch) bool) error {
	if len(v.Tips) == 0 {
		return nil
	}
	// Few commits are read at first, since most callers need only the newest.
	for skip, most := 0, firstVisit; ; skip, most = skip+most, min(2*most, maxVisit) {
		commits, err := r.page(ctx, v, skip, most)
		if err != nil {
			return err
		}
		if err := r.addFiles(ctx, v, commits); err != nil {
			return err
		}
		for _, t := range commits {
			if !see(t) {
				return nil
			}
		}
		// Fewer than asked for means that there are no more.
		if len(commits) < most {
			return nil
		}
	}
}

// page reads commits without their files.
func (r *Reader) page(ctx context.Context, v Visit, skip, most int) ([]Touch, error) {
	args := []string{
		"rev-list", "--no-commit-header", "--encoding=UTF-8", "--format=%x00%H%n%P%n%T%n%an <%ae>%n%ct%n%B",
		"--skip=" + strconv.Itoa(skip), "--max-count=" + strconv.Itoa(most), "--stdin",
	}
	// Git reads years outside of this range as something else than a date.
	if isReadable(v.Since) {
		args = append(args, "--since="+v.Since.UTC().Format(time.RFC3339))
	}
	if isReadable(v.Until) {
		args = append(args, "--until="+v.Until.UTC().Format(time.RFC3339))
	}
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: args, Stdin: []byte(strings.Join(v.Tips, "\n") + "\n"), Limit: gitexec.LongLimit})
	if err != nil {
		return nil, err
	}
	var commits []Touch
	// The message is last, and can have any bytes but NUL.
	for record := range strings.SplitSeq(string(out), "\x00") {
		if record != "" {
			commits = append(commits, Touch{Commit: objectstore.ParseRecord(strings.TrimSuffix(record, "\n"))})
		}
	}
	return commits, nil
}

// addFiles reads the files of those commits of which they are asked for.
func (r *Reader) addFiles(ctx context.Context, v Visit, commits []Touch) error {
	var wanted bytes.Buffer
	for _, c := range commits {
		if v.Files == nil || v.Files(c.Commit) {
			wanted.WriteString(c.Hash + "\n")
		}
	}
	if wanted.Len() == 0 {
		return nil
	}
	touches, err := r.touchesBeside(ctx, wanted.Bytes(), v.Folder)
	if err != nil {
		return err
	}
	// Both lists are in the same order.
	at := 0
	for _, t := range touches {
		for at < len(commits) && commits[at].Hash != t.Hash {
			at++
		}
		if at == len(commits) {
			return fmt.Errorf("git lists commit %s, which was not asked for", t.Hash)
		}
		commits[at].Files = t.Files
	}
	return nil
}

// isReadable reports whether git reads a time as it is written; others do not limit a window.
func isReadable(t time.Time) bool { return t.Year() > 1970 && t.Year() < 2100 }
