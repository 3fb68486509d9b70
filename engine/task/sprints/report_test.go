package sprints_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec/sprint"
	"chant/engine/spec/task"
	"chant/engine/task/sprints"

	"github.com/alecthomas/assert/v2"
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
	assert.Equal(t, "X-6 X-2 X-4 X-1", ids(got))
	assert.Equal(t, []int{42}, got.MissingSprints)
	assert.Equal(t, 1, got.Integrity.TasksWithMissing)
	assert.True(t, got.Integrity.AutoCleanup == nil, "%v", got)
	page := must(t, p, sprints.Backlog, `{"limit": 1, "cursor": 1}`)
	assert.Equal(t, "X-2", ids(page))
	assert.True(t, page.HasMore, "%+v", page)
	assert.True(t, page.Truncated, "%+v", page)
	assert.Equal(t, 2, page.Tasks[0].Rank)
	done := must(t, p, sprints.Backlog, `{"status": ["Done"]}`)
	assert.Equal(t, "X-5", ids(done))
	mine := must(t, p, sprints.Backlog, `{"assignee": "@me"}`)
	assert.Equal(t, "X-2", ids(mine))
	assert.Contains(t, enginetest.Read(t, dir, ".chant/specs/2026-01-01-004-abc.md"), "sprints", "a list has changed a task")
	cleaned := must(t, p, sprints.Backlog, `{"cleanup_missing": true}`)
	assert.Zero(t, cleaned.MissingSprints)
	assert.Equal(t, 1, cleaned.Integrity.AutoCleanup.RemovedReferences)
	assert.Equal(t, 1, cleaned.Integrity.AutoCleanup.UpdatedTasks)
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
	enginetest.GitWith(t, dir, []string{"GIT_COMMITTER_DATE=" + at, "GIT_AUTHOR_DATE=" + at}, "commit", "-qm", "by hand")
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
	assert.Equal(t, "ok", got.Status)
	assert.Equal(t, sprint.Totals{Tasks: 3, Points: 3, Hours: 4}, got.Totals)
	left := map[string]int{}
	for _, point := range got.Series {
		left[point.Date[:10]] = point.RemainingTasks
	}
	assert.Equal(t, 3, left["2026-01-01"])
	assert.Equal(t, 2, left["2026-01-02"])
	assert.Equal(t, 1, left["2026-01-03"])
	sum := must(t, p, sprints.Summary, `{"sprint": "1"}`)
	assert.Equal(t, 2, sum.Metrics.Tasks.Done)
	assert.Equal(t, 3, sum.Metrics.Points.Done)
	assert.Equal(t, 0.5, *sum.Metrics.Points.CapacityCommitmentRatio)
	assert.Equal(t, sprint.Pending, sum.Lifecycle.State)
	must(t, p, sprints.Close, `{"sprint": 1}`)
	velocity := must(t, p, sprints.Velocity, `{"limit": 0}`)
	assert.Equal(t, 1, velocity.Count)
	assert.Equal(t, sprint.Points, velocity.Metric)
	assert.Equal(t, 3, *velocity.AverageVelocity)
	assert.Equal(t, 6, velocity.Entries[0].Capacity)
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
	assert.Equal(t, 1, got.Metrics.Blocked)
	assert.Equal(t, sprint.BlockedTask{ID: "X-1", Title: "Task 1", Status: "Blocked", Assignee: "ada"}, got.BlockedTasks[0])
	assert.NoError(t, os.RemoveAll(filepath.Join(dir, ".tasks")))
	own := must(t, p, sprints.Summary, `{"sprint": 1}`)
	assert.Equal(t, 1, own.Metrics.Blocked)
	assert.Equal(t, "X-2", own.BlockedTasks[0].ID)
}
