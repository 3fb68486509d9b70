package prompt_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/prompt"

	"github.com/alecthomas/assert/v2"
)

// TestFileText reads the prompt of the project before the shipped one, and no file outside of the project.
func TestText(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	shipped, err := prompt.Text(p, prompt.Standard)
	assert.NoError(t, err)
	assert.NotEqual(t, "", shipped)
	enginetest.Commit(t, dir, map[string]string{
		".chant/prompts/" + prompt.Standard + ".md": "Ours.\n",
		".chant/prompts/empty.md":                   "---\nname: empty\n---\n",
	})
	got, err := prompt.Text(p, prompt.Standard)
	assert.NoError(t, err)
	assert.Equal(t, "Ours.\n", got)
	outside := filepath.Join(t.TempDir(), "secret.md")
	assert.NoError(t, os.WriteFile(outside, []byte("Secret.\n"), 0o600))
	if err := os.Symlink(outside, filepath.Join(dir, ".chant", "prompts", "link.md")); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{
		"missing": `no prompt "missing": there is none in .chant/prompts`,
		"empty":   `prompt "empty" is empty`,
		"link":    ".chant/prompts/link.md is a link that leads out of the repository",
		"../x":    `no prompt "../x"`,
	} {
		text, err := prompt.Text(p, name)
		assert.False(t, text != "" && name != "empty", "%s: %q, %v", name, text, err)
		assert.Contains(t, enginetest.Refusal(err), want)
	}
}
