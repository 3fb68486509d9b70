package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestDeinit_repositories: init and a landed spec, and deinit: the tree and git's settings and hooks are as before, but for specs and
// history.
func TestDeinit_repositories(t *testing.T) {
	t.Parallel()
	const server = "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n"
	for name, row := range map[string]struct {
		files map[string]string
		init  []string
		hooks bool   // chant hooks install --tracked after init
		path  string // core.hooksPath
	}{
		"plain":    {map[string]string{"README.md": "# A\n", "CLAUDE.md": "# Mine\n", ".mcp.json": server, ".git/hooks/pre-commit": "#!/bin/sh\nexit 0\n"}, []string{"--agent", "all", "--hooks", "--gitignore"}, false, ""},
		"husky":    {map[string]string{"package.json": "{}\n", ".husky/pre-commit": "true\n", ".husky/_/.gitignore": "*\n", ".husky/_/h": "#!/bin/sh\n", ".husky/_/pre-commit": "#!/bin/sh\n. \"$(dirname \"$0\")/h\"\n"}, []string{"--agent", "claude"}, true, ".husky/_"},
		"lefthook": {map[string]string{"lefthook.yml": "pre-commit:\n  jobs: []\n", ".git/hooks/pre-commit": "#!/bin/sh\n# lefthook\ncall_lefthook() { :; }\ncall_lefthook run \"pre-commit\" \"$@\"\n"}, []string{"--agent", "codex", "--hooks"}, false, ""},
		"silent":   {map[string]string{"README.md": "# A\n"}, []string{"--silent", "--agent", "claude", "--hooks"}, false, ""},
		"worktree": {map[string]string{"README.md": "# A\n", "AGENTS.md": "# Mine\n"}, []string{"--agent", "codex", "--hooks"}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			repo, home := filepath.Join(top, "repo"), filepath.Join(top, "home")
			assert.NoError(t, os.MkdirAll(repo, 0o755))
			assert.NoError(t, os.MkdirAll(home, 0o755))
			env := append(os.Environ(), append(environment(home), "XDG_CACHE_HOME="+filepath.Join(top, "cache"), "CHANT_SANDBOX=off")...)
			at := repo
			do := func(program string, args ...string) string {
				t.Helper()
				got := execute(t, at, env, program, args...)
				assert.Equal(t, 0, got.code, "%s %q: %s%s", filepath.Base(program), args, got.out, got.stderr)
				return got.out
			}
			chant := func(args ...string) { t.Helper(); do(chantBinary(t), args...) }
			do("git", "init", "-q", "-b", "main")
			for file, text := range row.files {
				path := filepath.Join(repo, filepath.FromSlash(file))
				assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				assert.NoError(t, os.WriteFile(path, []byte(text), 0o755))
			}
			if row.path != "" {
				do("git", "config", "core.hooksPath", row.path)
			}
			do("git", "add", "-A")
			do("git", "commit", "-q", "-m", "Begin")
			if name == "worktree" {
				do("git", "worktree", "add", "-q", filepath.Join(top, "linked"))
				at = filepath.Join(top, "linked")
			}
			state := func() string {
				var all strings.Builder
				for _, folder := range []string{repo, filepath.Join(repo, ".git", "hooks")} {
					assert.NoError(t, filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
						rel, _ := filepath.Rel(folder, path)
						if rel == ".git" || rel == ".chant" || rel == "a.txt" {
							if e.IsDir() {
								return filepath.SkipDir
							}
							return nil
						}
						if err == nil && !e.IsDir() {
							text, err := os.ReadFile(path)
							all.WriteString("== " + rel + "\n" + string(text))
							return err
						}
						return err
					}))
				}
				exclude, _ := os.ReadFile(filepath.Join(repo, ".git", "info", "exclude"))
				return all.String() + "== exclude\n" + strings.ReplaceAll(string(exclude), "/.chant\n", "") + do("git", "config", "--local", "--list") + strings.Join(regexp.MustCompile(`(?m)^worktree .*`).FindAllString(do("git", "worktree", "list", "--porcelain"), -1), "\n")
			}
			before := state()
			chant(append([]string{"init", "--provider", "shell"}, row.init...)...)
			if row.hooks {
				chant("hooks", "install", "--tracked")
			}
			chant("add", "Write a\n\n## Script\n\n```sh\necho a > a.txt\n```", "--criterion", "It is there `$ test -f a.txt`")
			chant("work", "001")
			got := execute(t, at, env, chantBinary(t), "deinit")
			assert.Equal(t, 2, got.code, "%s", got.out)
			chant("deinit", "--dry-run")
			chant("deinit", "--yes")
			assert.Equal(t, before, state())
			left, err := filepath.Glob(filepath.Join(repo, ".chant", "*"))
			assert.NoError(t, err)
			assert.Equal(t, []string{filepath.Join(repo, ".chant", "specs")}, left)
			for _, gone := range []string{filepath.Join(repo, ".git", "chant"), filepath.Join(top, "cache", "chant", "*")} {
				found, _ := filepath.Glob(gone)
				assert.Equal(t, 0, len(found), "%q", found)
			}
			// It can be set up again.
			chant("init", "--provider", "shell")
		})
	}
}

