package work

import (
	"context"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
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
					s, readErr := p.Store.Get(t.Context(), id)
					assert.NoError(t, err)
					assert.NoError(t, readErr)
					assert.Equal(t, want, got)
					assert.Equal(t, want, s.Status)
					assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
					return
				}
				if code := enginetest.CodeOf(t, err); code != engine.State || !strings.Contains(err.Error(), op.refused) || err.(*engine.Error).Next.IsZero() { //nolint:errorlint // operations promise this very type
					t.Errorf("code %q: %v", code, err)
				}
				assert.Equal(t, before, enginetest.StateOf(t, dir), "a refusal changed")
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
			assert.Equal(t, tc.code, enginetest.CodeOf(t, err), "code %v", err)
			s, err := p.Store.Get(t.Context(), enginetest.StrictID)
			assert.NoError(t, err)
			assert.Equal(t, tc.want, s.Status)
			after := enginetest.Git(t, dir, "rev-parse", "HEAD")
			assert.Equal(t, tc.code == "", after != before)
			assert.False(t, tc.code == "" && (r.Commit != after || !r.Landed || r.Branch != "main" || len(r.Criteria) == 0), "%+v", r)
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
			assert.HasPrefix(t, enginetest.Refusal(err), tc.want)
			assert.Equal(t, before, enginetest.StateOf(t, dir), "a refusal changed")
			if engine.Exists(p.Store.LockPath(id)) {
				_, held := p.Store.Holder(id)
				assert.False(t, held, "the lock is still held")
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
	assert.NoError(t, err)
	assert.True(t, r.Plan != nil, "%+v, plan %+v", r, r.Plan)
	assert.NotEqual(t, 0, len(r.Plan.Command))
	assert.Equal(t, enginetest.Git(t, dir, "rev-parse", "main"), r.Plan.Base)
	assert.Equal(t, 1, r.Attempt)
	assert.Equal(t, "main", r.Target)
	assert.Equal(t, spec.Pending, r.Status)
	for _, name := range r.Plan.Env {
		assert.NotContains(t, name, "=")
	}
	assert.Equal(t, before, enginetest.StateOf(t, dir), "a dry run changed")
}
