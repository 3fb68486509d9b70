package engine

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// failedRun makes a project with a spec whose run has failed, and returns the run's
// worktree.
func failedRun(t *testing.T, script string) (e *Engine, dir, tree string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	e, dir = specAt(t, "pending", "# Work\n\n## Script\n\n```sh\n"+script+"\n```\n\n## Acceptance Criteria\n\n- [ ] a claim\n- [ ] a result `$ test -f done.txt`\n")
	if _, err := e.Work(t.Context(), WorkInput{ID: strictID}); codeOf(t, err) == "" {
		t.Fatal("the run did not fail")
	}
	return e, dir, filepath.Join(dir, ".chant", "worktrees", strictID)
}

// TestFinalize_refusedChangesNothing asks whether the work is done before it is, in
// every way in which it is not.
func TestFinalize_refusedChangesNothing(t *testing.T) {
	t.Parallel()
	e, dir, tree := failedRun(t, "exit 1")
	own := ".chant/specs/" + strictID + ".md"
	text := read(t, tree, own)
	state := func() string {
		return stateOf(t, dir) + git(t, tree, "status", "--porcelain") + read(t, tree, own) + read(t, dir, ".git/chant/runs/"+strictID+".jsonl")
	}
	for _, tt := range []struct {
		name, file, text string
		code             Code
		words            []string
	}{
		{"nothing done", own, text, Unverified, []string{"nothing was done yet"}},
		{"uncommitted and unmet", "half.txt", "half\n", Unverified, []string{"2 of 2 criteria do not hold", "a claim", "a result"}},
		{"tampered", own, strings.Replace(text, "test -f done.txt", "true", 1), Unverified, []string{"a result"}},
		{"unreadable", own, strings.Replace(text, "status: failed", "status: [", 1), Unverified, []string{"can no longer be read"}},
	} {
		write(t, tree, tt.file, tt.text)
		before := state()
		_, byFinalize := e.Finalize(t.Context(), FinalizeInput{ID: strictID})
		_, byUpdate := e.Update(t.Context(), UpdateInput{ID: strictID, Status: "completed", Labels: []string{"x"}})
		for _, err := range []error{byFinalize, byUpdate} {
			if codeOf(t, err) != tt.code || slices.ContainsFunc(tt.words, func(w string) bool { return !strings.Contains(err.Error(), w) }) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		if after := state(); after != before {
			t.Errorf("%s: was\n%s\nis\n%s", tt.name, before, after)
		}
		write(t, tree, own, text)
	}
}

// TestFinalize_acceptsOnlyWhatHolds accepts changed criteria, of which one is open.
func TestFinalize_acceptsOnlyWhatHolds(t *testing.T) {
	t.Parallel()
	e, dir, tree := failedRun(t, "echo x > done.txt; exit 1")
	own := ".chant/specs/" + strictID + ".md"
	write(t, tree, own, strings.Replace(read(t, tree, own), "a claim", "an easy claim", 1))
	before := stateOf(t, dir) + read(t, dir, ".git/chant/runs/"+strictID+".jsonl")
	_, err := e.Finalize(t.Context(), FinalizeInput{ID: strictID, AcceptChanges: true})
	if codeOf(t, err) != Unverified || !strings.Contains(err.Error(), "an easy claim") {
		t.Fatal(err)
	}
	if after := stateOf(t, dir) + read(t, dir, ".git/chant/runs/"+strictID+".jsonl"); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
	write(t, tree, own, strings.Replace(read(t, tree, own), "[ ] an easy", "[x] an easy", 1))
	r, err := e.Finalize(t.Context(), FinalizeInput{ID: strictID, AcceptChanges: true})
	if err != nil || r.Status != spec.Completed || r.Commit == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if git(t, tree, "status", "--porcelain") != "" || !strings.Contains(git(t, dir, "log", "--format=%s", "main.."+r.Branch), "complete") {
		t.Error("the branch does not have it")
	}
	if _, err := e.Merge(t.Context(), MergeInput{ID: strictID}); err != nil {
		t.Error(err)
	}
}

// TestFinalize_acceptsNothingWhenItFails accepts changed criteria by a completion that
// cannot be written.
func TestFinalize_acceptsNothingWhenItFails(t *testing.T) {
	t.Parallel()
	e, dir, tree := failedRun(t, "echo x > done.txt; exit 1")
	own := ".chant/specs/" + strictID + ".md"
	write(t, tree, own, strings.Replace(read(t, tree, own), "[ ] a claim", "[x] an easy claim", 1))
	journal := func() int { return strings.Count(read(t, dir, ".git/chant/runs/"+strictID+".jsonl"), `"step":"trust"`) }
	trusted := journal()
	unwritable := errors.New("no such document")
	_, err := withHold(t.Context(), e, strictID, "finalize", func(h *held) (WorkResult, error) {
		return e.finalizeHeld(t.Context(), FinalizeInput{AcceptChanges: true}, h, func(*markdown.Document) (*markdown.Document, error) { return nil, unwritable })
	})
	if !errors.Is(err, unwritable) {
		t.Fatal(err)
	}
	if n := journal(); n != trusted {
		t.Errorf("%d records of trust, there were %d:\n%s", n, trusted, read(t, dir, ".git/chant/runs/"+strictID+".jsonl"))
	}
	if _, err := e.Finalize(t.Context(), FinalizeInput{ID: strictID, AcceptChanges: true}); err != nil || journal() != trusted+1 {
		t.Errorf("%d records of trust, there were %d: %v", journal(), trusted, err)
	}
}

// TestUpdate_completesARun completes the spec of a run with the output, in one commit.
func TestUpdate_completesARun(t *testing.T) {
	t.Parallel()
	e, dir, tree := failedRun(t, "echo x > done.txt; exit 1")
	if _, err := e.Check(t.Context(), CheckInput{ID: strictID, Criterion: "1"}); err != nil {
		t.Fatal(err)
	}
	before := git(t, tree, "rev-parse", "HEAD")
	r, err := e.Update(t.Context(), UpdateInput{ID: strictID, Status: "completed", Output: "By hand.", Labels: []string{"x"}})
	if err != nil || r.Status != spec.Completed {
		t.Fatalf("%+v, %v", r, err)
	}
	if n := git(t, tree, "rev-list", "--count", before+"..HEAD"); n != "1" {
		t.Errorf("%s commits", n)
	}
	if text := git(t, dir, "show", r.Commit+":.chant/specs/"+strictID+".md"); !strings.Contains(text, "\n## Output\n\nBy hand.") || !strings.Contains(text, "labels:") {
		t.Errorf("the spec reads\n%s", text)
	}
	_, err = e.Check(t.Context(), CheckInput{ID: strictID, Criterion: "1", Uncheck: true})
	if codeOf(t, err) != State || err.(*Error).Hint != "chant reset "+strictID { //nolint:errorlint // operations promise this very type
		t.Errorf("a box of a completed spec: %v", err)
	}
}

// TestInsideRun_ownSpec asks, from the worktree of a run that is under way, for what
// its agent might ask.
func TestInsideRun_ownSpec(t *testing.T) {
	t.Parallel()
	e, dir, tree := failedRun(t, "echo x > half.txt; exit 1")
	in, err := Open(tree, e.Options)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := lockfile.Acquire(e.store.LockPath(strictID), "work "+strictID)
	if err != nil {
		t.Fatal(err)
	}
	want := `you are inside the run of "` + strictID + `"; end your turn, and chant continues the run`
	for name, do := range map[string]func(context.Context, *Engine) error{
		"cancel": func(ctx context.Context, e *Engine) error {
			_, err := e.Cancel(ctx, CancelInput{ID: strictID})
			return err
		},
		"reset": func(ctx context.Context, e *Engine) error {
			_, err := e.Reset(ctx, ResetInput{ID: strictID})
			return err
		},
		"merge": func(ctx context.Context, e *Engine) error {
			_, err := e.Merge(ctx, MergeInput{ID: strictID})
			return err
		},
		"archive": func(ctx context.Context, e *Engine) error {
			_, err := e.Archive(ctx, ArchiveInput{ID: strictID})
			return err
		},
		"work": func(ctx context.Context, e *Engine) error { _, err := e.Work(ctx, WorkInput{ID: strictID}); return err },
		"start": func(ctx context.Context, e *Engine) error {
			_, err := e.WorkStart(ctx, WorkStartInput{WorkInput: WorkInput{ID: strictID}})
			return err
		},
		"pause": func(ctx context.Context, e *Engine) error {
			_, err := e.Pause(ctx, PauseInput{ID: strictID})
			return err
		},
		"takeover": func(ctx context.Context, e *Engine) error {
			_, err := e.Takeover(ctx, TakeoverInput{ID: strictID})
			return err
		},
		"accept": func(ctx context.Context, e *Engine) error {
			_, err := e.Finalize(ctx, FinalizeInput{ID: strictID, AcceptChanges: true})
			return err
		},
	} {
		err := do(t.Context(), in)
		if codeOf(t, err) != State || err.Error() != want || err.(*Error).Hint != "" { //nolint:errorlint // as above
			t.Errorf("%s: %v", name, err)
		}
	}

	// Finalize and completed are the same question.
	before := stateOf(t, dir)
	for range 2 {
		if _, err := in.Finalize(t.Context(), FinalizeInput{ID: strictID}); codeOf(t, err) != Unverified {
			t.Errorf("finalize: %v", err)
		}
		if _, err := in.Update(t.Context(), UpdateInput{ID: strictID, Status: "completed", Output: "Done."}); codeOf(t, err) != Unverified {
			t.Errorf("update: %v", err)
		}
	}
	if git(t, tree, "status", "--porcelain") != "" {
		t.Error("a refused request was written")
	}
	write(t, tree, "done.txt", "x\n")
	if _, err := in.Check(t.Context(), CheckInput{ID: strictID, Criterion: "1"}); err != nil {
		t.Fatal(err)
	}
	r, err := in.Finalize(t.Context(), FinalizeInput{ID: strictID})
	if err != nil || r.ID != strictID || len(r.Criteria) != 2 || r.Status == spec.Completed {
		t.Errorf("finalize: %+v, %v", r, err)
	}
	if after := stateOf(t, dir); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}

	// With nobody at work the folder is a place like any other.
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if r, err := in.Finalize(t.Context(), FinalizeInput{ID: strictID}); err != nil || r.Status != spec.Completed {
		t.Errorf("once the run is over: %+v, %v", r, err)
	}
}
