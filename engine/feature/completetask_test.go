package feature

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// listed is a project on the branch of a feature with a list of tasks.
func listed(t *testing.T, tasks string) (*engine.Project, string, string) {
	t.Helper()
	_, dir := enginetest.Project(t)
	const list = "specs/010-first/tasks.md"
	enginetest.Write(t, dir, list, tasks)
	enginetest.Git(t, dir, "checkout", "-q", "-b", "010-first")
	return reopen(t, dir), dir, filepath.Join(dir, filepath.FromSlash(list))
}

// TestCompleteTask_lists ticks a task in lists of several forms: the bytes of the box change and no other.
func TestCompleteTask_lists(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ id, before, after, fails string }{
		"spec-kit":    {"T001", "- [ ] T001 [P] [US1] One\n- [ ] T0010 Ten\n", "- [x] T001 [P] [US1] One\n- [ ] T0010 Ten\n", ""},
		"OpenSpec":    {"1.1", "## 1. A\n- [ ] 1.10 Ten\n- [ ] 1.1 One\n", "## 1. A\n- [ ] 1.10 Ten\n- [x] 1.1 One\n", ""},
		"CRLF, BOM":   {"T002", "\ufeff# T\r\n- [ ] T001 a\r\n  * [ ] T002 b", "\ufeff# T\r\n- [ ] T001 a\r\n  * [x] T002 b", ""},
		"fence":       {"T001", "```\n- [ ] T001 example\n```\n- [ ] T001 real\n", "```\n- [ ] T001 example\n```\n- [x] T001 real\n", ""},
		"done":        {"T001", "- [X] T001 One\n", "- [X] T001 One\n", ""},
		"twice":       {"T001", "- [ ] T001 One\n- [ ] T001 Other\n", "- [ ] T001 One\n- [ ] T001 Other\n", "1, 2"},
		"no such":     {"T1", "- [ ] T001 One\n", "- [ ] T001 One\n", "Task T1 not found"},
		"no tasks":    {"T001", "# Tasks\n", "# Tasks\n", "Task T001 not found"},
		"empty, name": {" ", "- [ ] T001 One\n", "- [ ] T001 One\n", "Missing 'task_id' field"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _, file := listed(t, tt.before)
			assert.NoError(t, os.Chmod(file, 0o640))
			r, err := CompleteTask(t.Context(), p, CompleteTaskInput{ID: tt.id})
			assert.Equal(t, tt.fails == "", err == nil, "%+v", r)
			assert.False(t, err != nil && !strings.Contains(err.Error(), tt.fails), "%+v, %v", r, err)
			assert.Equal(t, tt.after, enginetest.Read(t, filepath.Dir(file), "tasks.md"))
			if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

// TestCompleteTask_together: agents that tick at the same time lose none of their ticks.
func TestCompleteTask_together(t *testing.T) {
	t.Parallel()
	const n = 12
	var tasks strings.Builder
	for i := range n {
		fmt.Fprintf(&tasks, "- [ ] T%03d One\n", i)
	}
	_, dir, file := listed(t, tasks.String())
	var all sync.WaitGroup
	for i := range n {
		p := reopen(t, dir)
		all.Go(func() {
			if _, err := CompleteTask(t.Context(), p, CompleteTaskInput{ID: fmt.Sprintf("T%03d", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	assert.Equal(t, strings.ReplaceAll(tasks.String(), "[ ]", "[x]"), enginetest.Read(t, filepath.Dir(file), "tasks.md"))
}

// TestCompleteTask_linked refuses a list that a link leads to outside of the worktree.
func TestCompleteTask_linked(t *testing.T) {
	t.Parallel()
	p, _, file := listed(t, "- [ ] T001 One\n")
	outside := filepath.Join(t.TempDir(), "tasks.md")
	assert.NoError(t, os.Rename(file, outside))
	if err := os.Symlink(outside, file); err != nil {
		t.Skip(err) // not every system lets everybody make links
	}
	r, err := CompleteTask(t.Context(), p, CompleteTaskInput{ID: "T001"})
	assert.Error(t, err, "%+v", r)
	assert.Equal(t, "- [ ] T001 One\n", enginetest.Read(t, filepath.Dir(outside), "tasks.md"))
}

// TestCompleteTask_adopted: a spec that adopts the folder has the tick in a commit, of which the folder's own text is no
// part. The spec of a part counts before that of the whole folder.
func TestCompleteTask_adopted(t *testing.T) {
	t.Parallel()
	p, dir, _ := listed(t, "# Tasks\n\n- [ ] T001 One\n- [ ] T002 Two\n")
	enginetest.Git(t, dir, "add", ".")
	enginetest.Git(t, dir, "commit", "-q", "-m", "files")
	_, err := Adopt(t.Context(), p, AdoptInput{Paths: []string{"specs/010-first"}})
	assert.NoError(t, err)
	p = reopen(t, dir)
	r, err := CompleteTask(t.Context(), p, CompleteTaskInput{ID: "t001"})
	assert.NoError(t, err)
	assert.Equal(t, "T001", r.ID)
	assert.Equal(t, "1/2 tasks complete", r.Progress.Text)
	assert.NotZero(t, r.Next)
	assert.Equal(t, "T002", r.Next.ID)
	if got := enginetest.Git(t, dir, "show", "--numstat", "--format=", "HEAD"); strings.TrimSpace(got) != "1\t1\tspecs/010-first/tasks.md" {
		t.Errorf("the commit changes %q", got)
	}
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
}

// TestReportStatus_outside changes nothing where there is no run.
func TestReportStatus_outside(t *testing.T) {
	t.Parallel()
	p, dir, _ := listed(t, "- [ ] T001 One\n")
	before := enginetest.Git(t, dir, "status", "--porcelain")
	for _, in := range []ReportStatusInput{{Status: NeedsInput}, {Status: Completed}, {Status: Failed}} {
		r, err := ReportStatus(t.Context(), p, in)
		assert.NoError(t, err)
		assert.Equal(t, in.Status, r.Status)
		assert.Equal(t, "", r.ID)
		assert.NotEqual(t, "", r.Effect)
		assert.False(t, in.Status == Failed && r.Message != "Unknown error", "%+v, %v", r, err)
	}
	assert.Equal(t, before, enginetest.Git(t, dir, "status", "--porcelain"))
	_, err := ReportStatus(t.Context(), p, ReportStatusInput{Status: NeedsInput, Prompt: "\x1b[2J"})
	e, ok := errors.AsType[*engine.Error](err)
	assert.True(t, ok, "control characters: %v", err)
	assert.Equal(t, engine.Invalid, e.Code, "control characters: %v", err)
}
