package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/runtest"
	"chant/engine/verify"

	"github.com/alecthomas/assert/v2"
)

// TestSideEffects_outOfReach reports what a person changes while an agent behind a wall works, and charges the run only with
// what that agent can have changed.
func TestSideEffects_outOfReach(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before func(r *runtest.Run)
		change func(r *runtest.Run)
		seen   string // is reported
		found  string // is charged, "" for nothing
	}{
		"an alias": {nil, func(r *runtest.Run) { r.Git("config", "alias.st", "status") }, `git setting "alias.st" was added`, ""},
		"a name":   {nil, func(r *runtest.Run) { r.Git("config", "user.name", "Eve") }, `git setting "user.name" was`, ""},
		"a remote": {nil, func(r *runtest.Run) { r.Git("remote", "add", "up", "https://example.com/x") }, `git setting "remote.up.url" was added`, ""},
		"a hook":   {nil, func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, ".git/hooks/pre-push", "#!/bin/sh\n") }, `git hook "pre-push" was added`, ""},
		"settings of chant": {nil, func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, ".chant/config.md", "---\ndefaults: {provider: shell}\n---\n")
		}, `.chant/config.md of your checkout was changed`, ""},
		"a prompt":           {nil, func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, ".chant/prompts/p.md", "Do it.\n") }, `.chant/prompts/p.md of your checkout was added`, ""},
		"settings of a tool": {nil, func(r *runtest.Run) { enginetest.Write(r.T, filepath.Dir(r.Trees.Tree), ".npmrc", "x=y\n") }, `.npmrc", which tools read, was added`, ""},
		"a hook is switched off": {func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, ".git/hooks/pre-push", "#!/bin/sh\n")
		}, func(r *runtest.Run) {
			if err := os.Chmod(filepath.Join(r.Dir, ".git", "hooks", "pre-push"), 0o600); err != nil {
				r.T.Fatal(err)
			}
		}, "", `git hook "pre-push" has other permissions`},
		"a file that it can write is included": {func(r *runtest.Run) { r.Git("config", "include.path", filepath.Join(r.Trees.Tree, "more")) }, func(r *runtest.Run) {
			enginetest.Write(r.T, r.Trees.Tree, "more", "[alias]\n\tx = !true\n")
		}, "", `git setting "alias.x" was added`},
		"a file is included by a link that it can write": {func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, "a", "")
			enginetest.Write(r.T, r.Dir, "b", "[alias]\n\tx = !true\n")
			link(r, "a")
			r.Git("config", "include.path", filepath.Join(r.Trees.Tree, "way", "more"))
		}, func(r *runtest.Run) {
			if err := os.Remove(filepath.Join(r.Trees.Tree, "way", "more")); err != nil {
				r.T.Fatal(err)
			}
			link(r, "b")
		}, "", `git setting "alias.x" was added`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			r.Environ = append(r.Environ, "HOME="+filepath.Dir(r.Trees.Tree)) // in which a row writes
			if tc.before != nil {
				tc.before(r)
			}
			var seen []string
			r.Emit = func(ev journal.Event) { seen = append(seen, ev.Text) }
			before, err := r.Guard.RecordAround(t.Context(), []string{r.Trees.Tree})
			assert.NoError(t, err)
			tc.change(r)
			found, err := r.Guard.SideEffects(t.Context(), before)
			assert.NoError(t, err)
			got := strings.Join(found.Behind, "\n")
			assert.Contains(t, got, tc.found)
			assert.False(t, tc.found == "" && got != "", "charged with %q, want %q", got, tc.found)
			assert.Contains(t, strings.Join(seen, "\n"), tc.seen)
		})
	}
}

// link puts a link to a file of the checkout into the worktree.
func link(r *runtest.Run, to string) {
	r.T.Helper()
	if err := os.MkdirAll(filepath.Join(r.Trees.Tree, "way"), 0o755); err != nil {
		r.T.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(r.Dir, to), filepath.Join(r.Trees.Tree, "way", "more")); err != nil {
		r.T.Skipf("no links: %v", err)
	}
}

// TestSideEffects_own charges no run with what commands of chant do while its agent works without a wall, and still with
// the same changes of anybody else.
func TestSideEffects_own(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(r *runtest.Run)
		found  string
	}{
		"a key is trusted": {func(r *runtest.Run) {
			if _, err := verify.InitKey(r.T.Context(), r.P, verify.KeyInitInput{}); err != nil {
				r.T.Fatal(err)
			}
			if _, err := verify.TrustKey(r.T.Context(), r.P, verify.KeyTrustInput{Name: "ada"}); err != nil {
				r.T.Fatal(err)
			}
		}, ""},
		"a key is trusted by hand": {func(r *runtest.Run) {
			own := create(r.T, r.P)
			enginetest.Write(r.T, engine.Home(r.P), ".chant/keys/eve.pub", string(own.PEM()))
		}, ".chant/keys/eve.pub was changed in home"},
		"a hook with the lines of chant": {func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, ".git/hooks/pre-push", "#!/bin/evil\n# >>> chant hooks (file)\nevil\n# <<< chant hooks\n")
			if err := journal.RecordOwn(r.Store, map[string]string{`git hook "pre-push"`: "x"}, r.Now()); err != nil {
				r.T.Fatal(err)
			}
		}, `git hook "pre-push" was added`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			before, err := r.Guard.RecordAround(t.Context(), nil)
			assert.NoError(t, err)
			tc.change(r)
			found, err := r.Guard.SideEffects(t.Context(), before)
			assert.NoError(t, err)
			got := strings.Join(found.Behind, "\n")
			assert.Contains(t, got, tc.found)
			assert.False(t, tc.found == "" && got != "", "charged with %q, want %q", got, tc.found)
		})
	}
}

// TestRecordAround_lifts charges a run no longer with what was undone before its next agent begins, but with what is still
// there, and with what no look can show to be undone.
func TestRecordAround_lifts(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	before, err := r.Guard.RecordAround(t.Context(), nil)
	assert.NoError(t, err)
	r.Git("config", "alias.one", "!true")
	r.Git("config", "alias.two", "!true")
	found, err := r.Guard.SideEffects(t.Context(), before)
	assert.NoError(t, err)
	report := &journal.AgentReport{Behind: append(found.Behind, "commit 1 is forged"), Around: found.Around}
	r.Journal.Reread(&journal.History{Attempts: []*journal.Attempt{{Number: 1, Before: &before, Agent: report, Closed: true}}})
	r.Job.Attempt = 2
	r.Git("config", "--unset", "alias.one")
	_, err = r.Guard.RecordAround(t.Context(), nil)
	assert.NoError(t, err)
	charged := r.Guard.CheckSideEffects()
	assert.Error(t, charged)
	assert.NotContains(t, charged.Error(), "alias.one")
	assert.Contains(t, charged.Error(), "alias.two")
	assert.Contains(t, charged.Error(), "forged")
}
