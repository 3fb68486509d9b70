package launch_test

import (
	"context"
	"os"
	"testing"
)

// TestTold_code quotes code behind the files that a spec names, from the worktree if there is one, in prompts that have
// a place for it.
func TestTold_code(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prompt string
		gone   bool // the worktree
		want   string
	}{
		"in a prompt":        {"Read.{{spec.context}}", false, "Read.\n## Context: notes.md\n\n```\nthe notes\n```\nCODE"},
		"in a command":       {"Read.{uv-spec_context}", false, "Read.\n## Context: notes.md\n\n```\nthe notes\n```\nCODE"},
		"without a worktree": {"Read.{{spec.context}}", true, "Read.\n## Context: notes.md\n\n```\nthe notes\n```\nCODE"},
		"no place for it":    {"Read.", false, "Read."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := briefed(t, "\ncontext: [notes.md]", c.prompt, map[string]string{"notes.md": "the notes\n"})
			where, asked := r.Tree, 0
			if c.gone {
				where = r.Dir
				if err := os.RemoveAll(r.Tree); err != nil {
					t.Fatal(err)
				}
			}
			r.Briefing.Code = func(_ context.Context, dir, about string) string {
				if asked++; dir != where || about[:6] != "Do it\n" {
					t.Errorf("asked for %q in %s, want %s", about, dir, where)
				}
				return "CODE"
			}
			text, err := r.Briefing.Text(t.Context(), s)
			if err != nil || text != c.want || asked > 1 {
				t.Errorf("%q, %v, want %q", text, err, c.want)
			}
			r.Briefing.Catching = true
			if text, err = r.Briefing.Text(t.Context(), s); err != nil || asked > 1 {
				t.Errorf("for a conflict: %q, %v", text, err)
			}
		})
	}
}
