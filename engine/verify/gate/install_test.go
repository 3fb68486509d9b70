package gate

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/format/hooks"

	"github.com/alecthomas/assert/v2"
)

// withChant returns options with a chant in a folder whose name a shell and git must quote.
func withChant() engine.Options {
	o := enginetest.Options()
	o.Executable = "/opt/it's 100%/chant"
	return o
}

// files returns the files of a folder: their content or the target of a link, and their mode.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if target, err := os.Readlink(path); err == nil {
			out[rel] = "-> " + target
			return nil
		}
		src, err := os.ReadFile(path)
		out[rel] = info.Mode().Perm().String() + " " + string(src)
		return err
	})
	assert.NoError(t, err)
	return out
}

func states(r HooksResult) string {
	var out []string
	for _, h := range r.Hooks {
		out = append(out, h.State)
	}
	return strings.Join(out, " ")
}

// TestHooks_roundTrip installs twice next to hooks of every kind, and removes: then every byte, link and mode is as
// before, in the folder of hooks and in git's settings.
func TestHooks_roundTrip(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes and links of files")
	}
	const mode = 0o755
	for name, before := range map[string]func(dir string) error{
		"no hooks": func(string) error { return nil },
		"a shell script": func(dir string) error {
			return os.WriteFile(dir+"/pre-commit", []byte("#!/bin/bash\necho mine\n"), mode)
		},
		"without a last line end": func(dir string) error {
			return os.WriteFile(dir+"/pre-commit", []byte("#!/bin/sh"), mode)
		},
		"no interpreter line": func(dir string) error { return os.WriteFile(dir+"/pre-push", []byte("echo mine\n"), 0o700) },
		"another language": func(dir string) error {
			return os.WriteFile(dir+"/pre-commit", []byte("#!/usr/bin/env python3\nprint(1)\n"), mode)
		},
		"a program": func(dir string) error { return os.WriteFile(dir+"/commit-msg", []byte("\x7fELF\x00\x01"), mode) },
		"one that is switched off": func(dir string) error {
			return os.WriteFile(dir+"/pre-commit", []byte("#!/bin/sh\nexit 1\n"), 0o644)
		},
		"a link": func(dir string) error {
			if err := os.WriteFile(dir+"/../tool", []byte("#!/usr/bin/perl\n"), mode); err != nil {
				return err
			}
			return os.Symlink("../tool", dir+"/pre-commit")
		},
		"a link that leads nowhere": func(dir string) error { return os.Symlink("../gone", dir+"/pre-commit") },
		"one program under two names": func(dir string) error {
			for _, name := range []string{"pre-commit", "pre-push"} {
				if err := os.WriteFile(dir+"/"+name, []byte("#!/usr/bin/env ruby\nputs $0\n"), mode); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, dir := enginetest.Project(t)
			own := filepath.Join(dir, ".git", "hooks")
			assert.NoError(t, os.MkdirAll(own, 0o755))
			assert.NoError(t, before(own))
			was, settings := files(t, own), enginetest.Git(t, dir, "config", "--local", "--list")
			for range 2 {
				r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{})
				assert.NoError(t, err)
				assert.Equal(t, "active active active", states(r))
				assert.Equal(t, "/opt/it's 100%/chant", r.Program)
				assert.Equal(t, 3, len(r.Settings))
			}
			for _, name := range hooks.Names() {
				info, err := os.Stat(filepath.Join(own, name))
				assert.NoError(t, err, "git cannot run %s", name)
				assert.NotEqual(t, 0, info.Mode()&0o100, "git cannot run %s", name)
			}
			for path, text := range was {
				if now := files(t, own); !slices.ContainsFunc(slices.Collect(maps.Values(now)), func(have string) bool { return keeps(have, text) }) {
					t.Errorf("installing has lost %s, which was\n%s", path, text)
				}
			}
			r, err := HooksRemove(t.Context(), dir, withChant(), HooksInput{})
			assert.NoError(t, err)
			assert.Equal(t, "missing missing missing", states(r))
			assert.Zero(t, r.Settings)
			assert.Zero(t, r.Notes)
			now := files(t, own)
			for path, text := range was {
				assert.Equal(t, text, now[path], "%s was", path)
			}
			assert.Equal(t, len(was), len(now))
			assert.Equal(t, settings, enginetest.Git(t, dir, "config", "--local", "--list"))
			assert.False(t, engine.Exists(filepath.Join(dir, ".git", "chant", "hook")), "the script of the hooks is left")
		})
	}
}

// keeps reports whether a file has the content or link target of a hook that was moved.
func keeps(have, hook string) bool {
	_, text, _ := strings.Cut(hook, " ")
	if target, link := strings.CutPrefix(hook, "-> "); link {
		return strings.HasPrefix(have, "-> ") && strings.HasSuffix(have, target)
	}
	for line := range strings.Lines(text) {
		if !strings.Contains(have, strings.TrimSuffix(line, "\n")) {
			return false
		}
	}
	return true
}

