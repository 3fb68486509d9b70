package library

import (
	"slices"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/format/climpt"
	"chant/engine/prompt"

	"github.com/alecthomas/assert/v2"
)

// TestShipped: each shipped command can be found and rendered, and describes what its text has places for.
func TestShipped(t *testing.T) {
	t.Parallel()
	p, _, _ := enginetest.ProjectWith(t, nil)
	l, err := Open(t.Context(), p, "")
	assert.NoError(t, err)
	found := 0
	for _, e := range l.Entries {
		if e.Source != FromShipped {
			continue
		}
		found++
		text, err := l.Text(p, e.Name, climpt.Given{})
		assert.NoError(t, err)
		assert.NotEqual(t, "", e.Description, "%s has no description", e.Name)
		got, want := e.Options.Stdin, slices.Contains(prompt.Names(text.Body), InputText)
		assert.Equal(t, want, got, "%s takes a text", e.Name)
		hits, err := l.Search(e.Description, 1)
		assert.NoError(t, err, "%q finds", e.Description)
		assert.Equal(t, 1, len(hits), "%q finds", e.Description)
		assert.Equal(t, e.Name, hits[0].Name, "%q finds", e.Description)
	}
	assert.Equal(t, 7, found)
}

// TestShipped_replaced: a prompt of the project takes the place of a shipped one, also beside a registry.
func TestShipped_replaced(t *testing.T) {
	t.Parallel()
	const file = ".agent/climpt/prompts/git/merge-up/base-branch/f_default.md"
	for title, files := range map[string]map[string]string{
		"prompt":          {file: "# Ours\n"},
		"beside registry": {file: "# Ours\n", ".agent/climpt/registry.json": registry("")},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			p, _, _ := enginetest.ProjectWith(t, files)
			l, err := Open(t.Context(), p, "")
			assert.NoError(t, err)
			text, err := l.Text(p, climpt.Name{C1: "git", C2: "merge-up", C3: "base-branch"}, climpt.Given{})
			assert.NoError(t, err)
			got, want := text.Body, "# Ours\n"
			assert.Equal(t, want, got)
		})
	}
}
