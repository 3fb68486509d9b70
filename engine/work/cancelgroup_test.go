package work

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestCancelGroup cancels or deletes a driver with its members in one commit, and refuses what would lose something.
func TestCancelGroup(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	files := map[string]string{}
	for id, head := range map[string]string{
		"001": "type: driver\n", "001.1": "status: failed\n", "001.2": "status: completed\n",
		"002": "", "003": "depends_on: [002]\n", "004": "status: completed\n", "005": "",
	} {
		files[".chant/specs/"+id+".md"] = "---\n" + head + "---\n# A\n"
	}
	enginetest.Commit(t, dir, files)
	enginetest.Write(t, dir, ".chant/specs/005.md", "---\n---\n# A\n\nedited\n")
	enginetest.Write(t, dir, ".chant/specs/006.md", "---\n---\n# New\n")
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for id, wanted := range map[string]string{
		"001": `state | chant cancel 001 --delete --cascade | spec "001" has 2 members`,
		"002": `state | chant cancel 002 --delete --skip-checks | spec "002" is needed by 003`,
		"004": `state | chant archive 004 | spec "004" is completed`,
		"005": `conflict | git commit -m "Edit 005" .chant/specs/005.md | spec "005" has changes`,
		"006": `conflict | git commit -m "Edit 006" .chant/specs/006.md | spec "006" has changes`,
	} {
		_, err := CancelGroup(t.Context(), p, CancelGroupInput{ID: id, Delete: true})
		assert.HasPrefix(t, enginetest.Refusal(err), wanted, "%s", id)
	}
	for _, id := range []string{"005", "006"} {
		_, err := CancelGroup(t.Context(), p, CancelGroupInput{ID: id, Delete: true, SkipChecks: true})
		assert.Error(t, err, "%s, whose text no commit has", id)
		assert.True(t, engine.Exists(dir+"/.chant/specs/"+id+".md"), "%s", id)
	}
	r, err := CancelGroup(t.Context(), p, CancelGroupInput{ID: "001", Cascade: true, DryRun: true})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(r.Specs))
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD"))

	r, err = CancelGroup(t.Context(), p, CancelGroupInput{ID: "001", Cascade: true})
	assert.NoError(t, err)
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", r.Commit+"^"))
	assert.Contains(t, enginetest.Read(t, dir, ".chant/specs/001.1.md"), "status: cancelled")
	assert.Contains(t, enginetest.Read(t, dir, ".chant/specs/001.2.md"), "status: completed")

	cancelled := enginetest.Git(t, dir, "rev-parse", "HEAD")
	r, err = CancelGroup(t.Context(), p, CancelGroupInput{ID: "001", Cascade: true, Delete: true, SkipChecks: true})
	assert.NoError(t, err)
	assert.Equal(t, 3, len(r.Specs))
	assert.Equal(t, cancelled, enginetest.Git(t, dir, "rev-parse", r.Commit+"^"))
	for _, id := range []string{"001", "001.1", "001.2"} {
		assert.False(t, engine.Exists(dir+"/.chant/specs/"+id+".md"), "%s", id)
	}
	r, err = CancelGroup(t.Context(), p, CancelGroupInput{ID: "003", Delete: true})
	assert.NoError(t, err)
	assert.Equal(t, "chant(003): delete", enginetest.Git(t, dir, "log", "-1", "--format=%s", r.Commit))
}
