package author

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestPrompts lists the project's prompts instead of shipped ones of the same name, and says why a prompt cannot be
// used.
func TestPrompts(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	for name, text := range map[string]string{
		"mine": "---\npurpose: Mine\n---\nDo {{spec.title}}.\n", "standard": "---\npurpose: Ours\n---\nDo it.\n", "child": "---\nextends: nothing\n---\n{{> parent}}\n\nMore.\n", "empty": "---\npurpose: x\n---\n",
	} {
		enginetest.Write(t, dir, ".chant/prompts/"+name+".md", text)
	}
	r, err := Prompts(t.Context(), p, PromptsInput{})
	assert.NoError(t, err)
	assert.True(t, slices.IsSortedFunc(r.Prompts, func(a, b PromptInfo) int { return strings.Compare(a.Name, b.Name) }), "%+v, %v", r, err)
	seen := map[string]PromptInfo{}
	for _, info := range r.Prompts {
		_, twice := seen[info.Name]
		assert.False(t, twice, "%s is listed twice", info.Name)
		seen[info.Name] = info
	}
	got := seen["mine"]
	assert.False(t, got.Shipped, "%+v", got)
	assert.Equal(t, "Mine", got.Purpose)
	assert.Equal(t, "", got.Invalid)
	got = seen["standard"]
	assert.False(t, got.Shipped, "%+v", got)
	assert.Equal(t, "Ours", got.Purpose)
	assert.Contains(t, seen["child"].Invalid, "nothing")
	assert.Contains(t, seen["empty"].Invalid, `prompt "empty" is empty`)
	assert.True(t, seen["documentation"].Shipped, "%+v, %+v, %+v", seen["child"], seen["empty"], seen["documentation"])
	for name, want := range map[string]string{"none": "not_found | chant prompt list", "../config": "not_found | chant prompt list", "child": "invalid | vi .chant/prompts/child.md |", "": "not_found |"} {
		if _, err := Prompt(t.Context(), p, PromptInput{Name: name}); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%q: %q, want %q", name, enginetest.Refusal(err), want)
		}
	}
	if got, err := Prompt(t.Context(), p, PromptInput{Name: "standard"}); err != nil || strings.TrimSpace(got.Text) != "Do it." || got.Source != "---\npurpose: Ours\n---\nDo it.\n" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRenderPrompt renders the prompt that work would use, and starts nothing.
func TestRenderPrompt(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.SpecAt(t, "pending", enginetest.StrictBody)
	enginetest.Write(t, dir, ".chant/prompts/mine.md", "---\npurpose: Mine\n---\nTitle: {{spec.title}} on {{project.name}}.\n")
	before := enginetest.StateOf(t, dir)
	r, err := RenderPrompt(t.Context(), p, RenderPromptInput{ID: "001", Prompt: "mine"})
	assert.NoError(t, err)
	assert.Equal(t, enginetest.StrictID, r.ID)
	assert.Equal(t, "mine", r.Name)
	assert.Contains(t, r.Text, "Title: Strict on test.")
	r, err = RenderPrompt(t.Context(), p, RenderPromptInput{ID: "001"})
	assert.NoError(t, err)
	assert.Equal(t, "standard", r.Name)
	assert.Contains(t, r.Text, "Strict")
	for want, in := range map[string]RenderPromptInput{"not_found | chant list": {ID: "zzz"}, "not_found | chant prompt list": {ID: "001", Prompt: "none"}} {
		if _, err := RenderPrompt(t.Context(), p, in); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%+v: %q", in, enginetest.Refusal(err))
		}
	}
	assert.Equal(t, before, enginetest.StateOf(t, dir))
}
