package prompt_test

import (
	"os"
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/prompt"

	"github.com/alecthomas/assert/v2"
)

// TestChecks reads rules in home as they are there, and those of a commit as they were; no link leads out.
func TestChecks(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	text, err := prompt.RulesFor(p, nil)
	assert.NoError(t, err)
	assert.Equal(t, "", text)
	enginetest.Commit(t, dir, map[string]string{
		".chant/rules.md":    "- It builds `$ make`\n",
		".chant/rules/go.md": "---\npaths: \"*.go\"\n---\n- Vet `$ go vet`\n",
	})
	enginetest.Write(t, dir, ".chant/rules.md", "- It is tested `$ make test`\n")
	now, err := prompt.Checks(p)
	assert.NoError(t, err)
	assert.Equal(t, "make test", now.Rules.For([]string{"a.txt"}).Commands()[0].Run)
	assert.Equal(t, 2, len(prompt.ProjectCommands(p, nil)))
	then, err := prompt.ChecksAt(t.Context(), p, "HEAD", p.Config.Verify)
	assert.NoError(t, err)
	assert.Equal(t, "make", then.Rules[0].Commands[0].Run)
	assert.Equal(t, 2, len(then.Rules))
	if text, err = prompt.RulesFor(p, []string{"a.txt"}); err != nil {
		t.Fatal(err)
	}
	assert.Contains(t, text, "It is tested")
	assert.NotContains(t, text, "Vet")

	outside := filepath.Join(t.TempDir(), "secret.md")
	assert.NoError(t, os.WriteFile(outside, []byte("Secret.\n"), 0o600))
	if err := os.Symlink(outside, filepath.Join(dir, ".chant", "rules", "link.md")); err != nil {
		t.Skip(err)
	}
	text, err = prompt.RulesFor(p, nil)
	assert.Equal(t, "invalid | vi .chant/rules/link.md | .chant/rules/link.md:1: is not a regular file; rules are read from no link", enginetest.Refusal(err))
	assert.Contains(t, text, "Vet")
	assert.NotContains(t, text, "Secret")
}
