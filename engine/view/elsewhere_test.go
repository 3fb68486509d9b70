package view_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// claim records in a clone that a machine has claimed a spec.
func claim(t *testing.T, p *engine.Project, c fleet.Claim) {
	t.Helper()
	c.Lease, c.Attempt = "l", 2
	content, err := c.Bytes()
	assert.NoError(t, err)
	file := filepath.Join(t.TempDir(), "claim")
	assert.NoError(t, os.WriteFile(file, content, 0o600))
	home := engine.Home(p)
	enginetest.Git(t, home, "update-ref", fleet.ClaimRef(c.ID), enginetest.Git(t, home, "hash-object", "-w", file))
}

// fleetScene is a project with one spec for each state of a claim, and one that depends on the completed one.
func fleetScene(t *testing.T) *engine.Project {
	t.Helper()
	p, dir := enginetest.Project(t)
	body := "---\nstatus: pending\n---\n# A spec\n\n## Acceptance Criteria\n\n- [ ] one\n"
	files := map[string]string{}
	for i := range 6 {
		files[".chant/specs/"+specID(i)+".md"] = body
	}
	files[".chant/specs/"+specID(6)+".md"] = strings.Replace(body, "status:", "depends_on: ["+specID(1)+"]\nstatus:", 1)
	files[".chant/specs/"+specID(7)+".md"] = strings.Replace(body, "pending", "completed", 1)
	enginetest.Commit(t, dir, files)
	claim(t, p, fleet.Claim{ID: specID(0), Worker: "w1", State: fleet.Working})
	claim(t, p, fleet.Claim{ID: specID(1), Worker: "w1", State: fleet.Completed, Status: "completed"})
	claim(t, p, fleet.Claim{ID: specID(2), Worker: "w2", State: fleet.Ended, Status: "failed", Reason: "it broke"})
	claim(t, p, fleet.Claim{ID: specID(3), Worker: "w2", State: fleet.Returned, Status: "paused", Reason: "its worker was stopped"})
	claim(t, p, fleet.Claim{ID: specID(4), Worker: "w2", State: fleet.Ended, Status: "paused", Reason: "it was stopped"})
	claim(t, p, fleet.Claim{ID: specID(7), Worker: "w1", State: fleet.Completed, Status: "completed"})
	return p
}

func specID(i int) string { return "2026-01-02-00" + string(rune('1'+i)) + "-abc" }

// join makes the clone take part in a fleet.
func join(t *testing.T, p *engine.Project) {
	t.Helper()
	path := filepath.Join(p.Repo.CommonDir(), "chant", "fleet.json")
	assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NoError(t, os.WriteFile(path, []byte(`{"url":"nats://127.0.0.1:1","project":"p"}`), 0o600))
}

// TestElsewhere: what other machines work on is shown with its state there, and a claim on what has landed here is old.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	join(t, p)
	list, err := view.List(t.Context(), p, view.ListInput{})
	assert.NoError(t, err)
	board, err := view.Board(t.Context(), p, view.BoardInput{})
	assert.NoError(t, err)
	for i, want := range []struct {
		status, run, node string
		ready             bool
		column            view.Column
		note              string
	}{
		{"in_progress", "running", "w1", false, view.ColumnRunning, "running on w1"},
		{"completed", "waits for its landing", "w1", false, view.ColumnRunning, "waits for its landing on w1"},
		{"failed", "", "w2", false, view.ColumnNeedsYou, "on w2: it broke"},
		{"pending", "waits for a machine", "w2", true, view.ColumnPending, "waits for a machine on w2"},
		{"paused", "", "w2", false, view.ColumnNeedsYou, "on w2: it was stopped"},
		{"pending", "", "", true, view.ColumnReady, ""},
		{"pending", "", "", false, view.ColumnPending, "waits for " + specID(1)},
		{"completed", "", "", false, view.ColumnCompleted, ""},
	} {
		row, card := list.Specs[i], board.Cards[i]
		assert.Equal(t, want.status, row.Status)
		assert.Equal(t, want.run, row.Run)
		assert.Equal(t, want.node, row.Node)
		assert.Equal(t, want.ready, row.Ready)
		if card.Column != want.column || card.Note != want.note {
			t.Errorf("%s is in column %s with the note %q, want %+v", specID(i), card.Column, card.Note, want)
		}
		shown, err := view.Show(t.Context(), p, view.ShowInput{ID: specID(i)})
		assert.NoError(t, err, "%v", shown.Row)
		assert.Equal(t, want.status, shown.Status, "%v", shown.Row)
		assert.Equal(t, want.run, shown.Run, "%v", shown.Row)
		assert.Equal(t, want.node, shown.Node, "%v", shown.Row)
		assert.Equal(t, want.ready, shown.Ready, "%v", shown.Row)
		log, err := view.Log(t.Context(), p, view.LogInput{ID: specID(i)})
		if (err == nil) != log.Running || log.Running != (want.run == "running") {
			t.Errorf("%s: running is %t, %v", specID(i), log.Running, err)
		}
	}
	only := "in_progress"
	got, err := view.List(t.Context(), p, view.ListInput{Status: &only})
	assert.NoError(t, err)
	assert.Equal(t, 1, got.Total)
	assert.Equal(t, specID(0), got.Specs[0].ID)
}

