package sprints_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/task/sprints"
)

func TestBacklog(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "priority: low\n", "priority: high\nassignee: ada\n", "sprints: [1]\n", "sprints: [42]\n", "status: completed\n", "custom_fields: {rank: 1}\n")
	must(t, p, sprints.Create, `{}`)
	ids := func(out sprints.BacklogResult) string {
		var list []string
		for _, t := range out.Tasks {
			list = append(list, t.ID)
		}
		return strings.Join(list, " ")
	}
	got := must(t, p, sprints.Backlog, `{}`)
	if ids(got) != "X-6 X-2 X-4 X-1" || !reflect.DeepEqual(got.MissingSprints, []int{42}) || got.Integrity.TasksWithMissing != 1 || got.Integrity.AutoCleanup != nil {
		t.Errorf("%s: %+v", ids(got), got)
	}
	if page := must(t, p, sprints.Backlog, `{"limit": 1, "cursor": 1}`); ids(page) != "X-2" || !page.HasMore || !page.Truncated || page.Tasks[0].Rank != 2 {
		t.Errorf("%+v", page)
	}
	if done := must(t, p, sprints.Backlog, `{"status": ["Done"]}`); ids(done) != "X-5" {
		t.Errorf("%+v", done)
	}
	if mine := must(t, p, sprints.Backlog, `{"assignee": "@me"}`); ids(mine) != "X-2" {
		t.Errorf("%+v", mine)
	}
	if !strings.Contains(enginetest.Read(t, dir, ".chant/specs/2026-01-01-004-abc.md"), "sprints") {
		t.Error("a list has changed a task")
	}
	cleaned := must(t, p, sprints.Backlog, `{"cleanup_missing": true}`)
	if len(cleaned.MissingSprints) != 0 || cleaned.Integrity.AutoCleanup.RemovedReferences != 1 || cleaned.Integrity.AutoCleanup.UpdatedTasks != 1 {
		t.Errorf("%+v", cleaned)
	}
	_, err := call(t, p, sprints.Backlog, `{"status": ["never"]}`)
	wantFault(t, err, task.InvalidParams, "Status validation failed")
	_, err = call(t, p, sprints.Backlog, `{"limit": 101}`)
	wantFault(t, err, task.InvalidParams, "limit must be between 1 and 100")
}

// commitAt writes a file and commits it at a time.
func commitAt(t *testing.T, dir, at, name, content string) {
	t.Helper()
	enginetest.Write(t, dir, name, content)
	enginetest.Git(t, dir, "add", "-A")
	c := exec.CommandContext(t.Context(), "git", "commit", "-qm", "by hand")
	c.Dir, c.Env = dir, append(os.Environ(), "GIT_COMMITTER_DATE="+at, "GIT_AUTHOR_DATE="+at)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestBurndown takes the day on which a task was done from the commits, and counts archived tasks.
func TestBurndown(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1]\neffort: 3pt\n", "sprints: [1]\neffort: 4h\n", "sprints: [1]\nstatus: needs_attention\n")
	must(t, p, sprints.Create, `{"starts_at": "2026-01-01", "ends_at": "2026-01-04", "capacity_points": 6}`)
	commitAt(t, dir, "2026-01-02T23:00:00Z", ".chant/specs/2026-01-01-001-abc.md", "---\ntask: X-1\nsprints: [1]\neffort: 3pt\nstatus: completed\n---\n# Task 1\n")
	commitAt(t, dir, "2026-01-03T01:00:00Z", ".chant/specs/2026-01-01-002-abc.md", "---\ntask: X-2\nsprints: [1]\neffort: 4h\nstatus: completed\n---\n# Task 2\n")
	enginetest.Git(t, dir, "rm", "-q", ".chant/specs/2026-01-01-002-abc.md")
	commitAt(t, dir, "2026-01-03T02:00:00Z", ".chant/archive/2026-01-01/2026-01-01-002-abc.md", "---\ntask: X-2\nsprints: [1]\neffort: 4h\nstatus: completed\n---\n# Task 2\n")
	got := must(t, p, sprints.Burndown, `{"sprint": 1}`)
	if got.Status != "ok" || got.Totals != (sprint.Totals{Tasks: 3, Points: 3, Hours: 4}) {
		t.Fatalf("%+v", got)
	}
	left := map[string]int{}
	for _, point := range got.Series {
		left[point.Date[:10]] = point.RemainingTasks
	}
	if left["2026-01-01"] != 3 || left["2026-01-02"] != 2 || left["2026-01-03"] != 1 {
		t.Errorf("%v", left)
	}
	sum := must(t, p, sprints.Summary, `{"sprint": "1"}`)
	if sum.Metrics.Tasks.Done != 2 || sum.Metrics.Points.Done != 3 || *sum.Metrics.Points.CapacityCommitmentRatio != 0.5 || sum.Lifecycle.State != sprint.Pending {
		t.Errorf("%+v", sum.Metrics)
	}
	must(t, p, sprints.Close, `{"sprint": 1}`)
	velocity := must(t, p, sprints.Velocity, `{"limit": 0}`)
	if velocity.Count != 1 || velocity.Metric != sprint.Points || *velocity.AverageVelocity != 3 || velocity.Entries[0].Capacity != 6 {
		t.Errorf("%+v", velocity)
	}
	_, err := call(t, p, sprints.Velocity, `{"metric": "stories"}`)
	wantFault(t, err, task.InvalidParams, "Unsupported metric 'stories'. Use tasks, points, or hours.")
	must(t, p, sprints.Create, `{}`)
	_, err = call(t, p, sprints.Burndown, `{"sprint": 2}`)
	wantFault(t, err, task.InvalidParams, "no start")
}

// TestSummary_blocked names the tasks whose status says that they are blocked.
func TestSummary_blocked(t *testing.T) {
	t.Parallel()
	p, dir := project(t, "sprints: [1]\nstatus: in_progress\ntask_status: Blocked\nassignee: ada\n", "sprints: [1]\ndepends_on: [2026-01-01-001-abc]\n")
	enginetest.Write(t, dir, ".tasks/config.yml", "issue_states: [Todo, Doing, Blocked, Done]\n")
	must(t, p, sprints.Create, `{}`)
	got := must(t, p, sprints.Summary, `{"sprint": 1}`)
	if got.Metrics.Blocked != 1 || got.BlockedTasks[0] != (sprint.BlockedTask{ID: "X-1", Title: "Task 1", Status: "Blocked", Assignee: "ada"}) {
		t.Errorf("%+v", got)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".tasks")); err != nil {
		t.Fatal(err)
	}
	if own := must(t, p, sprints.Summary, `{"sprint": 1}`); own.Metrics.Blocked != 1 || own.BlockedTasks[0].ID != "X-2" {
		t.Errorf("%+v", own)
	}
}
