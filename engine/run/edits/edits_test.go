package edits_test

import (
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// failed is a run whose attempt has failed, as a next process finds it.
func failed(t *testing.T) *runtest.Run {
	t.Helper()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(map[string]string{"other.txt": "x\n"})
	r.Fails(r.To(journal.Clean), spec.ReasonUnverified)
	return runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1})
}

// edited is the spec with one thing replaced.
func edited(old, new string) string { return strings.Replace(runtest.Plain, old, new, 1) }

// TestHomeEdit brings an edit that a person makes in the checkout between two attempts over to the branch, and to the
// text whose criteria count.
func TestHomeEdit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text  string
		takes bool
	}{
		"nothing":     {runtest.Plain, false},
		"a criterion": {edited("test -f done.txt", "test -f other.txt"), true},
		"a label":     {edited("status: pending", "status: pending\nlabels: [x]"), true},
		"prose":       {edited("# Do it\n", "# Do it\n\nWith care.\n"), true},
		"white space": {runtest.Plain + "\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := failed(t)
			enginetest.Write(t, r.Dir, runtest.Own, tc.text)
			edit, err := r.Edits.HomeEdit(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, tc.takes, edit != nil)
			if edit == nil {
				return
			}
			commit, err := r.Edits.TakeHomeEdit(t.Context(), edit)
			assert.NoError(t, err)
			assert.NotEqual(t, "", commit)
			want := strings.Split(strings.SplitN(tc.text, "---\n", 3)[2], "\n")
			for _, text := range []string{r.Git("show", r.Job.Branch+":"+runtest.Own), enginetest.Read(t, r.Dir, ".chant/worktrees/"+runtest.ID+"/"+runtest.Own)} {
				for _, line := range want {
					assert.Contains(t, text, line)
				}
			}
			again := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1})
			left, err := again.Edits.HomeEdit(t.Context())
			assert.True(t, left == nil, "the edit is found again: %v, %v", left, err)
			assert.NoError(t, err, "the edit is found again")
			counts, err := again.Trusted(t.Context())
			assert.NoError(t, err, "what counts is\n%s", counts.Doc.Bytes())
			assert.False(t, name == "a criterion" && !strings.Contains(string(counts.Doc.Bytes()), "test -f other.txt"), "what counts is\n%s\n%v", counts.Doc.Bytes(), err)
		})
	}
}

// TestHomeEdit_conflict refuses an edit in the place that the branch has edited, and changes nothing.
func TestHomeEdit_conflict(t *testing.T) {
	t.Parallel()
	r := failed(t)
	branch := strings.Replace(r.Git("show", r.Job.Branch+":"+runtest.Own), "# Do it", "# Do it now", 1) + "\n"
	enginetest.Write(t, r.Dir, ".chant/worktrees/"+runtest.ID+"/"+runtest.Own, branch)
	enginetest.Write(t, r.Dir, runtest.Own, edited("# Do it", "# Do it later"))
	edit, err := r.Edits.HomeEdit(t.Context())
	assert.NoError(t, err)
	assert.True(t, edit != nil, "edit %v, %v", edit, err)
	refs := r.Git("for-each-ref")
	_, err = r.Edits.TakeHomeEdit(t.Context(), edit)
	r.Fails(err, spec.ReasonEdits, "in the same place", "both are kept")
	assert.Equal(t, refs, r.Git("for-each-ref"))
	assert.Equal(t, branch, enginetest.Read(t, r.Dir, ".chant/worktrees/"+runtest.ID+"/"+runtest.Own), "the run's copy is")
	assert.NoError(t, r.Edits.LeaveHomeEdit(edit))
	again := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1})
	left, err := again.Edits.HomeEdit(t.Context())
	assert.True(t, left == nil, "an edit that was left is asked about again: %v, %v", left, err)
	assert.NoError(t, err, "an edit that was left is asked about again")
}

// TestHomeEdit_unreadable refuses a copy that cannot be read.
func TestHomeEdit_unreadable(t *testing.T) {
	t.Parallel()
	r := failed(t)
	enginetest.Write(t, r.Dir, runtest.Own, "---\nstatus: [\n---\n# Broken\n")
	edit, err := r.Edits.HomeEdit(t.Context())
	assert.NoError(t, err)
	assert.True(t, edit != nil, "edit %v, %v", edit, err)
	_, err = r.Edits.TakeHomeEdit(t.Context(), edit)
	assert.Error(t, err, "a broken copy was taken over")
}

// TestCarryEdits brings what a person has edited in the run's copy back to the checkout's when the run is dropped, and
// nothing of what the agent wrote there.
func TestCarryEdits(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	own := r.Git("show", r.Job.Branch+":"+runtest.Own) + "\n"
	r.Agent(map[string]string{"other.txt": "x\n", runtest.Own: own + "\n## Notes\n\nThe agent was here.\n"})
	r.Fails(r.To(journal.Clean), spec.ReasonUnverified)
	copied := enginetest.Read(t, r.Trees.Tree, runtest.Own)
	enginetest.Write(t, r.Trees.Tree, runtest.Own, strings.Replace(copied, "# Do it\n", "# Do it\n\nA person was here.\n", 1))
	again := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1})
	text, lost, err := again.Edits.CarryEdits(t.Context(), []byte(runtest.Plain))
	assert.NoError(t, err)
	assert.Equal(t, "", lost)
	got := string(text)
	assert.Contains(t, got, "A person was here.")
	assert.NotContains(t, got, "The agent was here.")
	assert.Contains(t, got, "status: pending")
}

// TestCarryEdits_conflict keeps an edit under a ref that conflicts with the checkout's copy.
func TestCarryEdits_conflict(t *testing.T) {
	t.Parallel()
	r := failed(t)
	tree := r.Dir + "/.chant/worktrees/" + runtest.ID
	copied := enginetest.Read(t, tree, runtest.Own)
	enginetest.Write(t, tree, runtest.Own, strings.Replace(copied, "# Do it", "# Do it now", 1))
	home := edited("# Do it", "# Do it later")
	text, lost, err := r.Edits.CarryEdits(t.Context(), []byte(home))
	assert.NoError(t, err)
	assert.Contains(t, lost, "git show refs/chant/rescue/")
	assert.Equal(t, home, string(text), "the checkout's copy has become")
	ref := lost[strings.Index(lost, "refs/chant"):]
	assert.Contains(t, r.Git("show", strings.Fields(ref)[0]), "# Do it now", "kept as %s:", ref)
}
