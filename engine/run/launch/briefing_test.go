package launch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/launch"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// briefed is a run whose prompt has these placeholders, and its spec.
func briefed(t *testing.T, front, prompt string, files map[string]string) (*runtest.Run, *spec.File) {
	t.Helper()
	p, dir := enginetest.Project(t)
	if len(files) > 0 {
		enginetest.Commit(t, dir, files)
	}
	r := runtest.Of(t, p, dir, strings.Replace(runtest.Plain, "status: pending", "status: pending"+front, 1), func(s *attempt.Settings) { s.Prompt = prompt })
	s, err := r.OwnSpec(t.Context())
	assert.NoError(t, err)
	return r, s
}

// TestTold fills the placeholders of a prompt.
func TestTold(t *testing.T) {
	t.Parallel()
	r, s := briefed(t, "\ntarget_files: [a.go, b.go]\nlabels: [x]", "{{spec.id}}|{{spec.title}}|{{branch}}|{{worktree.path}}|{{project.name}}|{{spec.target_files}}", nil)
	text, err := r.Briefing.Text(t.Context(), s, launch.Site{Tree: r.Trees.Tree})
	assert.NoError(t, err)
	for _, want := range []string{runtest.ID + "|Do it|", "|test|", "a.go", "b.go"} {
		assert.Contains(t, text, want)
	}
	assert.Contains(t, enginetest.Read(t, r.Dir, ".chant/cache/"+runtest.ID+"/prompt.md"), runtest.ID, "the prompt in the cache")
}

// TestTold_context quotes the files that a spec names, from the worktree, and never one from outside.
func TestTold_context(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		context string
		want    string
		refused string
	}{
		"a file":            {"notes.md", "the notes", ""},
		"in a folder":       {"docs/deep.md", "deep words", ""},
		"missing":           {"gone.md", "(cannot be read)", ""},
		"a link inside":     {"link.md", "the notes", ""},
		"a link out":        {"out.md", "", "is a link that leads out of the repository"},
		"through a link":    {"outdir/passwd", "", "is a link that leads out of the repository"},
		"a fence inside it": {"fence.md", "````", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := briefed(t, "\ncontext: ["+tc.context+"]", "Read.{{spec.context}}", map[string]string{"notes.md": "the notes\n", "docs/deep.md": "deep words\n", "fence.md": "```\ncode\n```\n"})
			for at, to := range map[string]string{"link.md": "notes.md", "out.md": "/etc/passwd", "outdir": "/etc"} {
				if err := os.Symlink(to, filepath.Join(r.Trees.Tree, at)); err != nil {
					t.Skipf("this system makes no links: %v", err)
				}
			}
			text, err := r.Briefing.Text(t.Context(), s, launch.Site{Tree: r.Trees.Tree})
			if tc.refused != "" {
				r.Fails(err, spec.ReasonStrayed, tc.refused)
				return
			}
			assert.NoError(t, err)
			assert.Contains(t, text, tc.want)
			assert.Contains(t, text, "## Context: "+tc.context)
		})
	}
}

// TestTold_outside refuses a spec whose context lies outside of the repository, or is hidden, before anything is made.
func TestTold_outside(t *testing.T) {
	t.Parallel()
	const leaves = "leaves the repository"
	for path, words := range map[string]string{
		"../outside.md": leaves, "/etc/passwd": leaves, "a/../../b.md": leaves, "a/../.chant/HELDOUT/001.md": "has held-out criteria",
	} {
		p, dir := enginetest.Project(t)
		enginetest.Commit(t, dir, map[string]string{runtest.Own: strings.Replace(runtest.Plain, "status: pending", "status: pending\ncontext: ["+path+"]", 1)})
		r := runtest.New(t, p, dir, journal.Job{})
		assert.NoError(t, r.Begin(t.Context(), true))
		refs := r.Git("for-each-ref")
		r.Fails(r.Through(t.Context(), journal.Branch, journal.Prompt), spec.ReasonStrayed, path, words)
		assert.Equal(t, refs, r.Git("for-each-ref"), "%s: refs were", path)
	}
}

// TestTold_notes tells a further attempt why the last one failed.
func TestTold_notes(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain, func(s *attempt.Settings) { s.Prompt = "{{attempt.note}}" })
	r.Agent(map[string]string{"other.txt": "x\n"})
	r.Fails(r.To(journal.Clean), spec.ReasonUnverified)
	next := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 2}, func(s *attempt.Settings) { s.Prompt = "{{attempt.note}}" })
	s, err := next.OwnSpec(t.Context())
	assert.NoError(t, err)
	text, err := next.Briefing.Text(t.Context(), s, launch.Site{Tree: next.Trees.Tree})
	assert.NoError(t, err)
	assert.False(t, !strings.Contains(text, "test -f done.txt") && !strings.Contains(text, "does not hold"), "%q, %v", text, err)
}

