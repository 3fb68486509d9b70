package enginetest

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/work"
	"chant/engine/work/queue"
	"chant/gitops/lockfile"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// failedRun creates a project with a spec whose run failed, and returns the run's
// worktree.
func failedRun(t *testing.T, script string) (p *engine.Project, dir, tree string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	p, dir = SpecAt(t, "pending", "# Work\n\n## Script\n\n```sh\n"+script+"\n```\n\n## Acceptance Criteria\n\n- [ ] a claim\n- [ ] a result `$ test -f done.txt`\n")
	_, err := work.Work(t.Context(), p, work.WorkInput{ID: StrictID})
	assert.NotEqual(t, "", CodeOf(t, err), "the run did not fail")
	return p, dir, filepath.Join(dir, ".chant", "worktrees", StrictID)
}

// TestFinalize_refusedChangesNothing: finalize and update refuse incomplete work of every kind, and change
// nothing.
func TestFinalize_refusedChangesNothing(t *testing.T) {
	t.Parallel()
	p, dir, tree := failedRun(t, "exit 1")
	own := ".chant/specs/" + StrictID + ".md"
	text := Read(t, tree, own)
	state := func() string {
		return StateOf(t, dir) + Git(t, tree, "status", "--porcelain") + Read(t, tree, own) + Read(t, dir, ".git/chant/runs/"+StrictID+".jsonl")
	}
	for _, tt := range []struct {
		name, file, text string
		code             engine.Code
		words            []string
	}{
		{"nothing done", own, text, engine.Unverified, []string{"nothing was done yet"}},
		{"uncommitted and unmet", "half.txt", "half\n", engine.Unverified, []string{"2 of 2 criteria do not hold", "a claim", "a result"}},
		{"tampered", own, strings.Replace(text, "test -f done.txt", "true", 1), engine.Unverified, []string{"a result"}},
		{"unreadable", own, strings.Replace(text, "status: failed", "status: [", 1), engine.Unverified, []string{"can no longer be read"}},
	} {
		Write(t, tree, tt.file, tt.text)
		before := state()
		_, byFinalize := work.Finalize(t.Context(), p, work.FinalizeInput{ID: StrictID})
		_, byUpdate := author.Update(t.Context(), p, author.UpdateInput{ID: StrictID, Status: "completed", Labels: []string{"x"}})
		for _, err := range []error{byFinalize, byUpdate} {
			assert.Equal(t, tt.code, CodeOf(t, err), "%s", tt.name)
			assert.False(t, slices.ContainsFunc(tt.words, func(w string) bool { return !strings.Contains(err.Error(), w) }), "%s: %v", tt.name, err)
		}
		assert.Equal(t, before, state(), "%s: was", tt.name)
		Write(t, tree, own, text)
	}
}

// TestFinalize_acceptsOnlyWhatHolds: changed criteria are not accepted while one is open.
func TestFinalize_acceptsOnlyWhatHolds(t *testing.T) {
	t.Parallel()
	p, dir, tree := failedRun(t, "echo x > done.txt; exit 1")
	own := ".chant/specs/" + StrictID + ".md"
	Write(t, tree, own, strings.Replace(Read(t, tree, own), "a claim", "an easy claim", 1))
	before := StateOf(t, dir) + Read(t, dir, ".git/chant/runs/"+StrictID+".jsonl")
	_, err := work.Finalize(t.Context(), p, work.FinalizeInput{ID: StrictID, AcceptChanges: true})
	assert.Equal(t, engine.Unverified, CodeOf(t, err))
	assert.Contains(t, err.Error(), "an easy claim")
	assert.Equal(t, before, StateOf(t, dir)+Read(t, dir, ".git/chant/runs/"+StrictID+".jsonl"))
	Write(t, tree, own, strings.Replace(Read(t, tree, own), "[ ] an easy", "[x] an easy", 1))
	r, err := work.Finalize(t.Context(), p, work.FinalizeInput{ID: StrictID, AcceptChanges: true})
	assert.NoError(t, err)
	assert.Equal(t, spec.Completed, r.Status)
	assert.NotEqual(t, "", r.Commit)
	assert.Equal(t, "", Git(t, tree, "status", "--porcelain"), "the branch does not have it")
	assert.Contains(t, Git(t, dir, "log", "--format=%s", "main.."+r.Branch), "complete", "the branch does not have it")
	_, err = work.Merge(t.Context(), p, work.MergeInput{ID: StrictID})
	assert.NoError(t, err)
}

// TestFinalize_acceptsNothingWhenItFails: changed criteria are not accepted if the completion
// cannot be written.
func TestFinalize_acceptsNothingWhenItFails(t *testing.T) {
	t.Parallel()
	p, dir, tree := failedRun(t, "echo x > done.txt; exit 1")
	own := ".chant/specs/" + StrictID + ".md"
	Write(t, tree, own, strings.Replace(Read(t, tree, own), "[ ] a claim", "[x] an easy claim", 1))
	journal := func() int { return strings.Count(Read(t, dir, ".git/chant/runs/"+StrictID+".jsonl"), `"step":"trust"`) }
	trusted := journal()
	unwritable := errors.New("no such document")
	_, err := advice.WithHold(t.Context(), p, StrictID, "finalize", func(h *engine.Held) (work.WorkResult, error) {
		return work.FinalizeHeld(t.Context(), p, work.FinalizeInput{AcceptChanges: true}, h, func(*markdown.Document) (*markdown.Document, error) { return nil, unwritable })
	})
	assert.IsError(t, err, unwritable)
	if n := journal(); n != trusted {
		t.Errorf("%d records of trust, there were %d:\n%s", n, trusted, Read(t, dir, ".git/chant/runs/"+StrictID+".jsonl"))
	}
	if _, err := work.Finalize(t.Context(), p, work.FinalizeInput{ID: StrictID, AcceptChanges: true}); err != nil || journal() != trusted+1 {
		t.Errorf("%d records of trust, there were %d: %v", journal(), trusted, err)
	}
}

