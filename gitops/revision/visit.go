package revision

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"chant/gitops/gitexec"
)

// Window is a range of times of commits. Times outside of the years 1971 to 2099 do not limit it.
type Window struct{ Since, Until time.Time }

// The numbers of commits that Visit reads at once: few at first, since most callers need only the newest.
const (
	firstVisit = 256
	mostVisit  = 4096
)

// Visit calls see with each commit reachable from tips in a window, newest first, with the files that it changed in a
// folder, which may be none, until see returns false. A merge changed what it has differently from all of its parents.
// Commits behind one that is older than the window are not looked for. Commits that tips gain or lose meanwhile may be
// missing.
func (r *Reader) Visit(ctx context.Context, tips []string, w Window, folder string, see func(Touch) bool) error {
	if len(tips) == 0 {
		return nil
	}
	args := []string{"rev-list"}
	if readable(w.Since) {
		args = append(args, "--since="+w.Since.UTC().Format(time.RFC3339))
	}
	if readable(w.Until) {
		args = append(args, "--until="+w.Until.UTC().Format(time.RFC3339))
	}
	for skip, most := 0, firstVisit; ; skip, most = skip+most, min(2*most, mostVisit) {
		call := append(args[:len(args):len(args)], "--skip="+strconv.Itoa(skip), "--max-count="+strconv.Itoa(most), "--stdin")
		commits, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: call, Stdin: lines(tips), Limit: gitexec.LongLimit})
		if err != nil || len(commits) == 0 {
			return err
		}
		touches, err := r.touchesBeside(ctx, commits, folder, true)
		if err != nil {
			return err
		}
		for _, t := range touches {
			if !see(t) {
				return nil
			}
		}
		if bytes.Count(commits, []byte("\n")) < most {
			return nil
		}
	}
}

// readable reports whether git reads a time as it is written; others do not limit a window.
func readable(t time.Time) bool { return t.Year() > 1970 && t.Year() < 2100 }

// lines joins texts to lines.
func lines(texts []string) []byte {
	var out bytes.Buffer
	for _, text := range texts {
		out.WriteString(text + "\n")
	}
	return out.Bytes()
}