// TestElsewhere_status: runs on other machines are counted and listed, with the next step where one has ended.
func TestElsewhere_status(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	join(t, p)
	r, err := view.Status(t.Context(), p, view.StatusInput{})
	assert.NoError(t, err)
	assert.Equal(t, "2 pending | 1 in_progress | 1 paused | 2 completed | 1 failed | 1 blocked", r.Brief)
	got := ""
	for _, v := range r.Runs {
		got += v.ID + " " + v.State + " " + v.Node + " " + v.Next.String() + "\n"
	}
	for _, o := range r.Open {
		got += o.ID + " " + string(o.Status) + " " + o.Node + " " + o.Next.String() + ": " + o.Why + "\n"
	}
	want := specID(0) + " running w1 chant log " + specID(0) + " --follow\n" +
		specID(1) + " waits for its landing w1 chant fleet status\n" +
		specID(3) + " waits for a machine w2 chant fleet status\n" +
		specID(2) + " failed w2 chant fleet retry " + specID(2) + `: its run on machine "w2" ended as failed: it broke` + "\n" +
		specID(4) + " paused w2 chant fleet retry " + specID(4) + `: its run on machine "w2" ended as paused: it was stopped` + "\n" +
		specID(6) + " pending  chant fleet status: waits for " + specID(1) + " (not landed)\n"
	assert.Equal(t, want, got)
	claim(t, p, fleet.Claim{ID: specID(2), Worker: "w2", State: fleet.Ended, Status: "failed", Questions: []fleet.Question{{Number: 4, Prompt: "which port?"}}})
	r, err = view.Status(t.Context(), p, view.StatusInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Questions))
	assert.Equal(t, "w2", r.Questions[0].Node)
	assert.Equal(t, 4, r.Questions[0].Question)
	shown, err := view.Show(t.Context(), p, view.ShowInput{ID: specID(2)})
	assert.NoError(t, err)
	assert.Equal(t, 1, shown.NeedsInput)
	assert.Equal(t, 1, len(shown.Questions))
	assert.Equal(t, "which port?", shown.Questions[0].Prompt)
	claim(t, p, fleet.Claim{ID: specID(2), Worker: "w2", State: fleet.Ended, Status: "failed", Reason: "it broke"})
	d, err := view.Diagnose(t.Context(), p, view.DiagnoseInput{ID: specID(2)})
	assert.NoError(t, err)
	assert.Equal(t, "failed", d.Status)
	assert.Equal(t, "chant fleet retry "+specID(2), d.Suggestion.String())
	assert.Equal(t, "machine w2", d.Location)
}

// TestElsewhere_alone: a clone that takes part in no fleet does not look at claims, and an unreadable claim hides nothing.
func TestElsewhere_alone(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	list, err := view.List(t.Context(), p, view.ListInput{})
	assert.NoError(t, err)
	assert.Equal(t, "", list.Specs[0].Node)
	assert.Equal(t, "pending", list.Specs[0].Status)
	join(t, p)
	home := engine.Home(p)
	enginetest.Git(t, home, "update-ref", fleet.ClaimRef(specID(5)), "HEAD")
	list, err = view.List(t.Context(), p, view.ListInput{})
	assert.NoError(t, err)
	assert.Equal(t, "w1", list.Specs[0].Node)
	assert.Equal(t, "pending", list.Specs[5].Status)
}

// TestElsewhere_landed: what has landed in the remote, as it was fetched last, is completed, and what waits for it is ready.
func TestElsewhere_landed(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	home := engine.Home(p)
	enginetest.Git(t, home, "update-ref", "-d", fleet.ClaimRef(specID(1)))
	body := strings.Replace(enginetest.Read(t, home, ".chant/specs/"+specID(1)+".md"), "pending", "completed", 1)
	enginetest.Commit(t, home, map[string]string{".chant/specs/" + specID(1) + ".md": body})
	enginetest.Git(t, home, "update-ref", "refs/remotes/origin/main", "HEAD")
	enginetest.Git(t, home, "reset", "-q", "--hard", "HEAD^")
	for _, in := range []bool{false, true} {
		status, ready, count := "pending", false, 0
		if in {
			join(t, p)
			status, ready, count = "completed", true, 1
		}
		list, err := view.List(t.Context(), p, view.ListInput{})
		assert.NoError(t, err)
		assert.Equal(t, status, list.Specs[1].Status)
		assert.Equal(t, ready, list.Specs[6].Ready)
		assert.Equal(t, "pending", list.Specs[5].Status)
		r, err := view.Status(t.Context(), p, view.StatusInput{})
		assert.NoError(t, err)
		assert.Equal(t, count, r.LandedElsewhere)
	}
	d, err := view.Diagnose(t.Context(), p, view.DiagnoseInput{ID: specID(1)})
	assert.NoError(t, err)
	assert.Equal(t, "completed", d.Status)
	assert.Equal(t, "git pull", d.Suggestion.String())
	assert.Equal(t, "the remote", d.Location)
}
