package library

import (
	"slices"
	"testing"

	"chant/engine/format/climpt"
	"chant/engine/prompt"
)

// TestShipped: each shipped command can be found and rendered, and describes what its text has places for.
func TestShipped(t *testing.T) {
	t.Parallel()
	p, _, _ := project(t, nil)
	l, err := Open(t.Context(), p, "")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range l.Entries {
		if e.Source != FromShipped {
			continue
		}
		found++
		text, err := l.Text(p, e.Name, climpt.Given{})
		if err != nil {
			t.Fatal(err)
		}
		if e.Description == "" {
			t.Errorf("%s has no description", e.Name)
		}
		if got, want := e.Options.Stdin, slices.Contains(prompt.Names(text.Body), InputText); got != want {
			t.Errorf("%s takes a text: %t, and its prompt has a place for one: %t", e.Name, got, want)
		}
		hits, err := l.Search(e.Description, 1)
		if err != nil || len(hits) != 1 || hits[0].Name != e.Name {
			t.Errorf("%q finds %v, %v, want %s", e.Description, hits, err, e.Name)
		}
	}
	if found != 7 {
		t.Errorf("%d shipped commands, want the 7 of climpt's documents", found)
	}
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
			p, _, _ := project(t, files)
			l, err := Open(t.Context(), p, "")
			if err != nil {
				t.Fatal(err)
			}
			text, err := l.Text(p, climpt.Name{C1: "git", C2: "merge-up", C3: "base-branch"}, climpt.Given{})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := text.Body, "# Ours\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
