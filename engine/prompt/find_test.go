package prompt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/prompt"
)

// TestFileText reads the prompt of the project before the shipped one, and no file outside of the project.
func TestText(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	shipped, err := prompt.Text(p, prompt.Standard)
	if err != nil || shipped == "" {
		t.Fatalf("%q, %v", shipped, err)
	}
	enginetest.Commit(t, dir, map[string]string{
		".chant/prompts/" + prompt.Standard + ".md": "Ours.\n",
		".chant/prompts/empty.md":                   "---\nname: empty\n---\n",
	})
	if got, err := prompt.Text(p, prompt.Standard); err != nil || got != "Ours.\n" {
		t.Errorf("%q, %v", got, err)
	}
	outside := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("Secret.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, ".chant", "prompts", "link.md")); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{
		"missing": `no prompt "missing": there is none in .chant/prompts`,
		"empty":   `prompt "empty" is empty`,
		"link":    ".chant/prompts/link.md is a link that leads out of the repository",
		"../x":    `no prompt "../x"`,
	} {
		if text, err := prompt.Text(p, name); text != "" && name != "empty" || !strings.Contains(enginetest.Refusal(err), want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
