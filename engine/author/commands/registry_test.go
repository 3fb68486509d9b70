package commands

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// TestRegistry writes what the prompts say, and loses nothing that is only in the registry.
func TestRegistry(t *testing.T) {
	t.Parallel()
	p, dir := project(t, map[string]string{
		reviewFile: "---\ndescription: Review it\nusage: u\noptions: {edition: [default, bug], stdin: true}\nuv:\n  - a: first\n---\nx\n",
		registryAt: `{"version": "2", "description": "mine", "tools": {"commands": [
			{"c1": "go", "c2": "only", "c3": "here", "description": "o"},
			{"c1": "go", "c2": "review", "c3": "package", "description": "old"},
			{"c1": "go", "c2": "review", "c3": "package", "description": "a variant"}]}}`,
	})
	before := enginetest.Read(t, dir, registryAt)
	dry, err := Registry(t.Context(), p, RegistryInput{DryRun: true})
	if err != nil || dry.Written || !slices.Equal(dry.Changed, []string{"go/review/package"}) || !slices.Equal(dry.Orphaned, []string{"go/only/here"}) || enginetest.Read(t, dir, registryAt) != before {
		t.Errorf("%+v, %v", dry, err)
	}
	made, err := Registry(t.Context(), p, RegistryInput{})
	if err != nil || !made.Written || made.Commands != 3 || made.Path != registryAt {
		t.Errorf("%+v, %v", made, err)
	}
	d, err := Describe(t.Context(), p, DescribeInput{C1: "go", C2: "review", C3: "package"})
	if err != nil || len(d.Commands) != 2 || d.Commands[1].Description != "a variant" || d.Commands[0].Description != "Review it" || !d.Commands[0].TakesStdin() || d.Commands[0].Variables[0].Description != "first" {
		t.Errorf("%+v, %v", d, err)
	}
	if src := enginetest.Read(t, dir, registryAt); !strings.Contains(src, `"version": "2"`) || !strings.Contains(src, `"availableConfigs": [`) {
		t.Error(src)
	}
	again, err := Registry(t.Context(), p, RegistryInput{})
	if err != nil || again.Written || len(again.Changed)+len(again.Added) > 0 {
		t.Errorf("%+v, %v", again, err)
	}
	pruned, err := Registry(t.Context(), p, RegistryInput{Prune: true})
	if err != nil || !pruned.Written || !slices.Equal(pruned.Removed, []string{"go/only/here"}) || pruned.Commands != 2 {
		t.Errorf("%+v, %v", pruned, err)
	}
	if _, err := Registry(t.Context(), p, RegistryInput{Agent: "other"}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Error(err)
	}
	enginetest.Write(t, dir, registryAt, `{"tools": {"commands": [{"c1": "go", "c2": "..", "c3": "x", "description": "only here"}]}}`)
	before = enginetest.Read(t, dir, registryAt)
	if r, err := Reload(t.Context(), p, ReloadInput{Agent: "climpt"}); err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], registryAt+":1: invalid c2") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := Registry(t.Context(), p, RegistryInput{}); enginetest.CodeOf(t, err) != engine.Invalid || enginetest.Read(t, dir, registryAt) != before {
		t.Errorf("an entry that cannot be used was lost: %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	p, dir := project(t, map[string]string{
		".agent/climpt/config/go-user.yml":   "params: {two: {directiveType: {pattern: ^review$}}}",
		".agent/climpt/config/far-app.yml":   "working_dir: prompts\napp_prompt: {base_dir: far}\n",
		".agent/climpt/config/away-app.yml":  "working_dir: ../prompts\napp_prompt: {base_dir: far}\n",
		".agent/iterator/prompts/a/b/c/f.md": "",
	})
	in := NewInput{C1: "go", C2: "review", C3: "package", Description: "Review: a package", Variables: []string{"package=Its path", "depth"}}
	r, err := New(t.Context(), p, in)
	if err != nil || r.Path != reviewFile || r.Registry != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	text := enginetest.Read(t, dir, reviewFile)
	if _, err := New(t.Context(), p, in); enginetest.CodeOf(t, err) != engine.Conflict || enginetest.Read(t, dir, reviewFile) != text {
		t.Error(err)
	}
	found, err := Search(t.Context(), p, SearchInput{Query: "review package"})
	if err != nil || found.Results[0].C2 != "review" {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := Registry(t.Context(), p, RegistryInput{}); err != nil {
		t.Fatal(err)
	}
	byHand := strings.Replace(enginetest.Read(t, dir, registryAt), `"description": "Review: a package"`, `"own": 1, "description": "Written by hand"`, 1)
	enginetest.Write(t, dir, registryAt, "\ufeff"+byHand)
	in.Edition, in.Text = "bug", "For bugs: {input_text}"
	if r, err = New(t.Context(), p, in); err != nil || r.Registry != registryAt {
		t.Fatalf("%+v, %v", r, err)
	}
	d, err := Describe(t.Context(), p, DescribeInput{C1: "go", C2: "review", C3: "package"})
	if err != nil || len(d.Commands) != 1 || !slices.Contains(d.Commands[0].Editions(), "bug") || !slices.Contains(d.Commands[0].Editions(), "default") || d.Commands[0].Description != "Written by hand" {
		t.Errorf("%+v, %v", d, err)
	}
	if src := enginetest.Read(t, dir, registryAt); !strings.HasPrefix(src, "\ufeff{") || !strings.Contains(src, `"own": 1`) {
		t.Errorf("what was written by hand is lost: %s", src)
	}
	if r, err = New(t.Context(), p, NewInput{C1: "far", C2: "a", C3: "b", Description: "d"}); err != nil || r.Path != "prompts/far/a/b/f_default.md" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = New(t.Context(), p, NewInput{C1: "a", C2: "b", C3: "c", Text: "---\ntitle: T\ndescription: From the draft\n---\n\nDo it.\n"}); err != nil {
		t.Fatal(err)
	}
	if text := enginetest.Read(t, dir, r.Path); !strings.Contains(text, "description: From the draft\n") || strings.Count(text, "---") != 2 || !strings.HasSuffix(text, "\n\nDo it.\n") {
		t.Errorf("%q", text)
	}
	for _, tc := range []struct {
		in   NewInput
		want engine.Code
	}{
		{NewInput{C1: "spec", C2: "work", C3: "standard", Description: "d"}, engine.Conflict},
		{NewInput{C1: "go", C2: "list", C3: "package", Description: "d"}, engine.Invalid},
		{NewInput{C1: "away", C2: "list", C3: "package", Description: "d"}, engine.Invalid},
		{NewInput{C1: "..", C2: "review", C3: "package", Description: "d"}, engine.Usage},
		{NewInput{C1: "a", C2: "b", C3: "c"}, engine.Usage},
		{NewInput{C1: "a", C2: "b", C3: "c", Description: "two\nlines"}, engine.Usage},
		{NewInput{C1: "a", C2: "b", C3: "c", Description: "d", Edition: "x/y"}, engine.Usage},
		{NewInput{C1: "a", C2: "b", C3: "c", Description: "d", Variables: []string{"help"}}, engine.Usage},
		{NewInput{Agent: "../x", C1: "a", C2: "b", C3: "c", Description: "d"}, engine.Usage},
	} {
		if r, err := New(t.Context(), p, tc.in); enginetest.CodeOf(t, err) != tc.want {
			t.Errorf("%+v: %+v, %v", tc.in, r, err)
		}
	}
}
