package weakened

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/store/touched"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestBetween compares commits: a file that was moved is one, files of chant do not count, and a large change is cut after its
// tests, and says so.
func TestBetween(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const tested = "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, A())\n}\n"
	large := strings.Repeat("line\n", maxLines+1)
	enginetest.Commit(t, dir, map[string]string{"a_test.go": tested, "z_test.go": tested})
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Git(t, dir, "rm", "-q", "a_test.go")
	enginetest.Commit(t, dir, map[string]string{
		"b/a_test.go": tested, "z_test.go": strings.Replace(tested, "\tassert", "\tt.Skip()\n\tassert", 1),
		"large.txt": large, "larger.txt": large, ".chant/a_test.go": "package a\n",
	})
	got, err := Between(t.Context(), p.Repo, base, "HEAD", Work{})
	assert.NoError(t, err)
	assert.Equal(t, "[z_test.go:4 test_skipped: nothing -> t.Skip()]", fmt.Sprint(got.Findings))
	assert.Equal(t, "4 of 5 changed files were compared for weakened checks (at most 2000 files and 20000 lines are)", got.Cut)
}

// TestBetween_replaced: a check that is a link now, leads elsewhere, is a submodule or no program is found; other links are not.
func TestBetween_replaced(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		"tests/a.sh": "sh greet.sh | grep -q hello\n", "tests2/a.sh": ":\n", "check.sh": "exit 1\n", "run.sh": "exit 1\n", "lib.sh": ":\n", "ok.sh": ":\n", "want": "hello\n",
		"docs/a.md": "a\n", "kept.sh": "cmp want out\n", "a_test.go": "package a\n", ".chant/specs/a.md": "# A\n",
	})
	assert.NoError(t, os.Symlink("want", filepath.Join(dir, "expected")))
	assert.NoError(t, os.Symlink("docs", filepath.Join(dir, "pages")))
	for _, file := range []string{"run.sh", "lib.sh", "a_test.go"} {
		assert.NoError(t, os.Chmod(filepath.Join(dir, file), 0o755))
	}
	enginetest.Git(t, dir, "add", "-A")
	enginetest.Git(t, dir, "commit", "-q", "-m", "links")
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for _, file := range []string{"tests", "check.sh", "expected", "pages"} {
		assert.NoError(t, os.RemoveAll(filepath.Join(dir, file)))
	}
	for file, to := range map[string]string{"tests": "tests2", "check.sh": "ok.sh", "expected": "ok.sh", "pages": "tests2", "new": "ok.sh"} {
		assert.NoError(t, os.Symlink(to, filepath.Join(dir, file)))
	}
	for _, file := range []string{"run.sh", "lib.sh", "a_test.go"} {
		assert.NoError(t, os.Chmod(filepath.Join(dir, file), 0o644))
	}
	enginetest.Commit(t, dir, map[string]string{"want": "hi\n"})
	enginetest.Git(t, dir, "add", "-A")
	enginetest.Git(t, dir, "commit", "-q", "-m", "replaced")
	got, err := Between(t.Context(), p.Repo, base, "HEAD", Work{Commands: []string{"sh check.sh && ./run.sh && sh lib.sh", "sh greet.sh | cmp - expected", "sh kept.sh"}})
	assert.NoError(t, err)
	assert.Equal(t, []string{
		"check.sh:1 check_changed: a file -> a link to ok.sh",
		"expected:1 check_changed: a link to want -> a link to ok.sh",
		"run.sh:1 check_changed: executable -> not executable",
		"tests:1 test_removed: a folder -> a link to tests2",
		"tests/a.sh:1 test_removed: sh greet.sh | grep -q hello -> nothing",
		"want:1 check_changed: hello -> hi",
	}, texts(got.Findings))
}

// TestBetween_linked: a new link takes over what a file, or a package, of its name would take over, and others do not.
func TestBetween_linked(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"tests/test_a.py": "import unittest\n", "lib/__init__.py": "x = 1\n", "lib/fast.txt": "a\n"})
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for file, to := range map[string]string{"unittest": "lib", "json.so": "lib/fast.txt", "conftest.py": "lib/__init__.py", "other": "lib", "tests/data": "../lib"} {
		assert.NoError(t, os.Symlink(to, filepath.Join(dir, file)))
	}
	enginetest.Git(t, dir, "add", "-A")
	enginetest.Git(t, dir, "commit", "-q", "-m", "links")
	got, err := Between(t.Context(), p.Repo, base, "HEAD", Work{Commands: []string{"python3 -m unittest discover -s tests"}})
	assert.NoError(t, err)
	assert.Equal(t, []string{
		"conftest.py:1 test_config_changed: nothing -> a link to lib/__init__.py",
		"json.so:1 test_config_changed: the module json -> a link to lib/fast.txt",
		"unittest:1 test_config_changed: the module unittest -> a link to lib",
	}, texts(got.Findings))
}

