package work

import (
	"context"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
)

// TestOperations_withoutRun calls each operation for a spec without a run, in every status: it changes only what the
// table of states allows, and a refusal changes nothing and names the next step.
func TestOperations_withoutRun(t *testing.T) {
	t.Parallel()
	id := enginetest.StrictID
	cancel := func(ctx context.Context, p *engine.Project) (spec.Status, error) {
		r, err := Cancel(ctx, p, CancelInput{ID: id})
		return r.Status, err
	}
	takeover := func(ctx context.Context, p *engine.Project) (spec.Status, error) {
		r, err := Takeover(ctx, p, TakeoverInput{ID: id})
		return r.Status, err
	}
	merge := func(ctx context.Context, p *engine.Project) (spec.Status, error) {
		r, err := Merge(ctx, p, MergeInput{ID: id})
		return r.Status, err
	}
	type way struct {
		do      func(context.Context, *engine.Project) (spec.Status, error)
		to      map[string]spec.Status // the status that follows, "" for a refusal
		refused string
	}
	for name, op := range map[string]way{
		"cancel": {cancel, map[string]spec.Status{
			"pending": spec.Cancelled, "in_progress": spec.Cancelled, "paused": spec.Cancelled, "failed": spec.Cancelled, "needs_attention": spec.Cancelled,
		}, "cannot cancel a spec that is"},
		"merge": {merge, nil, ""},
	} {
		for _, status := range spec.StatusWords() {
			t.Run(name+"/"+status, func(t *testing.T) {
				t.Parallel()
				p, dir := enginetest.SpecAt(t, status, enginetest.StrictBody)
				before := enginetest.StateOf(t, dir)
				got, err := op.do(t.Context(), p)
				want := op.to[status]
				if want != "" {
					if s, readErr := p.Store.Get(t.Context(), id); err != nil || readErr != nil || got != want || s.Status != want {
						t.Errorf("%q, %v, %v; want %q", got, err, readErr, want)
					}
					if left := enginetest.Git(t, dir, "status", "--porcelain"); left != "" {
						t.Errorf("not committed: %s", left)
					}
					return
				}
				if code := enginetest.CodeOf(t, err); code != engine.State || !strings.Contains(err.Error(), op.refused) || err.(*engine.Error).Next.IsZero() { //nolint:errorlint // operations promise this very type
					t.Errorf("code %q: %v", code, err)
				}
				if after := enginetest.StateOf(t, dir); after != before {
					t.Errorf("a refusal changed\n%s\nto\n%s", before, after)
				}
			})
		}
	}
	t.Run("takeover", func(t *testing.T) {
		t.Parallel()
		p, _ := enginetest.SpecAt(t, "failed", enginetest.StrictBody)
		if _, err := takeover(t.Context(), p); enginetest.Refusal(err) != `state | chant work `+id+` | spec "`+id+`" has no run to take over` {
			t.Error(enginetest.Refusal(err))
		}
	})
}