// TestHooksStatus: the states of hooks before and after other programs change them.
func TestHooksStatus(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	own := filepath.Join(dir, ".git", "hooks")
	status := func() string {
		t.Helper()
		r, err := HooksStatus(t.Context(), dir, withChant(), HooksInput{})
		assert.NoError(t, err)
		return states(r)
	}
	assert.Equal(t, "missing missing missing", status())
	r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Notes))
	assert.Contains(t, r.Notes[0], "look for chant on the PATH")
	assert.NoError(t, os.WriteFile(filepath.Join(own, "pre-push"), []byte("#!/bin/sh\necho another tool\n"), 0o755))
	assert.Equal(t, "active active displaced", status(), "one was replaced")
	assert.NoError(t, os.Remove(filepath.Join(own, "pre-commit")))
	assert.Equal(t, "displaced active displaced", status(), "one was removed")
	if _, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{}); err != nil || status() != "active active active" {
		t.Errorf("installed again: %s, %v", status(), err)
	}
	assert.NoError(t, os.Remove(filepath.Join(dir, ".git", "chant", "hook")))
	assert.Equal(t, "idle idle idle", status(), "without the script")
	r, err = HooksRemove(t.Context(), dir, withChant(), HooksInput{})
	assert.NoError(t, err)
	assert.Equal(t, "missing missing missing", states(r))
	src, err := os.ReadFile(filepath.Join(own, "pre-push"))
	assert.NoError(t, err, "the other tool's hook")
	assert.Equal(t, "#!/bin/sh\necho another tool\n", string(src), "the other tool's hook")
	enginetest.Write(t, dir, ".git/chant/hooks.json", "{")
	_, err = HooksStatus(t.Context(), dir, withChant(), HooksInput{})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "a record that cannot be read")
}

// TestHooks_places: shared hooks are not changed, unless they are files of the repository and Tracked is set.
func TestHooks_places(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"githooks/pre-commit": "#!/bin/sh\necho team\n", ".gitignore": "/ignored/\n"})
	set := func(path string) { enginetest.Git(t, dir, "config", "core.hooksPath", path) }

	set(t.TempDir())
	_, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{Tracked: true})
	assert.Equal(t, engine.State, enginetest.CodeOf(t, err), "a folder of the machine")
	assert.Contains(t, err.Error(), "outside of this repository", "a folder of the machine")
	set("githooks")
	_, err = HooksInstall(t.Context(), dir, withChant(), HooksInput{})
	assert.Equal(t, engine.State, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), `"githooks/pre-commit" is a file of the repository`)
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"), "a refused installation has changed files")
	assert.Equal(t, "#!/bin/sh\necho team\n", enginetest.Read(t, dir, "githooks/pre-commit"), "a refused installation has changed files")
	r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{Tracked: true})
	assert.NoError(t, err, "tracked, as asked")
	assert.Equal(t, "active active active", states(r), "tracked, as asked")
	r, err = HooksRemove(t.Context(), dir, withChant(), HooksInput{})
	assert.NoError(t, err, "removed without being asked")
	assert.NotEqual(t, 0, len(r.Notes), "removed without being asked")
	assert.Contains(t, r.Notes[0], "is a file of the repository and was not changed", "removed without being asked")
	r, err = HooksRemove(t.Context(), dir, withChant(), HooksInput{Tracked: true})
	assert.NoError(t, err, "removed: %+v", r)
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"), "removed: %+v", r)
	set("ignored")
	r, err = HooksInstall(t.Context(), dir, withChant(), HooksInput{})
	assert.NoError(t, err, "a folder that git ignores")
	assert.Equal(t, "active active active", states(r), "a folder that git ignores")
	assert.HasSuffix(t, r.Dir, "/ignored", "a folder that git ignores")
}

// TestHooks_othersAdd: what other tools add to our hooks is kept, and hooks that they move are found.
func TestHooks_othersAdd(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	own := filepath.Join(dir, ".git", "hooks")
	enginetest.Write(t, own, "pre-commit", "#!/usr/bin/perl\nprint 1\n")
	install := func() {
		t.Helper()
		r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{})
		assert.NoError(t, err)
		assert.Equal(t, "active active active", states(r))
	}
	install()
	added := enginetest.Read(t, own, "pre-commit") + "echo added by another tool\n"
	enginetest.Write(t, own, "pre-commit", added)
	moved := enginetest.Read(t, own, "pre-push")
	enginetest.Write(t, own, "pre-push.old", moved)
	enginetest.Write(t, own, "pre-push", "#!/bin/sh\n\"$0.old\" \"$@\"\n")
	install()
	assert.Equal(t, added, enginetest.Read(t, own, "pre-commit"))
	r, err := HooksRemove(t.Context(), dir, withChant(), HooksInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Notes))
	assert.Contains(t, r.Notes[0], "other programs have added to the hook")
	got := enginetest.Read(t, own, "pre-commit")
	assert.Contains(t, got, "added by another tool")
	assert.NotContains(t, got, "chant hooks")
	assert.Contains(t, enginetest.Read(t, own, "pre-commit.chant-before"), "perl", "the first hook")
	assert.False(t, engine.Exists(filepath.Join(own, "pre-push.old")), "a hook of ours that another tool has moved is left, or its own has changed")
	assert.Equal(t, "#!/bin/sh\n\"$0.old\" \"$@\"\n", enginetest.Read(t, own, "pre-push"), "a hook of ours that another tool has moved is left, or its own has changed")
}