const form = `{"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}`

// TestCheckOutput judges the agent's final text by the schema that the spec names.
func TestCheckOutput(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text     string
		problems int
		words    string
	}{
		"fits":             {"Done.\n```json\n{\"ok\": true}\n```\n", 0, ""},
		"without fence":    {`{"ok": false}`, 0, ""},
		"wrong type":       {"```json\n{\"ok\": \"yes\"}\n```", 1, "ok"},
		"key missing":      {"```json\n{}\n```", 1, "ok"},
		"no JSON":          {"All is well.", 1, "holds no JSON"},
		"the first counts": {"```json\n{\"ok\": true}\n```\nthen\n```json\n{\"ok\": 1}\n```", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := briefed(t, "\noutput_schema: form.json", "Do it.", map[string]string{"form.json": form})
			r.Settings.StrictOutput = true
			r.Launcher.Agent = &journal.AgentReport{OK: true, Text: tc.text}
			assert.NoError(t, r.Briefing.CheckOutput(t.Context(), s, r.Launcher.Agent))
			got := r.Launcher.Agent.OutputProblems
			assert.Equal(t, tc.problems, len(got), "problems %v", got)
			err := r.Briefing.RequireOutput(t.Context(), r.Launcher.Agent)
			if tc.problems > 0 {
				r.Fails(err, spec.ReasonOutput, tc.words)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCheckOutput_schema refuses a schema that cannot be used before an agent is asked to fit it.
func TestCheckOutput_schema(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, text, words string }{
		"missing":   {"gone.json", "", "is not in commit"},
		"outside":   {"../form.json", "", "leaves the repository"},
		"no JSON":   {"form.json", "type: object", "form.json"},
		"no schema": {"form.json", `{"type": "nope"}`, "form.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"other.txt": "x\n"}
			if tc.text != "" {
				files["form.json"] = tc.text
			}
			p, dir := enginetest.Project(t)
			files[runtest.Own] = strings.Replace(runtest.Plain, "status: pending", "status: pending\noutput_schema: "+tc.path, 1)
			enginetest.Commit(t, dir, files)
			r := runtest.New(t, p, dir, journal.Job{})
			assert.NoError(t, r.Begin(t.Context(), true))
			refs := r.Git("for-each-ref")
			r.Fails(r.Through(t.Context(), journal.Branch, journal.Prompt), spec.ReasonSchema, tc.words)
			assert.Equal(t, refs, r.Git("for-each-ref"))
		})
	}
}

// TestUnresolved finds conflicts that still have both sides in them, and those that no one has touched.
func TestUnresolved(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		resolve func(r *runtest.Run)
		open    bool
	}{
		"untouched":       {func(*runtest.Run) {}, true},
		"staged as it is": {func(r *runtest.Run) { enginetest.Git(r.T, r.Trees.Tree, "add", "done.txt") }, true},
		"one side taken":  {func(r *runtest.Run) { enginetest.Write(r.T, r.Trees.Tree, "done.txt", "ours\n") }, false},
		"removed":         {func(r *runtest.Run) { enginetest.Git(r.T, r.Trees.Tree, "rm", "-q", "done.txt") }, false},
		"markers added to": {func(r *runtest.Run) {
			enginetest.Write(r.T, r.Trees.Tree, "done.txt", enginetest.Read(r.T, r.Trees.Tree, "done.txt")+"more\n")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			r.Agent(map[string]string{"done.txt": "ours\n"})
			enginetest.Commit(t, r.Dir, map[string]string{"done.txt": "theirs\n"})
			assert.Error(t, enginetest.TryGit(t, r.Trees.Tree, "merge", "main"), "there is no conflict")
			at := launch.Site{Tree: r.Trees.Tree, Resolves: true, Clashes: []string{"done.txt"}}
			before, err := r.Briefing.ReadConflicts(at)
			assert.NoError(t, err)
			tc.resolve(r)
			open, err := r.Briefing.FindUnresolved(t.Context(), at, before)
			assert.NoError(t, err, "open %v", open)
			assert.Equal(t, tc.open, len(open) > 0, "open %v", open)
		})
	}
}
