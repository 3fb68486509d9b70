package touched

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/store"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestKindOf sorts paths.
func TestKindOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]Kind{
		".chant/config.md": Settings, ".chant/evil.md": Settings, ".chant/rules.md": Settings, ".chant/rules/go.md": Settings, ".Chant/config.md": Settings, ".chant/prompts/a.md": Prompt,
		".chant/providers/x.md": Provider, ".chant/templates/a.md": Template, ".chant/schemas/a.json": Schema, ".chant/keys/a.pub": Key,
		".chant/specs/a.md": "", ".chant/archive/2026-01-02/a.md": "", ".chant/.gitignore": "", "src/a.go": "",
		"Makefile": Protected, "test/a/b.sh": Protected, "tests/a.sh": "", ".chant": "",
		"Makefile.sh": Protected, "RCS/Makefile,v": Protected, "Makefile.am": "", "sub/Makefile.sh": "", "lib/x.so": Protected, "lib/__pycache__/x.cpython-311.pyc": Protected,
		"GNUmakefile": Protected, "makefile": Protected, "sub/GNUmakefile": "", "lib/x/__init__.py": Protected, "lib/__init__.py": "",
	} {
		assert.Equal(t, want, KindOf(path, []string{"Makefile", "test/**", "lib/x.py"}), "%s", path)
	}
}

// TestRunsTests: files that take over how tests run are known; manifests, and files that commands name, are not among them.
func TestRunsTests(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		".npmrc": true, "web/.npmrc": true, "conftest.py": true, "tests/conftest.py": true, "sitecustomize.py": true, "pytest.ini": true, ".rspec": true,
		".mocharc.json": true, "phpunit.xml": true, ".cargo/config.toml": true, ".mvn/maven.config": true, "go.work": true, ".bazelrc": true,
		"node_modules/.bin/jest": true, "pytest.toml": true, ".pytest.ini": true, ".rspec-local": true,
		"package.json": false, "Makefile": false, "setup.py": false, "build.rs": false, "pom.xml": false, "vite.config.ts": false, "main.go": false,
	} {
		assert.Equal(t, want, RunsTests(path), "%s", path)
	}
}

// TestBetween compares two commits.
func TestBetween(t *testing.T) {
	t.Parallel()
	const one = "---\nstatus: pending\ntarget_files: [x, y]\n---\n# A\n\n## Acceptance Criteria\n\n- [ ] done `$ true`\n"
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	enginetest.Commit(t, dir, map[string]string{".chant/specs/a.md": one, ".chant/specs/b.md": one, ".chant/specs/c.md": one, "Makefile": "all:\n", "x": "x"})
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/a.md":      "---\nstatus: pending\ntarget_files: [y, z]\n---\n# A\n\n## Acceptance Criteria\n\n- [ ] done\n",
		".chant/specs/b.md":      "---\nstatus: completed\n---\n# A\n\n## Acceptance Criteria\n\n- [x] done `$ true`\n",
		".chant/specs/c.md":      "---\nstatus: [\n",
		".chant/specs/d.md":      "---\nstatus: completed\n---\n# D\n",
		".chant/prompts/fast.md": "do it", "x": "y",
	})
	assert.NoError(t, os.Remove(filepath.Join(dir, "Makefile")))
	enginetest.Git(t, dir, "commit", "-q", "-am", "without")
	repo, err := gitops.Open(dir)
	assert.NoError(t, err)
	found, err := Commits{Repo: repo, Store: store.OpenRepository(repo, "chant/")}.Changes(t.Context(), "HEAD~2", "HEAD", Rules{Protect: []string{"Makefile"}})
	assert.NoError(t, err)
	var got []string
	for _, thing := range found {
		got = append(got, fmt.Sprintf("%s: %s", thing.Kind, thing))
	}
	want := []string{
		"prompt: .chant/prompts/fast.md was added",
		"weakened: .chant/specs/a.md requires less: criterion 1 was removed or reworded: done `$ true`",
		"sources: .chant/specs/a.md no longer names x, whose drift is then not reported",
		"completed: .chant/specs/b.md was set to completed",
		"sources: .chant/specs/b.md no longer names x, y, whose drift is then not reported",
		"completed: .chant/specs/d.md was set to completed",
		"protected: Makefile is protected and was deleted",
	}
	assert.Equal(t, want, got)
}
