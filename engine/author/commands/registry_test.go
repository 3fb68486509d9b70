package commands

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestRegistry writes what the prompts say, and loses nothing that is only in the registry.
func TestRegistry(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, map[string]string{
		reviewFile: "---\ndescription: Review it\nusage: u\noptions: {edition: [default, bug], stdin: true}\nuv:\n  - a: first\n---\nx\n",
		registryAt: `{"version": "2", "description": "mine", "tools": {"commands": [
			{"c1": "go", "c2": "only", "c3": "here", "description": "o"},
			{"c1": "go", "c2": "review", "c3": "package", "description": "old"},
			{"c1": "go", "c2": "review", "c3": "package", "description": "a variant"}]}}`,
	})
	before := enginetest.Read(t, dir, registryAt)
	dry, err := Registry(t.Context(), p, RegistryInput{DryRun: true})
	assert.NoError(t, err)
	assert.False(t, dry.Written, "%+v, %v", dry, err)
	assert.Equal(t, []string{"go/review/package"}, dry.Changed)
	assert.Equal(t, []string{"go/only/here"}, dry.Orphaned)
	assert.Equal(t, before, enginetest.Read(t, dir, registryAt))
	made, err := Registry(t.Context(), p, RegistryInput{})
	assert.NoError(t, err)
	assert.True(t, made.Written, "%+v, %v", made, err)
	assert.Equal(t, 3, made.Commands)
	assert.Equal(t, registryAt, made.Path)
	d, err := Describe(t.Context(), p, DescribeInput{C1: "go", C2: "review", C3: "package"})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(d.Commands))
	assert.Equal(t, "a variant", d.Commands[1].Description)
	assert.Equal(t, "Review it", d.Commands[0].Description)
	assert.True(t, d.Commands[0].TakesStdin(), "%+v, %v", d, err)
	assert.Equal(t, "first", d.Commands[0].Variables[0].Description)
	src := enginetest.Read(t, dir, registryAt)
	assert.Contains(t, src, `"version": "2"`)
	assert.Contains(t, src, `"availableConfigs": [`)
	again, err := Registry(t.Context(), p, RegistryInput{})
	assert.NoError(t, err)
	assert.False(t, again.Written, "%+v, %v", again, err)
	assert.True(t, len(again.Changed)+len(again.Added) <= 0, "%+v, %v", again, err)
	pruned, err := Registry(t.Context(), p, RegistryInput{Prune: true})
	assert.NoError(t, err)
	assert.True(t, pruned.Written, "%+v, %v", pruned, err)
	assert.Equal(t, []string{"go/only/here"}, pruned.Removed)
	assert.Equal(t, 2, pruned.Commands)
	_, err = Registry(t.Context(), p, RegistryInput{Agent: "other"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
	enginetest.Write(t, dir, registryAt, `{"tools": {"commands": [{"c1": "go", "c2": "..", "c3": "x", "description": "only here"}]}}`)
	before = enginetest.Read(t, dir, registryAt)
	r, err := Reload(t.Context(), p, ReloadInput{Agent: "climpt"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Warnings))
	assert.Contains(t, r.Warnings[0], registryAt+":1: invalid c2")
	_, err = Registry(t.Context(), p, RegistryInput{})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "an entry that cannot be used was lost")
	assert.Equal(t, before, enginetest.Read(t, dir, registryAt), "an entry that cannot be used was lost")
}

func TestNew(t *testing.T) {
	t.Parallel()
	p, dir, _ := enginetest.ProjectWith(t, map[string]string{
		".agent/climpt/config/go-user.yml":   "params: {two: {directiveType: {pattern: ^review$}}}",
		".agent/climpt/config/far-app.yml":   "working_dir: prompts\napp_prompt: {base_dir: far}\n",
		".agent/climpt/config/away-app.yml":  "working_dir: ../prompts\napp_prompt: {base_dir: far}\n",
		".agent/iterator/prompts/a/b/c/f.md": "",
	})
	in := NewInput{C1: "go", C2: "review", C3: "package", Description: "Review: a package", Variables: []string{"package=Its path", "depth"}}
	r, err := New(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Equal(t, reviewFile, r.Path)
	assert.Equal(t, "", r.Registry)
	text := enginetest.Read(t, dir, reviewFile)
	_, err = New(t.Context(), p, in)
	assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err))
	assert.Equal(t, text, enginetest.Read(t, dir, reviewFile))
	found, err := Search(t.Context(), p, SearchInput{Query: "review package"})
	assert.NoError(t, err)
	assert.Equal(t, "review", found.Results[0].C2)
	if _, err := Registry(t.Context(), p, RegistryInput{}); err != nil {
		t.Fatal(err)
	}
	byHand := strings.Replace(enginetest.Read(t, dir, registryAt), `"description": "Review: a package"`, `"own": 1, "description": "Written by hand"`, 1)
	enginetest.Write(t, dir, registryAt, "\ufeff"+byHand)
	in.Edition, in.Text = "bug", "For bugs: {input_text}"
	r, err = New(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Equal(t, registryAt, r.Registry)
	d, err := Describe(t.Context(), p, DescribeInput{C1: "go", C2: "review", C3: "package"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(d.Commands))
	assert.SliceContains(t, d.Commands[0].Editions(), "bug")
	assert.SliceContains(t, d.Commands[0].Editions(), "default")
	assert.Equal(t, "Written by hand", d.Commands[0].Description)
	src := enginetest.Read(t, dir, registryAt)
	assert.HasPrefix(t, src, "\ufeff{", "what was written by hand is lost")
	assert.Contains(t, src, `"own": 1`, "what was written by hand is lost")
	r, err = New(t.Context(), p, NewInput{C1: "far", C2: "a", C3: "b", Description: "d"})
	assert.NoError(t, err)
	assert.Equal(t, "prompts/far/a/b/f_default.md", r.Path)
	r, err = New(t.Context(), p, NewInput{C1: "a", C2: "b", C3: "c", Text: "---\ntitle: T\ndescription: From the draft\n---\n\nDo it.\n"})
	assert.NoError(t, err)
	text = enginetest.Read(t, dir, r.Path)
	assert.Contains(t, text, "description: From the draft\n")
	assert.Equal(t, 2, strings.Count(text, "---"))
	assert.HasSuffix(t, text, "\n\nDo it.\n")
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
		r, err := New(t.Context(), p, tc.in)
		assert.Equal(t, tc.want, enginetest.CodeOf(t, err), "%+v: %+v", tc.in, r)
	}
}
