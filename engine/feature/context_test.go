package feature

import (
	"path/filepath"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// reopen opens the project around a folder again, as a new process does, with further variables.
func reopen(t *testing.T, dir string, env ...string) *engine.Project {
	t.Helper()
	o := enginetest.Options()
	o.Environ = append(append(o.Environ, pointerVariable+"=", "CHANT_RUN_ID=", "XDG_CACHE_HOME="+t.TempDir()), env...)
	p, err := engine.Open(dir, o)
	assert.NoError(t, err)
	return p
}

// said is what a member of a context says, "null" without a value.
func said(member *string) string {
	if member == nil {
		return "null"
	}
	return *member
}

// TestContext_order: which of several hints leads to the feature, and that none of them leads anywhere else.
func TestContext_order(t *testing.T) {
	t.Parallel()
	const pointer = `{"feature_directory": "specs/020-pointed"}`
	for name, tt := range map[string]struct {
		branch, env, pointer string
		want                 string // the folder, its number, its name and its phase
	}{
		"branch":                        {"010-first", "specs/020-pointed", pointer, "specs/010-first 010 first specify"},
		"number of the branch":          {"010-other-words", "", pointer, "specs/010-first 010 first specify"},
		"behind a slash":                {"ada/010-first", "", "", "specs/010-first 010 first specify"},
		"time":                          {"20260319-143022-timed", "", "", "specs/20260319-143022-timed 20260319-143022 timed plan"},
		"number that is a time's":       {"20260319-x", "", "", "null null null null"},
		"change":                        {"add-search", "", pointer, "openspec/changes/add-search null add-search tasks"},
		"change behind a slash":         {"change/add-search", "", "", "openspec/changes/add-search null add-search tasks"},
		"archived change":               {"archive", "", "", "null null null null"},
		"variable":                      {"work", "specs/030-named/", pointer, "specs/030-named 030 named implement"},
		"pointer":                       {"work", "", pointer, "specs/020-pointed 020 pointed plan"},
		"unknown number":                {"099-none", "", pointer, "specs/020-pointed 020 pointed plan"},
		"nothing":                       {"work", "", "", "null null null null"},
		"variable beyond the worktree":  {"work", "../specs/030-named", "", "null null null null"},
		"variable in git's folder":      {"work", ".git/refs", "", "null null null null"},
		"variable for no folder":        {"work", "specs/099-none", pointer, "specs/020-pointed 020 pointed plan"},
		"pointer beyond the repository": {"work", "", `{"feature_directory": "/etc"}`, "null null null null"},
		"broken pointer":                {"work", "", "{", "null null null null"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, dir := enginetest.Project(t)
			for _, file := range []string{
				"specs/010-first/notes.md", "specs/020-pointed/spec.md", "specs/030-named/spec.md", "specs/030-named/plan.md", "specs/030-named/tasks.md",
				"specs/20260319-143022-timed/spec.md", "openspec/changes/add-search/proposal.md", "openspec/changes/add-search/specs/x/spec.md",
				"openspec/changes/archive/2026-01-01-old/proposal.md",
			} {
				enginetest.Write(t, dir, file, "# Title\n")
			}
			if tt.pointer != "" {
				enginetest.Write(t, dir, pointerFile, tt.pointer)
			}
			enginetest.Git(t, dir, "checkout", "-q", "-b", tt.branch)
			r, err := Context(t.Context(), reopen(t, dir, pointerVariable+"="+tt.env), ContextInput{})
			got := said(r.Dir) + " " + said(r.Number) + " " + said(r.Name) + " " + said(r.Phase)
			assert.NoError(t, err)
			assert.Equal(t, tt.want, got)
			if (r.Dir == nil) != (r.Branch == nil) {
				t.Errorf("branch %s", said(r.Branch))
			}
		})
	}
}

// TestContext_absoluteVariable: spec-kit writes absolute paths, too.
func TestContext_absoluteVariable(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "specs/010-first/spec.md", "# Title\n")
	p := reopen(t, dir, pointerVariable+"="+filepath.Join(dir, "specs", "010-first"))
	if r, err := Context(t.Context(), p, ContextInput{}); err != nil || said(r.Dir) != "specs/010-first" {
		t.Errorf("%s, %v", said(r.Dir), err)
	}
}

// TestContext_run: the branch of a run leads to what its spec adopts and to nothing else.
func TestContext_run(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{"": "null", "source: specs/010-first\n": "specs/010-first"} {
		_, dir := enginetest.Project(t)
		const id = "2026-01-02-001-abc"
		enginetest.Write(t, dir, "specs/010-first/tasks.md", "- [ ] T001 One\n")
		enginetest.Write(t, dir, "specs/2026-other/spec.md", "# Title\n")
		enginetest.Write(t, dir, ".chant/specs/"+id+".md", "---\nstatus: in_progress\n"+source+"---\n# One\n")
		enginetest.Git(t, dir, "add", ".")
		enginetest.Git(t, dir, "commit", "-q", "-m", "files")
		tree := filepath.Join(t.TempDir(), "tree")
		enginetest.Git(t, dir, "worktree", "add", "-q", tree, "-b", "chant/"+id)
		p := reopen(t, tree, pointerVariable+"=specs/2026-other")
		if r, err := Context(t.Context(), p, ContextInput{}); err != nil || said(r.Dir) != want {
			t.Errorf("%q: %s, %v", source, said(r.Dir), err)
		}
	}
}
