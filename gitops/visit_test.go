package gitops

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// imported adds commits to the branch trunk by git fast-import: one each minute from a time on, every tenth with a file
// in the folder f. It returns the tip.
func (s *sandbox) imported(n int, from time.Time) string {
	s.t.Helper()
	var in strings.Builder
	for i := range n {
		message := fmt.Sprintf("commit %d\n\nNumber: %d\n", i, i)
		fmt.Fprintf(&in, "commit refs/heads/trunk\ncommitter Ada <ada@example.com> %d +0000\ndata %d\n%s\n", from.Unix()+int64(60*i), len(message), message)
		if i == 0 {
			in.WriteString("from refs/heads/trunk^0\n")
		}
		if i%10 == 0 {
			text := fmt.Sprint(i)
			fmt.Fprintf(&in, "M 100644 inline f/%d\ndata %d\n%s\n", i, len(text), text)
		}
	}
	c := exec.CommandContext(s.t.Context(), "git", "fast-import", "--quiet", "--force")
	c.Dir, c.Stdin = s.top, strings.NewReader(in.String())
	if out, err := c.CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	return s.git("rev-parse", "trunk")
}

// TestVisit reads commits in several parts: all, none twice, newest first, with their files.
func TestVisit(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	from := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	const n = 900
	tip := s.imported(n, from)
	visit := func(w Window, most int) (subjects []string, files int) {
		t.Helper()
		v := Visit{Tips: []string{tip, s.git("rev-parse", "trunk~5")}, Window: w, Folder: "f"}
		err := s.VisitCommits(ctx, v, func(c Touch) bool {
			subjects, files = append(subjects, c.Subject), files+len(c.Files)
			return len(subjects) < most
		})
		assert.NoError(t, err)
		return subjects, files
	}
	all, files := visit(Window{}, n)
	for i, subject := range all {
		assert.Equal(t, fmt.Sprintf("commit %d", n-1-i), subject, "commit %d", i)
	}
	assert.Equal(t, n, len(all))
	assert.Equal(t, n/10, files)
	some, withFiles := 0, Visit{Tips: []string{tip}, Folder: "f", Files: func(c Commit) bool { return strings.HasSuffix(c.Subject, "00") }}
	assert.NoError(t, s.VisitCommits(ctx, withFiles, func(c Touch) bool { some += len(c.Files); return true }))
	assert.Equal(t, 8, some)
	if some, _ := visit(Window{}, 3); len(some) != 3 {
		t.Errorf("%q, although the caller had enough", some)
	}
	at := func(i int) time.Time { return from.Add(time.Duration(i) * time.Minute) }
	if some, _ := visit(Window{Since: at(800)}, n); len(some) != 100 || some[99] != "commit 800" {
		t.Errorf("%d since a time", len(some))
	}
	if some, _ := visit(Window{Since: at(800), Until: at(805)}, n); strings.Join(some, " ") != "commit 805 commit 804 commit 803 commit 802 commit 801 commit 800" {
		t.Errorf("%q in a window", some)
	}
	assert.NoError(t, s.VisitCommits(ctx, Visit{Folder: "f"}, func(Touch) bool { t.Error("a commit of nothing"); return true }))
	if err := s.VisitCommits(ctx, Visit{Tips: []string{strings.Repeat("1", 40)}}, func(Touch) bool { return true }); err == nil {
		t.Error("a tip that does not exist was visited")
	}
}
