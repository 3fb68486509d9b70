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
)

// failedRun creates a project with a spec whose run failed, and returns the run's
// worktree.
func failedRun(t *testing.T, script string) (p *engine.Project, dir, tree string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	p, dir = SpecAt(t, "pending", "# Work\n\n## Script\n\n```sh\n"+script+"\n```\n\n## Acceptance Criteria\n\n- [ ] a claim\n- [ ] a result `$ test -f done.txt`\n")
	if _, err := work.Work(t.Context(), p, work.WorkInput{ID: StrictID}); CodeOf(t, err) == "" {
		t.Fatal("the run did not fail")
	}
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
			if CodeOf(t, err) != tt.code || slices.ContainsFunc(tt.words, func(w string) bool { return !strings.Contains(err.Error(), w) }) {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		if after := state(); after != before {
			t.Errorf("%s: was\n%s\nis\n%s", tt.name, before, after)
		}
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
	if CodeOf(t, err) != engine.Unverified || !strings.Contains(err.Error(), "an easy claim") {
		t.Fatal(err)
	}
	if after := StateOf(t, dir) + Read(t, dir, ".git/chant/runs/"+StrictID+".jsonl"); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
	Write(t, tree, own, strings.Replace(Read(t, tree, own), "[ ] an easy", "[x] an easy", 1))
	r, err := work.Finalize(t.Context(), p, work.FinalizeInput{ID: StrictID, AcceptChanges: true})
	if err != nil || r.Status != spec.Completed || r.Commit == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if Git(t, tree, "status", "--porcelain") != "" || !strings.Contains(Git(t, dir, "log", "--format=%s", "main.."+r.Branch), "complete") {
		t.Error("the branch does not have it")
	}
	if _, err := work.Merge(t.Context(), p, work.MergeInput{ID: StrictID}); err != nil {
		t.Error(err)
	}
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
	if !errors.Is(err, unwritable) {
		t.Fatal(err)
	}
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
	if _, err := author.Check(t.Context(), p, author.CheckInput{ID: StrictID, Criterion: "1"}); err != nil {
		t.Fatal(err)
	}
	before := Git(t, tree, "rev-parse", "HEAD")
	r, err := author.Update(t.Context(), p, author.UpdateInput{ID: StrictID, Status: "completed", Output: "By hand.", Labels: []string{"x"}})
	if err != nil || r.Status != spec.Completed {
		t.Fatalf("%+v, %v", r, err)
	}
	if n := Git(t, tree, "rev-list", "--count", before+"..HEAD"); n != "1" {
		t.Errorf("%s commits", n)
	}
	if text := Git(t, dir, "show", r.Commit+":.chant/specs/"+StrictID+".md"); !strings.Contains(text, "\n## Output\n\nBy hand.") || !strings.Contains(text, "labels:") {
		t.Errorf("the spec reads\n%s", text)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	lock, err := lockfile.Acquire(p.Store.LockPath(StrictID), "work "+StrictID)
	if err != nil {
		t.Fatal(err)
	}
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
		if _, err := work.Finalize(t.Context(), in, work.FinalizeInput{ID: StrictID}); CodeOf(t, err) != engine.Unverified {
			t.Errorf("finalize: %v", err)
		}
		if _, err := author.Update(t.Context(), in, author.UpdateInput{ID: StrictID, Status: "completed", Output: "Done."}); CodeOf(t, err) != engine.Unverified {
			t.Errorf("update: %v", err)
		}
	}
	if Git(t, tree, "status", "--porcelain") != "" {
		t.Error("a refused request was written")
	}
	Write(t, tree, "done.txt", "x\n")
	if _, err := author.Check(t.Context(), in, author.CheckInput{ID: StrictID, Criterion: "1"}); err != nil {
		t.Fatal(err)
	}
	r, err := work.Finalize(t.Context(), in, work.FinalizeInput{ID: StrictID})
	if err != nil || r.ID != StrictID || len(r.Criteria) != 2 || r.Status == spec.Completed {
		t.Errorf("finalize: %+v, %v", r, err)
	}
	if after := StateOf(t, dir); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}

	// After the run the worktree is an ordinary folder.
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if r, err := work.Finalize(t.Context(), in, work.FinalizeInput{ID: StrictID}); err != nil || r.Status != spec.Completed {
		t.Errorf("once the run is over: %+v, %v", r, err)
	}
}
