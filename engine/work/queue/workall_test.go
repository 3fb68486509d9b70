package queue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/engine/view"
	"chant/engine/work"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

func numbered(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// TestWorkAll works a small graph in this process, under the race detector: a driver is
// not worked itself, a spec starts when its dependency has landed, specs with a file in
// common do not run side by side, each is locked from its first step to its last, and
// events come one at a time.
func TestWorkAll(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	for n, text := range map[int]string{
		1: enginetest.ShellSpec("", "echo 1 > 1.txt"),
		2: enginetest.ShellSpec("depends_on: ["+numbered(1)+"]\n", "test -e 1.txt; echo 2 > 2.txt"),
		3: enginetest.ShellSpec("target_files: [src]\n", "mkdir -p src; echo 3 > src/3.txt"),
		4: enginetest.ShellSpec("target_files: [src/4.txt]\npriority: high\n", "mkdir -p src; echo 4 > src/4.txt"),
		5: "---\ntype: driver\nstatus: pending\ndepends_on: [" + numbered(5) + ".1]\n---\n# Driver\n",
		6: "---\nstatus: doing\n---\n# Malformed\n",
	} {
		enginetest.Write(t, dir, ".chant/specs/"+numbered(n)+".md", text)
	}
	for _, member := range []string{".1", ".2"} {
		enginetest.Write(t, dir, ".chant/specs/"+numbered(5)+member+".md", enginetest.ShellSpec("", "echo $CHANT_SPEC_ID >> members.txt"))
	}
	enginetest.CommitAll(t, dir)
	var began []string
	p.Progress = func(ev engine.Event) {
		if _, held := lockfile.HeldBy(p.Store.LockPath(ev.ID)); ev.Step != "" && !held {
			t.Errorf("%s is at step %s without a lock", ev.ID, ev.Step)
		}
		if ev.Kind == "started" {
			began = append(began, ev.ID)
		}
	}
	r, err := WorkAll(t.Context(), p, WorkAllInput{All: true, Parallel: 3})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 6, len(r.Completed))
	assert.Equal(t, 6, r.Starts)
	assert.Equal(t, schedule.Finished, r.Ended)
	assert.Equal(t, 1, len(r.Skipped))
	assert.Equal(t, numbered(6), r.Skipped[0].ID)
	assert.Equal(t, 1, len(r.Held))
	assert.Equal(t, HeldSpec{numbered(3), numbered(4)}, r.Held[0])
	members := slices.DeleteFunc(slices.Clone(began), func(id string) bool { return !strings.HasPrefix(id, numbered(5)) })
	assert.Equal(t, []string{numbered(5) + ".1", numbered(5) + ".2"}, members)
	driver, err := view.Show(t.Context(), p, view.ShowInput{ID: numbered(5)})
	assert.NoError(t, err)
	assert.Equal(t, string(spec.Completed), driver.Status)
}

// TestWorkAll_refused: an unknown id and options that exclude each other fail before
// anything runs.
func TestWorkAll_refused(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/"+numbered(1)+".md", enginetest.ShellSpec("", "echo x > x.txt"))
	enginetest.Write(t, dir, ".chant/specs/"+numbered(2)+".md", "---\ntype: driver\nstatus: pending\n---\n# Empty\n")
	for name, tc := range map[string]struct {
		in   WorkAllInput
		want engine.Code
	}{
		"unknown":      {WorkAllInput{IDs: []string{"001", "nope"}}, engine.NotFound},
		"empty driver": {WorkAllInput{IDs: []string{"001", "002"}}, engine.State},
		"wide chain":   {WorkAllInput{All: true, Chain: true, Parallel: 2}, engine.Usage},
		"negative":     {WorkAllInput{All: true, Parallel: -1}, engine.Usage},
		"keep going":   {WorkAllInput{All: true, KeepGoing: true}, engine.Usage},
		"provider":     {WorkAllInput{All: true, Options: work.Options{Provider: "nobody"}}, engine.NotFound},
	} {
		r, err := WorkAll(t.Context(), p, tc.in)
		assert.Equal(t, tc.want, enginetest.CodeOf(t, err), "%s: code %v", name, err)
		assert.Equal(t, 0, r.Starts, "%s: code %v", name, err)
	}
}

// TestWorkAll_failures: the error is that of the first failure, whatever followed, and
// every failure has a reason and a hint.
func TestWorkAll_failures(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/"+numbered(1)+".md", enginetest.ShellSpec("", "exit 3"))
	enginetest.Write(t, dir, ".chant/specs/"+numbered(2)+".md", enginetest.ShellSpec("", "echo 2 > 2.txt")+"\n## Acceptance Criteria\n\n- [ ] never `$ false`\n")
	enginetest.Write(t, dir, ".chant/specs/"+numbered(3)+".md", enginetest.ShellSpec("priority: soon\n", "echo 3 > 3.txt"))
	enginetest.Write(t, dir, ".chant/specs/"+numbered(4)+".md", enginetest.ShellSpec("depends_on: ["+numbered(1)+"]\n", "echo 4 > 4.txt"))
	r, err := WorkAll(t.Context(), p, WorkAllInput{All: true})
	var first *engine.Error
	assert.True(t, errors.As(err, &first), "error %+v", err)
	assert.Equal(t, engine.Agent, first.Code)
	assert.Contains(t, first.Message, "3 specs failed")
	codes := map[string]engine.Code{}
	for _, f := range r.Failed {
		codes[f.ID] = f.Code
		assert.NotEqual(t, "", f.Reason)
		assert.False(t, f.Next.IsZero(), "%+v says too little", f)
	}
	assert.Equal(t, engine.Agent, codes[numbered(1)])
	assert.Equal(t, engine.Unverified, codes[numbered(2)])
	assert.Equal(t, engine.Invalid, codes[numbered(3)])
	assert.Equal(t, 2, r.Starts)
	assert.Equal(t, 1, len(r.Waiting))
	assert.Equal(t, numbered(4), r.Waiting[0].ID)
	assert.Equal(t, numbered(1)+" (failed)", r.Waiting[0].For)
	assert.NotEqual(t, "", r.Waiting[0].Title)
}

// TestNamesMany: one id is one spec, unless it is that of a driver.
func TestNamesMany(t *testing.T) {
	t.Parallel()
	p := queued(t)
	for name, c := range map[string]struct {
		in   WorkAllInput
		want bool
		code engine.Code
	}{
		"nothing":       {WorkAllInput{}, false, engine.Usage},
		"one":           {WorkAllInput{IDs: []string{"001"}}, false, ""},
		"a driver":      {WorkAllInput{IDs: []string{numbered(7)}}, true, ""},
		"unreadable":    {WorkAllInput{IDs: []string{"008"}}, false, ""},
		"two":           {WorkAllInput{IDs: []string{"001", "002"}}, true, ""},
		"all":           {WorkAllInput{All: true}, true, ""},
		"a label":       {WorkAllInput{Labels: []string{"x"}}, true, ""},
		"one, chained":  {WorkAllInput{IDs: []string{"001"}, Chain: true}, true, ""},
		"one, parallel": {WorkAllInput{IDs: []string{"001"}, Parallel: 2}, true, ""},
		"unknown":       {WorkAllInput{IDs: []string{"nowhere"}}, false, engine.NotFound},
	} {
		got, err := NamesMany(t.Context(), p, c.in)
		assert.Equal(t, c.want, got, "%s", name)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
	}
}
