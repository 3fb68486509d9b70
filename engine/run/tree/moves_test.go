package tree_test

import (
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/run/runtest"
	"chant/engine/run/tree"

	"github.com/alecthomas/assert/v2"
)

// done is what an agent commits for runtest.Plain.
func done() map[string]string { return map[string]string{"done.txt": "yes\n"} }

// TestSince moves refs as people, chant and agents do: what people and chant do stops no run.
func TestSince(t *testing.T) {
	t.Parallel()
	as := []string{"-c", "user.name=p", "-c", "user.email=p@example.com"}
	in := func(r *runtest.Run, dir string, args ...string) string {
		return enginetest.Git(r.T, dir, append(as, args...)...)
	}
	commit := func(r *runtest.Run, tree string) string { // by plumbing, which leaves no trace in a checkout
		return in(r, r.Trees.Tree, "commit-tree", "-p", "main", "-m", "stray", tree)
	}
	other := func(r *runtest.Run, do func(there string)) { // with another clone that has the commits of main
		there := filepath.Join(r.T.TempDir(), "clone")
		enginetest.Git(r.T, filepath.Dir(there), "clone", "-q", r.Dir, there)
		do(there)
	}
	for name, tc := range map[string]struct {
		before func(r *runtest.Run)
		do     func(r *runtest.Run)
		stops  string
		seen   string
	}{
		"nothing":            {do: func(r *runtest.Run) {}},
		"the agent's branch": {do: func(r *runtest.Run) { r.Agent(done()) }},
		"refs are packed":    {do: func(r *runtest.Run) { r.Git("pack-refs", "--all") }},
		"maintenance":        {do: func(r *runtest.Run) { r.Git("gc", "-q") }},
		"a person commits":   {do: func(r *runtest.Run) { enginetest.Commit(r.T, r.Dir, map[string]string{"x": "y"}) }},
		"a person amends":    {do: func(r *runtest.Run) { in(r, r.Dir, "commit", "-q", "--amend", "--allow-empty", "-m", "other") }},
		"a person without reflogs": {
			before: func(r *runtest.Run) { r.Git("config", "core.logAllRefUpdates", "false") },
			do:     func(r *runtest.Run) { enginetest.Commit(r.T, r.Dir, map[string]string{"x": "y"}) },
		},
		"a person goes back": {do: func(r *runtest.Run) { r.Git("reset", "-q", "--hard", "HEAD~1") }, before: func(r *runtest.Run) { enginetest.Commit(r.T, r.Dir, map[string]string{"x": "y"}) }},
		"a person merges":    {before: side, do: func(r *runtest.Run) { in(r, r.Dir, "merge", "-q", "--no-ff", "-m", "merge", "side") }},
		"a person forwards":  {before: side, do: func(r *runtest.Run) { r.Git("merge", "-q", "--ff-only", "side") }},
		"a person picks":     {before: side, do: func(r *runtest.Run) { in(r, r.Dir, "cherry-pick", "side~1", "side") }},
		"a person rebases": {before: side, do: func(r *runtest.Run) {
			enginetest.Commit(r.T, r.Dir, map[string]string{"z": "z"})
			in(r, r.Dir, "rebase", "-q", "side")
		}},
		"a person switches": {before: side, do: func(r *runtest.Run) { r.Git("switch", "-q", "side") }},
		"a person's worktree": {do: func(r *runtest.Run) {
			r.Git("worktree", "add", "-q", "-b", "mine", filepath.Join(filepath.Dir(r.Dir), "mine"))
		}},
		"a person commits rules": {
			do:   func(r *runtest.Run) { enginetest.Commit(r.T, r.Dir, map[string]string{".chant/prompts/a.md": "Do.\n"}) },
			seen: "received commit", // and nothing stops
		},
		"a pull": {do: func(r *runtest.Run) {
			other(r, func(there string) {
				enginetest.Commit(r.T, there, map[string]string{"x": "y"})
				enginetest.Commit(r.T, there, map[string]string{"x": "z"})
				r.Git("remote", "add", "origin", there)
				r.Git("pull", "-q", "--ff-only", "origin", "main")
			})
		}, seen: `branch of remote "origin" moved`},
		"a fetch of chant": {before: func(r *runtest.Run) { r.Attempt.Settings.Fetches = "origin" }, do: func(r *runtest.Run) {
			other(r, func(there string) {
				enginetest.Commit(r.T, there, map[string]string{"x": "y"})
				r.Git("remote", "add", "origin", there)
				r.Git("fetch", "-q", "origin")
			})
		}},
		"a push from elsewhere": {do: func(r *runtest.Run) {
			r.Git("config", "receive.denyCurrentBranch", "updateInstead")
			other(r, func(there string) {
				enginetest.Commit(r.T, there, map[string]string{"x": "y"})
				enginetest.Git(r.T, there, "push", "-q", "origin", "main")
			})
		}},
		"a tag":          {do: func(r *runtest.Run) { r.Git("tag", "v1", commit(r, "main^{tree}")) }, seen: `tag "v1" was added`},
		"a stash":        {do: func(r *runtest.Run) { r.Git("update-ref", "refs/stash", commit(r, "main^{tree}")) }, seen: `ref "refs/stash" was added`},
		"a branch moves": {before: side, do: func(r *runtest.Run) { r.Git("update-ref", "refs/heads/side", commit(r, "main^{tree}")) }, seen: `branch "side" was moved from`},
		"a branch goes":  {before: side, do: func(r *runtest.Run) { r.Git("branch", "-q", "-D", "side") }, seen: `branch "side" was removed from`},
		"the target moves from elsewhere": {
			do: func(r *runtest.Run) {
				enginetest.Git(r.T, r.Trees.Tree, "update-ref", "refs/heads/main", commit(r, "main^{tree}"))
			},
			stops: `branch "main" received commit`,
		},
		"the target goes back from elsewhere": {
			before: func(r *runtest.Run) { enginetest.Commit(r.T, r.Dir, map[string]string{"x": "y"}) },
			do:     func(r *runtest.Run) { enginetest.Git(r.T, r.Trees.Tree, "update-ref", "refs/heads/main", "main~1") },
			stops:  `branch "main" was rewound or rewritten`,
		},
		"under a commit of a person": {do: func(r *runtest.Run) {
			enginetest.Git(r.T, r.Trees.Tree, "update-ref", "refs/heads/main", commit(r, "main^{tree}"))
			enginetest.Commit(r.T, r.Dir, map[string]string{"x": "y"})
		}, stops: "(stray), which was not made in the checkout"},
		"under a switch of a person": {before: side, do: func(r *runtest.Run) {
			r.Git("switch", "-q", "side")
			enginetest.Git(r.T, r.Trees.Tree, "update-ref", "refs/heads/main", commit(r, "main^{tree}"))
			r.Git("switch", "-q", "main")
		}, stops: "(stray), which was not made in the checkout"},
		"a person moves the target to another branch": {before: side, do: func(r *runtest.Run) {
			r.Git("switch", "-q", "side")
			enginetest.Commit(r.T, r.Dir, map[string]string{"side.txt": "3"})
			r.Git("switch", "-q", "-C", "main")
		}},
		"by what says it is a landing": {do: func(r *runtest.Run) {
			at := in(r, r.Trees.Tree, "commit-tree", "-p", "main", "-p", r.Job.Branch, "-m", "chant(x): land\n\nChant-Spec: x\nChant-Event: land\n", "main^{tree}")
			enginetest.Git(r.T, r.Trees.Tree, "update-ref", "refs/heads/main", at)
		}, stops: "received commit"},
		"HEAD is set": {
			before: side, do: func(r *runtest.Run) { r.Git("symbolic-ref", "HEAD", "refs/heads/side") },
			seen: `was set from main to branch "side" without a switch`,
		},
		"evidence goes": {
			before: noted, do: func(r *runtest.Run) { r.Git("notes", "--ref=chant", "remove", "main") },
			stops: `the evidence of spec "2026-01-02-009-zzz" at commit`,
		},
		"evidence of an earlier version goes": {
			before: notedBefore, do: func(r *runtest.Run) { r.Git("notes", "--ref=chant", "remove", "main") },
			stops: `the evidence of spec "2026-01-02-009-zzz" at commit`,
		},
		"evidence is replaced": {
			before: noted, do: func(r *runtest.Run) {
				in(r, r.Dir, "notes", "--ref=chant", "add", "-f", "-m", `{"spec_id":"2026-01-02-009-zzz"}`, "main")
			},
			stops: "was replaced",
		},
		"all evidence goes":       {before: noted, do: func(r *runtest.Run) { r.Git("update-ref", "-d", "refs/notes/chant") }, stops: "all evidence was removed"},
		"more evidence":           {before: noted, do: func(r *runtest.Run) { in(r, r.Dir, "notes", "--ref=chant", "add", "-m", "{}", r.Job.Branch) }},
		"evidence becomes a file": {before: noted, do: func(r *runtest.Run) { r.Git("update-ref", "refs/notes/chant", r.Git("rev-parse", "main:done.md")) }, stops: "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			enginetest.Commit(t, r.Dir, map[string]string{"done.md": "x\n"})
			if tc.before != nil {
				tc.before(r)
			}
			w := tree.Watch{Attempt: r.Attempt}
			was, err := w.Read(t.Context())
			assert.NoError(t, err)
			refs, heads := w.ForJournal(was)
			tc.do(r)
			now, err := w.Read(t.Context())
			assert.NoError(t, err)
			found, err := w.FindMoved(t.Context(), was, now)
			assert.NoError(t, err)
			check(t, found, tc.stops, tc.seen)
			found, err = w.SinceRecorded(t.Context(), refs, heads, now)
			assert.NoError(t, err)
			check(t, found, tc.stops, tc.seen)
		})
	}
}