// TestFinalize_byHand completes a spec that was worked without a run if its criteria hold for what is committed; a spec
// that does not pass stays as it was.
func TestFinalize_byHand(t *testing.T) {
	t.Parallel()
	criteria := "# Do it\n\n## Acceptance Criteria\n\n- [ ] It is done `$ test -f done.txt`\n"
	for name, tc := range map[string]struct {
		status, body string
		files        map[string]string // committed beside it
		left         string            // a file that is not committed
		code         engine.Code
		want         spec.Status
	}{
		"done":                      {"in_progress", criteria, map[string]string{"done.txt": "x"}, "", "", spec.Completed},
		"done after a failure":      {"failed", criteria, map[string]string{"done.txt": "x"}, "", "", spec.Completed},
		"done, after attention":     {"needs_attention", criteria, map[string]string{"done.txt": "x"}, "", "", spec.Completed},
		"not done":                  {"in_progress", criteria, nil, "", engine.Unverified, spec.InProgress},
		"done, but not committed":   {"in_progress", criteria, nil, "done.txt", engine.Unverified, spec.InProgress},
		"a box that is not checked": {"in_progress", criteria + "- [ ] a person has looked\n", map[string]string{"done.txt": "x"}, "", engine.Unverified, spec.InProgress},
		"a box that is checked":     {"in_progress", criteria + "- [x] a person has looked\n", map[string]string{"done.txt": "x"}, "", "", spec.Completed},
		"not begun":                 {"pending", criteria, map[string]string{"done.txt": "x"}, "", engine.State, spec.Pending},
		"completed already":         {"completed", criteria, map[string]string{"done.txt": "x"}, "", engine.State, spec.Completed},
		"cancelled":                 {"cancelled", criteria, map[string]string{"done.txt": "x"}, "", engine.State, spec.Cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.SpecAt(t, tc.status, tc.body)
			if tc.files != nil {
				enginetest.Commit(t, dir, tc.files)
			}
			if tc.left != "" {
				enginetest.Write(t, dir, tc.left, "x")
			}
			before := enginetest.Git(t, dir, "rev-parse", "HEAD")
			r, err := Finalize(t.Context(), p, FinalizeInput{ID: enginetest.StrictID})
			if code := enginetest.CodeOf(t, err); code != tc.code {
				t.Fatalf("code %q, want %q: %v", code, tc.code, err)
			}
			s, err := p.Store.Get(t.Context(), enginetest.StrictID)
			if err != nil || s.Status != tc.want {
				t.Errorf("%s, %v", s.Status, err)
			}
			after := enginetest.Git(t, dir, "rev-parse", "HEAD")
			if moved := after != before; moved != (tc.code == "") {
				t.Errorf("committed: %t", moved)
			}
			if tc.code == "" && (r.Commit != after || !r.Landed || r.Branch != "main" || len(r.Criteria) == 0) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestWork_refused: a spec that cannot start leaves no branch, no worktree and no commit.
func TestWork_refused(t *testing.T) {
	t.Parallel()
	id := enginetest.StrictID
	for name, tc := range map[string]struct {
		status string
		in     WorkInput
		want   string
	}{
		"completed":               {"completed", WorkInput{}, "state |"},
		"cancelled":               {"cancelled", WorkInput{}, "state |"},
		"nothing to continue":     {"pending", WorkInput{Continue: true}, "state | chant work " + id},
		"nothing to replay":       {"pending", WorkInput{Replay: true}, "state | chant work " + id + " | spec \"" + id + "\" is pending; only what was completed is replayed"},
		"an unknown provider":     {"pending", WorkInput{Options: Options{Provider: "nobody"}}, "not_found |"},
		"an unknown prompt":       {"pending", WorkInput{Options: Options{Prompt: "nothing"}}, "not_found |"},
		"no time limit":           {"pending", WorkInput{Options: Options{Timeout: "soon"}}, `usage | chant work --help | invalid time limit "soon"`},
		"a time limit below zero": {"pending", WorkInput{Options: Options{Timeout: "-1m"}}, `usage | chant work --help | invalid time limit "-1m"`},
		"no branch":               {"pending", WorkInput{Options: Options{Onto: "nowhere"}}, "not_found |"},
		"an invalid branch":       {"pending", WorkInput{Options: Options{Onto: "a b"}}, `usage | chant work --help | invalid branch "a b" for --onto`},
		"no spec":                 {"pending", WorkInput{ID: "zzz"}, "not_found | chant list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.SpecAt(t, tc.status, enginetest.StrictBody)
			before := enginetest.StateOf(t, dir)
			if tc.in.ID == "" {
				tc.in.ID = id
			}
			_, err := Work(t.Context(), p, tc.in)
			if got := enginetest.Refusal(err); !strings.HasPrefix(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
			if after := enginetest.StateOf(t, dir); after != before {
				t.Errorf("a refusal changed\n%s\nto\n%s", before, after)
			}
			if engine.Exists(p.Store.LockPath(id)) {
				if _, held := p.Store.Holder(id); held {
					t.Error("the lock is still held")
				}
			}
		})
	}
}

// TestWork_dryRun reports what would start and does nothing.
func TestWork_dryRun(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + enginetest.StrictID + ".md": enginetest.ShellSpec("", "echo made > made.txt")})
	before := enginetest.StateOf(t, dir)
	r, err := Work(t.Context(), p, WorkInput{ID: "001", DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Plan == nil || len(r.Plan.Command) == 0 || r.Plan.Base != enginetest.Git(t, dir, "rev-parse", "main") || r.Attempt != 1 || r.Target != "main" || r.Status != spec.Pending {
		t.Errorf("%+v, plan %+v", r, r.Plan)
	}
	for _, name := range r.Plan.Env {
		if strings.Contains(name, "=") {
			t.Errorf("the value of %s is shown", name)
		}
	}
	if after := enginetest.StateOf(t, dir); after != before {
		t.Errorf("a dry run changed\n%s\nto\n%s", before, after)
	}
}
