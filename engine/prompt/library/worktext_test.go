package library

import (
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestPromptText_command: a command is a prompt by its three words, and gets the standard prompt if it uses nothing of
// the spec.
func TestPromptText_command(t *testing.T) {
	t.Parallel()
	const dir = ".agent/climpt/prompts/"
	p, _, home := enginetest.ProjectWith(t, map[string]string{
		dir + "a/b/plain/f_default.md":  "\ufeff---\r\nc1: a\r\n---\r\nDo it with {uv-x} in {destination_path} of {{project.name}}.\r\n",
		dir + "a/b/named/f_default.md":  "Do {uv-spec_id}.\n",
		dir + "a/b/fields/f_default.md": "Do {{spec.title}}.\n",
		dir + "a/b/text/f_default.md":   "Do: {input_text}\n",
		dir + "a/b/file/f_default.md":   "Do {input_text_file}, write {destination_path}\n",
		dir + "a/b/empty/f_default.md":  "---\nc1: a\n---\n",
		".chant/templates/t.md":         "# T\n",
		".chant/prompts/own.md":         "Own.\n",
		".chant/prompts/standard.md":    "The standard.\n",
	})
	enginetest.Write(t, home, dir+"a/b/home/f_default.md", "From home.\n")
	for name, want := range map[string]string{
		"a/b/plain":          "Do it with {uv-x} in {destination_path} of {{project.name}}.\n\nThe standard.\n",
		"a/b/named":          "Do {uv-spec_id}.\n",
		"a/b/fields":         "Do {{spec.title}}.\n",
		"a/b/text":           "Do: {input_text}\n\nThe standard.\n",
		"a/b/file":           "Do {input_text_file}, write {destination_path}\n\nThe standard.\n",
		"a/b/home":           "From home.\n\nThe standard.\n",
		"spec/work/own":      "Own.\n",
		"spec/work/standard": "The standard.\n",
	} {
		got, err := PromptText(p, name)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, want, got, "%s", name)
	}
	for name, want := range map[string]string{
		"a/b/none":       `not_found | chant command search "a b none" | no command "a/b/none"`,
		"a/b":            `not_found | chant prompt list | no prompt "a/b": invalid command`,
		"a/b/c/d":        `not_found | chant prompt list | no prompt "a/b/c/d"`,
		"../b/c":         `not_found | chant prompt list | no prompt "../b/c": invalid c1`,
		"a/b/empty":      "invalid | chant guide commands | .agent/climpt/prompts/a/b/empty/f_default.md is empty",
		"spec/add/t":     `invalid | chant template list | command "spec/add/t" is a template, from which specs are added; it is not a prompt`,
		"spec/work/none": "not_found | ",
	} {
		if _, err := PromptText(p, name); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%s: %s, want %s", name, enginetest.Refusal(err), want)
		}
	}
}
