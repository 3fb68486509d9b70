package work

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/gitops/lockfile"
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
			if text != files[".chant/specs/"+status+".md"] || enginetest.Git(t, dir, "rev-parse", "HEAD") != before {
				t.Errorf("%s: a refused reset has written\n%s", status, text)
			}
			continue
		}
		if r.Status != want || !strings.Contains(text, "status: "+string(want)) || strings.Contains(text, "because") != (string(want) == status) || !strings.Contains(text, "other: kept") {
			t.Errorf("%s: %+v\n%s", status, r, text)
		}
	}
	if _, err := Reset(t.Context(), p, ResetInput{ID: "nowhere"}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("%v", err)
	}
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
		if r, err := Pause(t.Context(), p, PauseInput{ID: id}); err != nil || r.Status != want || (r.Commit != "") != (want == spec.Paused) {
			t.Errorf("%s: %+v, %v", id, r, err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Pause(t.Context(), p, PauseInput{ID: "landing"}); enginetest.CodeOf(t, err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if err := lock.Release(); err != nil {
			t.Fatal(err)
		}
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
		if err := CheckOnto(t.Context(), p, name); enginetest.CodeOf(t, engine.Wrap(err, "")) != code {
			t.Errorf("%q: %v", name, err)
		}
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
		if err != nil || driver != want[0] || member != want[1] {
			t.Errorf("%s: %q, %q, %v", text, driver, member, err)
		}
	}
	if _, _, err := DriverAndMember(t.Context(), p, "nowhere"); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("%v", err)
	}
}
