package author

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/enginetest"
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
	if err != nil || !slices.IsSortedFunc(r.Prompts, func(a, b PromptInfo) int { return strings.Compare(a.Name, b.Name) }) {
		t.Fatalf("%+v, %v", r, err)
	}
	seen := map[string]PromptInfo{}
	for _, info := range r.Prompts {
		if _, twice := seen[info.Name]; twice {
			t.Errorf("%s is listed twice", info.Name)
		}
		seen[info.Name] = info
	}
	if got := seen["mine"]; got.Shipped || got.Purpose != "Mine" || got.Invalid != "" {
		t.Errorf("%+v", got)
	}
	if got := seen["standard"]; got.Shipped || got.Purpose != "Ours" {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(seen["child"].Invalid, "nothing") || !strings.Contains(seen["empty"].Invalid, `prompt "empty" is empty`) || !seen["documentation"].Shipped {
		t.Errorf("%+v, %+v, %+v", seen["child"], seen["empty"], seen["documentation"])
	}
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
	if err != nil || r.ID != enginetest.StrictID || r.Name != "mine" || !strings.Contains(r.Text, "Title: Strict on test.") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := RenderPrompt(t.Context(), p, RenderPromptInput{ID: "001"}); err != nil || r.Name != "standard" || !strings.Contains(r.Text, "Strict") {
		t.Errorf("%+v, %v", r, err)
	}
	for want, in := range map[string]RenderPromptInput{"not_found | chant list": {ID: "zzz"}, "not_found | chant prompt list": {ID: "001", Prompt: "none"}} {
		if _, err := RenderPrompt(t.Context(), p, in); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%+v: %q", in, enginetest.Refusal(err))
		}
	}
	if after := enginetest.StateOf(t, dir); after != before {
		t.Errorf("it changed\n%s\nto\n%s", before, after)
	}
}