// check compares with one sentence each, "" for none.
func check(t *testing.T, found tree.Found, stops, seen string) {
	t.Helper()
	for what, c := range map[string]struct {
		got  []string
		want string
	}{"stops": {found.Stops, stops}, "seen": {found.Seen, seen}} {
		got := strings.Join(c.got, "\n")
		assert.Equal(t, c.want == "", got == "", "%s", what)
		assert.Contains(t, got, c.want, "%s", what)
	}
}

// side makes a branch with two commits.
func side(r *runtest.Run) {
	r.Git("switch", "-q", "-c", "side")
	enginetest.Commit(r.T, r.Dir, map[string]string{"side.txt": "1"})
	enginetest.Commit(r.T, r.Dir, map[string]string{"side.txt": "2"})
	r.Git("switch", "-q", "main")
}

// noted adds evidence of another spec.
func noted(r *runtest.Run) {
	at := r.Git("rev-parse", "main")
	text, err := criteria.Report{SpecID: "2026-01-02-009-zzz", Verified: true}.Attest(r.T.Context(), criteria.Circumstances{Commit: at, Tree: r.Git("rev-parse", "main^{tree}")}, nil)
	if err != nil {
		r.T.Fatal(err)
	}
	addNote(r, string(text))
}

// notedBefore adds evidence of another spec as earlier versions wrote it.
func notedBefore(r *runtest.Run) { addNote(r, `{"spec_id":"2026-01-02-009-zzz","verified":true}`) }

