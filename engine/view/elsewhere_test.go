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
)

// claim records in a clone that a machine has claimed a spec.
func claim(t *testing.T, p *engine.Project, c fleet.Claim) {
	t.Helper()
	c.Lease, c.Attempt = "l", 2
	content, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "claim")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
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
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"url":"nats://127.0.0.1:1","project":"p"}`), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestElsewhere: what other machines work on is shown with its state there, and a claim on what has landed here is old.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	join(t, p)
	list, err := view.List(t.Context(), p, view.ListInput{})
	if err != nil {
		t.Fatal(err)
	}
	board, err := view.Board(t.Context(), p, view.BoardInput{})
	if err != nil {
		t.Fatal(err)
	}
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
		if row.Status != want.status || row.Run != want.run || row.Node != want.node || row.Ready != want.ready {
			t.Errorf("%s is listed as %+v", specID(i), row)
		}
		if card.Column != want.column || card.Note != want.note {
			t.Errorf("%s is in column %s with the note %q, want %+v", specID(i), card.Column, card.Note, want)
		}
		shown, err := view.Show(t.Context(), p, view.ShowInput{ID: specID(i)})
		if err != nil || shown.Status != want.status || shown.Run != want.run || shown.Node != want.node || shown.Ready != want.ready {
			t.Errorf("%s is shown as %+v, %v", specID(i), shown.Row, err)
		}
		log, err := view.Log(t.Context(), p, view.LogInput{ID: specID(i)})
		if (err == nil) != log.Running || log.Running != (want.run == "running") {
			t.Errorf("%s: running is %t, %v", specID(i), log.Running, err)
		}
	}
	only := "in_progress"
	if got, err := view.List(t.Context(), p, view.ListInput{Status: &only}); err != nil || got.Total != 1 || got.Specs[0].ID != specID(0) {
		t.Errorf("in progress: %+v, %v", got, err)
	}
}

// TestElsewhere_status: runs on other machines are counted and listed, with the next step where one has ended.
func TestElsewhere_status(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	join(t, p)
	r, err := view.Status(t.Context(), p, view.StatusInput{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "2 pending | 1 in_progress | 1 paused | 2 completed | 1 failed | 1 blocked"; r.Brief != want {
		t.Errorf("%q, want %q", r.Brief, want)
	}
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
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	claim(t, p, fleet.Claim{ID: specID(2), Worker: "w2", State: fleet.Ended, Status: "failed", Questions: []fleet.Question{{Number: 4, Prompt: "which port?"}}})
	if r, err = view.Status(t.Context(), p, view.StatusInput{}); err != nil || len(r.Questions) != 1 || r.Questions[0].Node != "w2" || r.Questions[0].Question != 4 {
		t.Errorf("questions: %+v, %v", r.Questions, err)
	}
	shown, err := view.Show(t.Context(), p, view.ShowInput{ID: specID(2)})
	if err != nil || shown.NeedsInput != 1 || len(shown.Questions) != 1 || shown.Questions[0].Prompt != "which port?" {
		t.Errorf("shown: %+v, %v", shown.Questions, err)
	}
	claim(t, p, fleet.Claim{ID: specID(2), Worker: "w2", State: fleet.Ended, Status: "failed", Reason: "it broke"})
	d, err := view.Diagnose(t.Context(), p, view.DiagnoseInput{ID: specID(2)})
	if err != nil || d.Status != "failed" || d.Suggestion.String() != "chant fleet retry "+specID(2) || d.Location != "machine w2" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestElsewhere_alone: a clone that takes part in no fleet does not look at claims, and an unreadable claim hides nothing.
func TestElsewhere_alone(t *testing.T) {
	t.Parallel()
	p := fleetScene(t)
	if list, err := view.List(t.Context(), p, view.ListInput{}); err != nil || list.Specs[0].Node != "" || list.Specs[0].Status != "pending" {
		t.Errorf("%+v, %v", list.Specs[0], err)
	}
	join(t, p)
	home := engine.Home(p)
	enginetest.Git(t, home, "update-ref", fleet.ClaimRef(specID(5)), "HEAD")
	if list, err := view.List(t.Context(), p, view.ListInput{}); err != nil || list.Specs[0].Node != "w1" || list.Specs[5].Status != "pending" {
		t.Errorf("%+v, %v", list.Specs[0], err)
	}
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
		if err != nil || list.Specs[1].Status != status || list.Specs[6].Ready != ready || list.Specs[5].Status != "pending" {
			t.Errorf("%+v, %+v, %v", list.Specs[1], list.Specs[6], err)
		}
		r, err := view.Status(t.Context(), p, view.StatusInput{})
		if err != nil || r.LandedElsewhere != count {
			t.Errorf("%d have landed, want %d, %v", r.LandedElsewhere, count, err)
		}
	}
	d, err := view.Diagnose(t.Context(), p, view.DiagnoseInput{ID: specID(1)})
	if err != nil || d.Status != "completed" || d.Suggestion.String() != "git pull" || d.Location != "the remote" {
		t.Errorf("%+v, %v", d, err)
	}
}
