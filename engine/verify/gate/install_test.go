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
	if err != nil {
		t.Fatal(err)
	}
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
			if err := os.MkdirAll(own, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := before(own); err != nil {
				t.Fatal(err)
			}
			was, settings := files(t, own), enginetest.Git(t, dir, "config", "--local", "--list")
			for range 2 {
				r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{})
				if err != nil || states(r) != "active active active" || r.Program != "/opt/it's 100%/chant" || len(r.Settings) != 3 {
					t.Fatalf("installed: %+v, %v", r, err)
				}
			}
			for _, name := range hooks.Names() {
				info, err := os.Stat(filepath.Join(own, name))
				if err != nil || info.Mode()&0o100 == 0 {
					t.Errorf("git cannot run %s: %v, %v", name, info, err)
				}
			}
			for path, text := range was {
				if now := files(t, own); !slices.ContainsFunc(slices.Collect(maps.Values(now)), func(have string) bool { return keeps(have, text) }) {
					t.Errorf("installing has lost %s, which was\n%s", path, text)
				}
			}
			r, err := HooksRemove(t.Context(), dir, withChant(), HooksInput{})
			if err != nil || states(r) != "missing missing missing" || len(r.Settings) != 0 || len(r.Notes) != 0 {
				t.Errorf("removed: %+v, %v", r, err)
			}
			now := files(t, own)
			for path, text := range was {
				if now[path] != text {
					t.Errorf("%s was\n%q, is\n%q", path, text, now[path])
				}
			}
			if len(now) != len(was) {
				t.Errorf("%d files are left of %d", len(now), len(was))
			}
			if now := enginetest.Git(t, dir, "config", "--local", "--list"); now != settings {
				t.Errorf("settings were\n%s\nare\n%s", settings, now)
			}
			if engine.Exists(filepath.Join(dir, ".git", "chant", "hook")) {
				t.Error("the script of the hooks is left")
			}
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
		if err != nil {
			t.Fatal(err)
		}
		return states(r)
	}
	if got := status(); got != "missing missing missing" {
		t.Errorf("before: %s", got)
	}
	r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{})
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "look for chant on the PATH") {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := os.WriteFile(filepath.Join(own, "pre-push"), []byte("#!/bin/sh\necho another tool\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := status(); got != "active active displaced" {
		t.Errorf("one was replaced: %s", got)
	}
	if err := os.Remove(filepath.Join(own, "pre-commit")); err != nil {
		t.Fatal(err)
	}
	if got := status(); got != "displaced active displaced" {
		t.Errorf("one was removed: %s", got)
	}
	if _, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{}); err != nil || status() != "active active active" {
		t.Errorf("installed again: %s, %v", status(), err)
	}
	if err := os.Remove(filepath.Join(dir, ".git", "chant", "hook")); err != nil {
		t.Fatal(err)
	}
	if got := status(); got != "idle idle idle" {
		t.Errorf("without the script: %s", got)
	}
	if r, err := HooksRemove(t.Context(), dir, withChant(), HooksInput{}); err != nil || states(r) != "missing missing missing" {
		t.Errorf("%+v, %v", r, err)
	}
	if src, err := os.ReadFile(filepath.Join(own, "pre-push")); err != nil || string(src) != "#!/bin/sh\necho another tool\n" {
		t.Errorf("the other tool's hook: %q, %v", src, err)
	}
	enginetest.Write(t, dir, ".git/chant/hooks.json", "{")
	if _, err := HooksStatus(t.Context(), dir, withChant(), HooksInput{}); enginetest.CodeOf(t, err) != engine.Invalid {
		t.Errorf("a record that cannot be read: %v", err)
	}
}

// TestHooks_places: shared hooks are not changed, unless they are files of the repository and Tracked is set.
func TestHooks_places(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{"githooks/pre-commit": "#!/bin/sh\necho team\n", ".gitignore": "/ignored/\n"})
	set := func(path string) { enginetest.Git(t, dir, "config", "core.hooksPath", path) }

	set(t.TempDir())
	_, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{Tracked: true})
	if enginetest.CodeOf(t, err) != engine.State || !strings.Contains(err.Error(), "outside of this repository") {
		t.Errorf("a folder of the machine: %v", err)
	}
	set("githooks")
	if _, err = HooksInstall(t.Context(), dir, withChant(), HooksInput{}); enginetest.CodeOf(t, err) != engine.State || !strings.Contains(err.Error(), `"githooks/pre-commit" is a file of the repository`) {
		t.Errorf("tracked: %v", err)
	}
	if enginetest.Git(t, dir, "status", "--porcelain") != "" || enginetest.Read(t, dir, "githooks/pre-commit") != "#!/bin/sh\necho team\n" {
		t.Error("a refused installation has changed files")
	}
	r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{Tracked: true})
	if err != nil || states(r) != "active active active" {
		t.Fatalf("tracked, as asked: %+v, %v", r, err)
	}
	if r, err = HooksRemove(t.Context(), dir, withChant(), HooksInput{}); err != nil || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "is a file of the repository and was not changed") {
		t.Errorf("removed without being asked to: %+v, %v", r, err)
	}
	if r, err = HooksRemove(t.Context(), dir, withChant(), HooksInput{Tracked: true}); err != nil || enginetest.Git(t, dir, "status", "--porcelain") != "" {
		t.Errorf("removed: %+v, %v", r, err)
	}
	set("ignored")
	if r, err = HooksInstall(t.Context(), dir, withChant(), HooksInput{}); err != nil || states(r) != "active active active" || !strings.HasSuffix(r.Dir, "/ignored") {
		t.Errorf("a folder that git ignores: %+v, %v", r, err)
	}
}

// TestHooks_othersAdd: what other tools add to our hooks is kept, and hooks that they move are found.
func TestHooks_othersAdd(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	own := filepath.Join(dir, ".git", "hooks")
	enginetest.Write(t, own, "pre-commit", "#!/usr/bin/perl\nprint 1\n")
	install := func() {
		t.Helper()
		if r, err := HooksInstall(t.Context(), dir, withChant(), HooksInput{}); err != nil || states(r) != "active active active" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	install()
	added := enginetest.Read(t, own, "pre-commit") + "echo added by another tool\n"
	enginetest.Write(t, own, "pre-commit", added)
	moved := enginetest.Read(t, own, "pre-push")
	enginetest.Write(t, own, "pre-push.old", moved)
	enginetest.Write(t, own, "pre-push", "#!/bin/sh\n\"$0.old\" \"$@\"\n")
	install()
	if got := enginetest.Read(t, own, "pre-commit"); got != added {
		t.Errorf("installed again:\n%s", got)
	}
	r, err := HooksRemove(t.Context(), dir, withChant(), HooksInput{})
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "other programs have added to the hook") {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := enginetest.Read(t, own, "pre-commit"); !strings.Contains(got, "added by another tool") || strings.Contains(got, "chant hooks") {
		t.Errorf("removed:\n%s", got)
	}
	if got := enginetest.Read(t, own, "pre-commit.chant-before"); !strings.Contains(got, "perl") {
		t.Errorf("the first hook: %q", got)
	}
	if engine.Exists(filepath.Join(own, "pre-push.old")) || enginetest.Read(t, own, "pre-push") != "#!/bin/sh\n\"$0.old\" \"$@\"\n" {
		t.Error("a hook of ours that another tool has moved is left, or its own has changed")
	}
}