func addNote(r *runtest.Run, text string) {
	r.Git("-c", "user.name=p", "-c", "user.email=p@example.com", "notes", "--ref=chant", "add", "-m", text, "main")
}

// TestSince_landing has another run land meanwhile.
func TestSince_landing(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	w := tree.Watch{Attempt: r.Attempt}
	was, err := w.Read(t.Context())
	assert.NoError(t, err)
	r.Agent(done())
	r.Completed()
	assert.NoError(t, r.Lands())
	now, err := w.Read(t.Context())
	assert.NoError(t, err)
	found, err := w.FindMoved(t.Context(), was, now)
	assert.NoError(t, err)
	check(t, found, "", "")
}

// TestRecorded keeps a journal small: many refs of one folder are one digest.
func TestRecorded(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	main := r.Git("rev-parse", "main")
	var packed strings.Builder
	packed.WriteString("# pack-refs with: peeled fully-peeled \n")
	for i := range 300 {
		packed.WriteString(main + " refs/tags/v" + strings.Repeat("1", 1+i/100) + string(rune('a'+i%100/10)) + string(rune('a'+i%10)) + "\n")
	}
	enginetest.Write(t, r.Dir, ".git/packed-refs", packed.String())
	w := tree.Watch{Attempt: r.Attempt}
	was, err := w.Read(t.Context())
	assert.NoError(t, err)
	refs, heads := w.ForJournal(was)
	assert.True(t, len(refs) <= 10, "%v, %v", refs, heads)
	assert.NotEqual(t, "", refs["refs/tags/"])
	assert.Equal(t, main, refs["refs/heads/main"])
	assert.Equal(t, "", refs["refs/heads/"+r.Job.Branch])
	assert.NotEqual(t, "", heads[""])
	r.Git("update-ref", "-d", "refs/tags/v1aa")
	now, err := w.Read(t.Context())
	assert.NoError(t, err)
	found, err := w.SinceRecorded(t.Context(), refs, heads, now)
	assert.NoError(t, err)
	check(t, found, "", `something below "refs/tags/" was changed`)
}
