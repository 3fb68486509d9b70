package launch_test

import (
	"context"
	"os"
	"testing"

	"chant/engine/run/launch"

	"github.com/alecthomas/assert/v2"
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
			where, asked := r.Trees.Tree, 0
			if c.gone {
				where = r.Dir
				assert.NoError(t, os.RemoveAll(r.Trees.Tree))
			}
			r.Briefing.Code = func(_ context.Context, dir, about string) string {
				if asked++; dir != where || about[:6] != "Do it\n" {
					t.Errorf("asked for %q in %s, want %s", about, dir, where)
				}
				return "CODE"
			}
			at := launch.Site{Tree: r.Trees.Tree}
			text, err := r.Briefing.Text(t.Context(), s, at)
			assert.NoError(t, err)
			assert.Equal(t, c.want, text)
			assert.True(t, asked <= 1, "%q, %v, want %q", text, err, c.want)
			at.Resolves = true
			text, err = r.Briefing.Text(t.Context(), s, at)
			assert.NoError(t, err, "for a conflict: %q", text)
			assert.True(t, asked <= 1, "for a conflict: %q, %v", text, err)
		})
	}
}