// TestUpdate_completesARun: a run is completed with its output in one commit.
func TestUpdate_completesARun(t *testing.T) {
	t.Parallel()
	p, dir, tree := failedRun(t, "echo x > done.txt; exit 1")
	_, err := author.Check(t.Context(), p, author.CheckInput{ID: StrictID, Criterion: "1"})
	assert.NoError(t, err)
	before := Git(t, tree, "rev-parse", "HEAD")
	r, err := author.Update(t.Context(), p, author.UpdateInput{ID: StrictID, Status: "completed", Output: "By hand.", Labels: []string{"x"}})
	assert.NoError(t, err)
	assert.Equal(t, spec.Completed, r.Status)
	assert.Equal(t, "1", Git(t, tree, "rev-list", "--count", before+"..HEAD"))
	text := Git(t, dir, "show", r.Commit+":.chant/specs/"+StrictID+".md")
	assert.Contains(t, text, "\n## Output\n\nBy hand.", "the spec reads")
	assert.Contains(t, text, "labels:", "the spec reads")
	_, err = author.Check(t.Context(), p, author.CheckInput{ID: StrictID, Criterion: "1", Uncheck: true})
	if CodeOf(t, err) != engine.State || err.(*engine.Error).Next.String() != "chant reset "+StrictID { //nolint:errorlint // operations return exactly this type
		t.Errorf("a box of a completed spec: %v", err)
	}
}

// TestInsideRun_ownSpec: operations on the run's own spec, called from its worktree during the run.
func TestInsideRun_ownSpec(t *testing.T) {
	t.Parallel()
	p, dir, tree := failedRun(t, "echo x > half.txt; exit 1")
	in, err := engine.Open(tree, p.Options)
	assert.NoError(t, err)
	lock, err := lockfile.Acquire(p.Store.LockPath(StrictID), "work "+StrictID)
	assert.NoError(t, err)
	want := `you are inside the run of "` + StrictID + `"; end your turn, and chant continues the run`
	for name, do := range map[string]func(context.Context, *engine.Project) error{
		"cancel": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Cancel(ctx, p, work.CancelInput{ID: StrictID})
			return err
		},
		"reset": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Reset(ctx, p, work.ResetInput{ID: StrictID})
			return err
		},
		"merge": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Merge(ctx, p, work.MergeInput{ID: StrictID})
			return err
		},
		"archive": func(ctx context.Context, p *engine.Project) error {
			_, err := author.Archive(ctx, p, author.ArchiveInput{ID: StrictID})
			return err
		},
		"work": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Work(ctx, p, work.WorkInput{ID: StrictID})
			return err
		},
		"start": func(ctx context.Context, p *engine.Project) error {
			_, err := queue.WorkStart(ctx, p, queue.WorkStartInput{WorkInput: work.WorkInput{ID: StrictID}})
			return err
		},
		"pause": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Pause(ctx, p, work.PauseInput{ID: StrictID})
			return err
		},
		"takeover": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Takeover(ctx, p, work.TakeoverInput{ID: StrictID})
			return err
		},
		"accept": func(ctx context.Context, p *engine.Project) error {
			_, err := work.Finalize(ctx, p, work.FinalizeInput{ID: StrictID, AcceptChanges: true})
			return err
		},
	} {
		err := do(t.Context(), in)
		if CodeOf(t, err) != engine.State || err.Error() != want || !err.(*engine.Error).Next.IsZero() { //nolint:errorlint // as above
			t.Errorf("%s: %v", name, err)
		}
	}

	// Finalize and an update to completed give the same answer.
	before := StateOf(t, dir)
	for range 2 {
		_, err := work.Finalize(t.Context(), in, work.FinalizeInput{ID: StrictID})
		assert.Equal(t, engine.Unverified, CodeOf(t, err))
		_, err = author.Update(t.Context(), in, author.UpdateInput{ID: StrictID, Status: "completed", Output: "Done."})
		assert.Equal(t, engine.Unverified, CodeOf(t, err))
	}
	assert.Equal(t, "", Git(t, tree, "status", "--porcelain"), "a refused request was written")
	Write(t, tree, "done.txt", "x\n")
	_, err = author.Check(t.Context(), in, author.CheckInput{ID: StrictID, Criterion: "1"})
	assert.NoError(t, err)
	r, err := work.Finalize(t.Context(), in, work.FinalizeInput{ID: StrictID})
	assert.NoError(t, err)
	assert.Equal(t, StrictID, r.ID)
	assert.Equal(t, 2, len(r.Criteria))
	assert.NotEqual(t, spec.Completed, r.Status)
	assert.Equal(t, before, StateOf(t, dir))

	// After the run the worktree is an ordinary folder.
	assert.NoError(t, lock.Release())
	r, err = work.Finalize(t.Context(), in, work.FinalizeInput{ID: StrictID})
	assert.NoError(t, err, "once the run is over")
	assert.Equal(t, spec.Completed, r.Status, "once the run is over")
}