// TestBetween_library: a module of a language that a project had itself may grow, and one that it had not hides the other one.
func TestBetween_library(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"t/a.t": "use Test::More;\n", "test/a_test.rb": "require \"minitest/autorun\"\n", "lib/Test/Deep.pm": "1;\n", "lib/Test/Deep/A.pm": "1;\n"})
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Commit(t, dir, map[string]string{
		"lib/Test/More.pm": "1;\n", "t/lib/strict.pm": "1;\n", "lib/minitest/autorun.rb": "exit\n", "test/set.rb": "exit\n",
		"lib/Test/Deep/B.pm": "1;\n", "lib/App.pm": "1;\n", "lib/Mine/More.pm": "1;\n", "app/models/set.rb": "1\n",
	})
	got, err := Between(t.Context(), p.Repo, base, "HEAD", Work{Commands: []string{"prove -l t", "ruby -Ilib -Itest test/a_test.rb"}})
	assert.NoError(t, err)
	assert.Equal(t, []string{
		"lib/Test/More.pm:1 test_config_changed: the module Test::More -> 1;",
		"lib/minitest/autorun.rb:1 test_config_changed: the module minitest/autorun -> exit",
		"t/lib/strict.pm:1 test_config_changed: the module strict -> 1;",
		"test/set.rb:1 test_config_changed: the module set -> exit",
	}, texts(got.Findings))
}

// TestBetween_cut: tests that were there come before those that are added, and a change that is not compared as a whole is
// a finding.
func TestBetween_cut(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const tested = "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, A())\n}\n"
	large := "package a\n" + strings.Repeat("var _ = 1\n", maxLines+1)
	enginetest.Commit(t, dir, map[string]string{"z_test.go": tested, "code.go": "package a\n"})
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Commit(t, dir, map[string]string{"z_test.go": strings.Replace(tested, "\tassert", "\tt.Skip()\n\tassert", 1), "a_test.go": large, "code.go": large})
	got, err := Between(t.Context(), p.Repo, base, "HEAD", Work{})
	assert.NoError(t, err)
	assert.Equal(t, []string{
		"code.go:1 not_comparable: nothing -> 2 of 3 changed files were compared for weakened checks (at most 2000 files and 20000 lines are)",
		"z_test.go:4 test_skipped: nothing -> t.Skip()",
	}, texts(got.Findings))
}

// TestRankOf: existing tests and what decides how they run come first; code that is new and data come last.
func TestRankOf(t *testing.T) {
	t.Parallel()
	used, names := newUsedFiles([]string{"sh fixtures/check.json"}), touched.NewNames([]string{"lib/check.py", "a.go"})
	for _, tc := range []struct {
		status byte
		path   string
		want   int
	}{
		{'M', "a_test.go", 0}, {'A', "tests/run", 0}, {'M', "tests/cases/a.json", 0}, {'M', "fixtures/check.json", 0},
		{'A', "jest.config.js", 1}, {'A', "node_modules/.bin/jest", 1}, {'A', "queue.py", 1}, {'A', "queue.pyc", 1}, {'A', "lib/check.abi3.so", 1}, {'A', "lib/other.abi3.so", uncompared + 1}, {'A', "check/a.html", 1}, {'M', "a.golden", 1}, {'M', "go.mod", 1},
		{'M', "a.go", 2}, {'D', "a.go", 2},
		{'A', "a.go", uncompared},
		{'A', "vendor/x/a.go", uncompared + 1}, {'M', "e2e/package-lock.json", uncompared + 1}, {'M', "tests/data.json", uncompared + 1}, {'M', "docs/a.md", uncompared + 1},
	} {
		assert.Equal(t, tc.want, rankOf(gitops.Change{Status: tc.status, Path: tc.path}, used, names, []string{"check"}), "%s", tc.path)
	}
}

// TestBetween_firstTests: a file of settings takes over tests below its folder alone, and specs of chant are none.
func TestBetween_firstTests(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/specs/a.md": "# A\n", "a.py": "x = 1\n"})
	enginetest.Commit(t, dir, map[string]string{"conftest.py": "import a\n"})
	got, err := Between(t.Context(), p.Repo, "HEAD~1", "HEAD", Work{})
	assert.NoError(t, err)
	assert.Equal(t, []string(nil), texts(got.Findings))
	enginetest.Commit(t, dir, map[string]string{"test_a.py": "import a\n"})
	enginetest.Commit(t, dir, map[string]string{"sub/conftest.py": "import a\n\n@pytest.fixture(autouse=True)\ndef one(): pass\n"})
	got, err = Between(t.Context(), p.Repo, "HEAD~1", "HEAD", Work{})
	assert.NoError(t, err)
	assert.Equal(t, []string(nil), texts(got.Findings))
	enginetest.Commit(t, dir, map[string]string{"sub/test_b.py": "import a\n"})
	enginetest.Git(t, dir, "rm", "-q", "sub/conftest.py")
	enginetest.Git(t, dir, "commit", "-q", "-m", "without settings")
	enginetest.Commit(t, dir, map[string]string{"sub/conftest.py": "import a\n\ndef pytest_runtest_call(item): pass\n"})
	got, err = Between(t.Context(), p.Repo, "HEAD~1", "HEAD", Work{})
	assert.NoError(t, err)
	assert.Equal(t, []string{"sub/conftest.py:3 test_config_changed: nothing -> def pytest_runtest_call(item): pass"}, texts(got.Findings))
}

func texts(found []criteria.Weakened) []string {
	var out []string
	for _, w := range found {
		out = append(out, w.String())
	}
	return out
}
