package enginetest

import (
	"context"
	"testing"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/view"
	"chant/engine/work"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestOperations_returnOnlyError: operations that fail return an *Error with code, message and hint.
func TestOperations_returnOnlyError(t *testing.T) {
	t.Parallel()
	p, dir := Project(t)
	ctx := t.Context()
	Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", "---\nstatus: pending\n---\n# A\n")
	Write(t, dir, ".chant/specs/2026-01-02-002-brk.md", "---\nstatus: [\n---\n# B\n")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for name, tc := range map[string]struct {
		err  func() error
		want engine.Code
	}{
		"not found":  {func() error { _, err := view.Show(ctx, p, view.ShowInput{ID: "zzz"}); return err }, engine.NotFound},
		"ambiguous":  {func() error { _, err := view.Show(ctx, p, view.ShowInput{ID: "2026-01-02"}); return err }, engine.Usage},
		"traversal":  {func() error { _, err := view.Show(ctx, p, view.ShowInput{ID: "../x"}); return err }, engine.Invalid},
		"broken":     {func() error { _, err := view.Show(ctx, p, view.ShowInput{ID: "brk"}); return err }, engine.Invalid},
		"state":      {func() error { _, err := work.Reset(ctx, p, work.ResetInput{ID: "abc"}); return err }, engine.State},
		"filter":     {func() error { _, err := view.List(ctx, p, view.ListInput{Status: new("doing")}); return err }, engine.Usage},
		"no log":     {func() error { _, err := view.Log(ctx, p, view.LogInput{ID: "abc"}); return err }, engine.NotFound},
		"no updates": {func() error { _, err := author.Update(ctx, p, author.UpdateInput{ID: "abc"}); return err }, engine.Usage},
		"stopped":    {func() error { _, err := work.Work(ended, p, work.WorkInput{ID: "abc"}); return err }, engine.Canceled},
		"outside":    {func() error { _, err := engine.Open(t.TempDir(), engine.Options{}); return err }, engine.NotFound},
	} {
		err := tc.err()
		if got := CodeOf(t, err); got != tc.want {
			t.Errorf("%s: code %q, want %q (%v)", name, got, tc.want, err)
			continue
		}
		if e := err.(*engine.Error); e.Message == "" || e.Next.IsZero() { //nolint:errorlint // as above
			t.Errorf("%s: message %q, hint %q", name, e.Message, e.Next)
		}
	}
}

func TestAdd_escapes(t *testing.T) {
	t.Parallel()
	p, _ := Project(t)
	for _, text := range []string{`a: b # c`, `"quoted" 'twice'`, "- [ ] not a box", "--- no fence", "{{template}} & <tag>", "日本語の題"} {
		added, err := author.Add(t.Context(), p, author.AddInput{Description: text, Labels: []string{"a: b", "#x", "- y", "no"}, TargetFiles: []string{"a b.go", "*.md"}})
		assert.NoError(t, err, "%q", text)
		s, err := view.Show(t.Context(), p, view.ShowInput{ID: added.ID})
		assert.NoError(t, err, "%q", text)
		assert.Equal(t, text, s.Title)
		assert.Equal(t, 4, len(s.Labels))
		assert.Equal(t, "a: b", s.Labels[0])
		assert.Equal(t, "no", s.Labels[3])
	}
}
