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
	if err != nil {
		t.Fatalf("%v\n%+v", err, r)
	}
	if len(r.Completed) != 6 || r.Starts != 6 || r.Ended != schedule.Finished || len(r.Skipped) != 1 || r.Skipped[0].ID != numbered(6) {
		t.Errorf("%+v", r)
	}
	if len(r.Held) != 1 || r.Held[0] != (HeldSpec{numbered(3), numbered(4)}) {
		t.Errorf("held back are %v", r.Held)
	}
	members := slices.DeleteFunc(slices.Clone(began), func(id string) bool { return !strings.HasPrefix(id, numbered(5)) })
	if !slices.Equal(members, []string{numbered(5) + ".1", numbered(5) + ".2"}) {
		t.Errorf("members began as %v", members)
	}
	if driver, err := view.Show(t.Context(), p, view.ShowInput{ID: numbered(5)}); err != nil || driver.Status != string(spec.Completed) {
		t.Errorf("the driver is %q, %v", driver.Status, err)
	}
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
		if got := enginetest.CodeOf(t, err); got != tc.want || r.Starts != 0 {
			t.Errorf("%s: code %q, want %q (%v), %d starts", name, got, tc.want, err, r.Starts)
		}
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
	if !errors.As(err, &first) || first.Code != engine.Agent || !strings.Contains(first.Message, "3 specs failed") {
		t.Errorf("error %+v", err)
	}
	codes := map[string]engine.Code{}
	for _, f := range r.Failed {
		codes[f.ID] = f.Code
		if f.Reason == "" || f.Next.IsZero() {
			t.Errorf("%+v says too little", f)
		}
	}
	if codes[numbered(1)] != engine.Agent || codes[numbered(2)] != engine.Unverified || codes[numbered(3)] != engine.Invalid || r.Starts != 2 {
		t.Errorf("%d starts, failed as %v", r.Starts, codes)
	}
	if len(r.Waiting) != 1 || r.Waiting[0].ID != numbered(4) || r.Waiting[0].For != numbered(1)+" (failed)" || r.Waiting[0].Title == "" {
		t.Errorf("waiting are %+v", r.Waiting)
	}
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
		if got != c.want || enginetest.CodeOf(t, err) != c.code {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
