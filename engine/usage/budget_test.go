package usage

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/journal"
	"chant/providers"
)

// Agents side by side share the rest of the day: what those at work have taken until now
// counts, and those that were killed take no more.
func TestBudget_sideBySide(t *testing.T) {
	t.Parallel()
	project, _ := enginetest.Project(t)
	project.Config.Limits.Day.Time = time.Minute
	noon := project.Now()
	b := NewBudget(project)
	heard := func(id string, s journal.Session) {
		t.Helper()
		s.Began = noon
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []journal.Record{{Time: noon, Attempt: 1, Step: journal.Open}, {Time: noon, Attempt: 1, Step: journal.Heard, Data: data}} {
			if _, err := project.Store.Append(id, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	sleeping(t, func(p providers.Process) {
		heard("2026-01-02-001-aaa", journal.Session{Number: 1, Process: &p})
		heard("2026-01-02-002-bbb", journal.Session{Number: 1, Process: &p})
		heard("2026-01-02-003-ccc", journal.Session{Number: 1, Seconds: 10, Ended: true, Process: &p})
		heard("2026-01-02-004-ddd", journal.Session{Number: 1, Process: &providers.Process{PID: p.PID, Started: "another"}})

		if left, why := b.left(); left != 25*time.Second || why == "" {
			t.Errorf("at first %s are left, %q", left, why)
		}
		project.Now = func() time.Time { return noon.Add(20 * time.Second) }
		if left, why := b.left(); left != 5*time.Second || why == "" {
			t.Errorf("after 20 s %s are left, %q", left, why)
		}
		if why, err := b.Over(); why != "" || err != nil {
			t.Errorf("over before it is: %q, %v", why, err)
		}
		project.Now = func() time.Time { return noon.Add(26 * time.Second) }
		if left, why := b.left(); left > 0 || why != "time limit of the day reached: 1m2s of 1m0s" {
			t.Errorf("after 26 s %s are left, %q", left, why)
		}
		if why, err := b.Over(); why != "time limit of the day reached: 1m2s of 1m0s" || err != nil {
			t.Errorf("over: %q, %v", why, err)
		}
	})
}

// sleeping does something while an agent of no use is at work.
func sleeping(t *testing.T, do func(providers.Process)) {
	t.Helper()
	path, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("there is no sleep here")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	began := false
	l := providers.Launch{Path: path, Args: []string{"1000"}, Dir: t.TempDir(), Env: append(os.Environ(), providers.RunIDKey+"="+t.Name())}
	_, err = providers.Run(ctx, l, providers.Limits{}, providers.Watch{Started: func(p providers.Process) {
		defer stop()
		began = true
		do(p)
	}})
	if err != nil || !began {
		t.Fatal(began, err)
	}
}
