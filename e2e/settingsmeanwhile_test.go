package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSettings_meanwhile: a person changes the settings of git that hold everywhere while an agent works. git replaces the
// file, which the wall has allowed the agent to read; its git works all the same, and nothing is charged.
func TestSettings_meanwhile(t *testing.T) {
	t.Parallel()
	p := newWalledProject(t)
	id := parallelID(0)
	p.addAll(map[string]string{id: "---\nstatus: pending\n---\n# Wait\n\n## Script\n\n```sh\n: > waits\nwhile [ ! -e go ]; do sleep 0.1; done\nrm waits go\n" +
		"git config --global own.name mine\ngit config own.name > own.txt\ngit config some.name > name.txt\ngit add .\ngit commit -q -m work\n```\n\n" +
		"## Acceptance Criteria\n\n- [ ] it can read them `$ grep -q there name.txt && grep -q mine own.txt`\n"})
	tree := filepath.Join(p.dir, ".chant", "worktrees", id)
	p.git("config", "--global", "some.name", "there")
	work := p.begin("work", id)
	if !eventually(func() bool { _, err := os.Stat(filepath.Join(tree, "waits")); return err == nil }) {
		t.Fatal("the agent does not start")
	}
	p.git("config", "--global", "alias.st", "status")
	assert.NoError(t, os.WriteFile(filepath.Join(tree, "go"), nil, 0o600))
	assert.Equal(t, 0, work.end(), "%s", work.said(work.err))
	assert.Contains(t, work.said(work.err), `git setting "alias.st" was added`)
	assert.Equal(t, "completed", p.statusOnMain(id))
	assert.NotContains(t, p.git("config", "--global", "--list"), "own.name")
	p.atRest()
}
