package prompts

import (
	"testing"

	"chant/engine/author"
	"chant/engine/author/commands"
	"chant/engine/format/climpt"

	"github.com/alecthomas/assert/v2"
)

func named(c1, c2, c3 string) *commands.Listed {
	return &commands.Listed{Command: climpt.Command{Name: climpt.Name{C1: c1, C2: c2, C3: c3}}}
}

// TestDistinct: entries whose words would have the same name when joined get different ones.
func TestDistinct(t *testing.T) {
	t.Parallel()
	got := distinctNames([]entry{
		ownEntry(author.PromptInfo{Name: "standard"}), ownEntry(author.PromptInfo{Name: "a_b_c_d"}),
		commandEntry("climpt", named("a", "b", "c_d")), commandEntry("climpt", named("a_b", "c", "d")),
		commandEntry("scout", named("a", "b", "c")), commandEntry("climpt", named("git", "group-commit", "unstaged-changes")),
	})
	var names []string
	for _, e := range got {
		names = append(names, e.name)
	}
	want := []string{"a_b_c_d", "a_b_c_d_2", "a_b_c_d_3", "git_group-commit_unstaged-changes", "scout_a_b_c", "standard"}
	assert.Equal(t, want, names)
	assert.True(t, got[0].own, "got %q %+v", names, got)
	assert.Equal(t, "a", got[1].command.C1)
	assert.Equal(t, "a_b", got[2].command.C1)
}

func TestArguments(t *testing.T) {
	t.Parallel()
	c := named("git", "group", "changes")
	c.Options = &climpt.Options{Edition: []string{"default", "short"}, Adaptation: []string{"default"}, File: true, Stdin: true, Destination: true}
	c.Variables = climpt.Variables{{Name: "scope", Description: "Which folder"}, {Name: "file", Description: "Which one"}, {Name: "spec_id", Description: "Spec"}}
	for name, tt := range map[string]struct {
		entry entry
		want  []string // of a required one with "!"
	}{
		"own":     {ownEntry(author.PromptInfo{Name: "standard"}), []string{"id=spec"}},
		"bare":    {commandEntry("climpt", named("a", "b", "c")), []string{"id=spec"}},
		"command": {commandEntry("climpt", c), []string{"scope=uv-scope!", "uv-file=uv-file!", "input_text=stdin", "file=file", "destination=destination", "edition=edition", "spec_id=uv-spec_id", "id=spec"}},
	} {
		var got []string
		for _, a := range tt.entry.arguments() {
			text := a.Name + "=" + a.option
			if a.Required {
				text += "!"
			}
			got = append(got, text)
		}
		assert.Equal(t, tt.want, got, "%s", name)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	c := named("a", "b", "c")
	c.Options = &climpt.Options{Stdin: true}
	c.Variables = climpt.Variables{{Name: "scope"}, {Name: "most"}}
	e := commandEntry("climpt", c)
	for _, tt := range []struct {
		given, want      map[string]string
		missing, unknown string
	}{
		{map[string]string{"scope": "x", "most": "3", "id": "", "input_text": "t"}, map[string]string{"uv-scope": "x", "uv-most": "3", "stdin": "t"}, "", ""},
		{nil, map[string]string{}, "scope", ""},
		{map[string]string{"scope": "x", "most": ""}, map[string]string{"uv-scope": "x"}, "most", ""},
		{map[string]string{"scope": "x", "most": "1", "z": "", "speed": "9"}, map[string]string{"uv-scope": "x", "uv-most": "1"}, "", "speed"},
	} {
		options, missing, unknown := e.options(tt.given)
		assert.Equal(t, tt.want, options, "%v", tt.given)
		assert.Equal(t, tt.missing, missing, "%v", tt.given)
		assert.Equal(t, tt.unknown, unknown, "%v", tt.given)
	}
}
