package work

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// TestReset resets a spec without a run in every status, as far as the state machine allows it.
func TestReset(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	files := map[string]string{}
	for _, status := range spec.StatusWords() {
		files[".chant/specs/"+status+".md"] = "---\nstatus: " + status + "\nreason: because\nother: kept\n---\n# A\n"
	}
	enginetest.Commit(t, dir, files)
	for _, status := range spec.StatusWords() {
		want, refused := spec.Next(spec.Status(status), spec.Reset)
		before := enginetest.Git(t, dir, "rev-parse", "HEAD")
		r, err := Reset(t.Context(), p, ResetInput{ID: status})
		if code := enginetest.CodeOf(t, err); (code == engine.State) != (refused != nil) || code != "" && code != engine.State {
			t.Errorf("%s: %v, the machine says %v", status, err, refused)
			continue
		}
		text := enginetest.Read(t, dir, ".chant/specs/"+status+".md")
		if refused != nil {
			assert.Equal(t, files[".chant/specs/"+status+".md"], text, "%s: a refused reset has written", status)
			assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD"), "%s: a refused reset has written", status)
			continue
		}
		assert.Equal(t, want, r.Status)
		assert.Contains(t, text, "status: "+string(want))
		assert.Equal(t, string(want) == status, strings.Contains(text, "because"))
		assert.Contains(t, text, "other: kept")
	}
	_, err := Reset(t.Context(), p, ResetInput{ID: "nowhere"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
}

// TestPause changes nothing for a spec that no process works on, or that another process holds for anything but work.
func TestPause(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/open.md": "---\nstatus: pending\n---\n# A\n", ".chant/specs/done.md": "---\nstatus: completed\n---\n# A\n",
		".chant/specs/byhand.md": "---\nstatus: in_progress\n---\n# A\n", ".chant/specs/landing.md": "---\nstatus: completed\n---\n# A\n",
	})
	for id, want := range map[string]spec.Status{"open": spec.Pending, "done": spec.Completed, "byhand": spec.Paused} {
		r, err := Pause(t.Context(), p, PauseInput{ID: id})
		assert.NoError(t, err, "%s", id)
		assert.Equal(t, want, r.Status, "%s", id)
		assert.Equal(t, want == spec.Paused, r.Commit != "", "%s", id)
	}
	for name, c := range map[string]struct {
		holder lockfile.Purpose
		code   engine.Code
	}{
		"a landing":                         {lockfile.Purpose{What: "merge landing", Role: lockfile.Lasting}, engine.Conflict},
		"a landing, by an older version":    {lockfile.Purpose{What: "merge landing"}, engine.Conflict},
		"a landing that says it works":      {lockfile.Purpose{What: "work landing", Role: lockfile.Lasting}, engine.Conflict},
		"a short write":                     {lockfile.Purpose{What: "edit landing", Role: lockfile.Brief}, ""},
		"a short write by an older version": {lockfile.Purpose{What: "edit landing"}, ""},
	} {
		lock, err := lockfile.AcquireFor(p.Store.LockPath("landing"), c.holder)
		assert.NoError(t, err)
		_, err = Pause(t.Context(), p, PauseInput{ID: "landing"})
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
		assert.NoError(t, lock.Release())
	}
}

// TestMayLandOn accepts only an existing branch.
func TestMayLandOn(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Git(t, dir, "branch", "release/1")
	enginetest.Git(t, dir, "tag", "v1")
	for name, code := range map[string]engine.Code{
		"main": "", "release/1": "", "nowhere": engine.NotFound, "v1": engine.NotFound, "a..b": engine.Usage, "-x": engine.Usage, "refs heads": engine.Usage, "": engine.Usage,
	} {
		err := CheckOnto(t.Context(), p, name)
		assert.Equal(t, code, enginetest.CodeOf(t, engine.Wrap(err, "")), "%q", name)
	}
}

// TestDriverAndMember finds the member of a driver to work first: one that is ready, else the first open one.
func TestDriverAndMember(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/one.md": "---\ntype: driver\n---\n# One\n", ".chant/specs/one.1.md": "---\nstatus: completed\n---\n# Done\n", ".chant/specs/one.2.md": "# Ready\n",
		".chant/specs/two.md": "---\ntype: driver\n---\n# Two\n", ".chant/specs/two.1.md": "---\nstatus: failed\n---\n# Failed\n",
		".chant/specs/end.md": "---\ntype: driver\n---\n# End\n", ".chant/specs/end.1.md": "---\nstatus: completed\n---\n# Done\n",
	})
	for text, want := range map[string][2]string{"one": {"one", "one.2"}, "two": {"two", "two.1"}, "end": {"end", ""}, "one.2": {"one.2", "one.2"}} {
		driver, member, err := DriverAndMember(t.Context(), p, text)
		assert.NoError(t, err, "%s", text)
		assert.Equal(t, want[0], driver, "%s", text)
		assert.Equal(t, want[1], member, "%s", text)
	}
	_, _, err := DriverAndMember(t.Context(), p, "nowhere")
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
}