// TestDeinit_refused: work that has not landed is not removed.
func TestDeinit_refused(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.chant("add", "Write a\n\n## Script\n\n```sh\necho b > b.txt\n```", "--criterion", "It is there `$ test -f a.txt`")
	p.try(nil, "work", "001")
	_, said, code := p.try(nil, "deinit", "--yes")
	assert.Equal(t, 5, code, "%s", said)
	assert.Contains(t, said, "has work that has not landed")
	// Not with --clear, which would remove the caches of other tests.
	assert.Contains(t, p.chant("cache"), " MB  in ")
}

// TestDeinit_others: what another project of the repository uses stays, and so does what a fleet has left.
func TestDeinit_others(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.chant("hooks", "install")
	web := filepath.Join(p.dir, "web")
	assert.NoError(t, os.MkdirAll(web, 0o755))
	run := func(args ...string) {
		t.Helper()
		got := execute(t, web, p.env, chantBinary(t), args...)
		assert.Equal(t, 0, got.code, "%q: %s%s", args, got.out, got.stderr)
	}
	run("init", "--here", "--provider", "shell")
	for _, dir := range []string{p.dir, web} {
		got := execute(t, dir, p.env, chantBinary(t), "add", "Write a\n\n## Script\n\n```sh\necho a > a.txt\n```", "--criterion", "It is there `$ test -f a.txt`")
		assert.Equal(t, 0, got.code, "%s", got.stderr)
		got = execute(t, dir, p.env, chantBinary(t), "work", "001")
		assert.Equal(t, 0, got.code, "%s", got.stderr)
	}
	stays := filepath.Join(p.dir, ".git", "chant", "fleet", "worker", "work.txt")
	assert.NoError(t, os.MkdirAll(filepath.Dir(stays), 0o755))
	assert.NoError(t, os.WriteFile(stays, []byte("landed nowhere\n"), 0o644))

	p.chant("deinit", "--yes")
	_, err := os.Stat(stays)
	assert.NoError(t, err)
	_, err = os.Stat(filepath.Join(p.dir, ".git", "hooks", "commit-msg"))
	assert.NoError(t, err, "the other project still has its hooks")
	run("show", "001")
	run("work", "--all")

	// An edit that is in no commit is kept, beside one that was kept before.
	settings := filepath.Join(web, ".chant", "config.md")
	for _, edit := range []string{"\nfirst edit\n", "\nsecond edit\n"} {
		text, err := os.ReadFile(settings)
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(settings, append(text, edit...), 0o644))
		run("deinit", "--yes")
		kept := ""
		assert.NoError(t, filepath.WalkDir(filepath.Join(p.dir, ".git", "chant-kept"), func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				text, err := os.ReadFile(path)
				kept += string(text)
				return err
			}
			return err
		}))
		assert.Contains(t, kept, "first edit")
		assert.Contains(t, kept, edit)
		p.git("-C", web, "restore", ".chant/config.md")
	}
}
