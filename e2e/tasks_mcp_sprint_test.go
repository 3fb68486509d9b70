package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/assert/v2"
)

// sprintCases are about sprints.
func sprintCases() []tasksCase {
	return []tasksCase{
		{"a8_25", assignsSprints}, {"a8_26", ghostSprint}, {"a8_27", backlogPages}, {"a8_28", severalSprints}, {"a8_29", sprintReports},
		{"a8_30", deletesSprint}, {"a8_34", lifecycles}, {"a8_35", burndowns}, {"a8_36", velocities}, {"a8_37", summaries}, {"a8_38", cursors},
	}
}

// sprint creates a sprint and returns its number.
func (p *tasksPipe) sprint(args fields) string {
	p.Helper()
	return p.do("sprint_create", args).text("sprint", "id")
}

// backlog lists the ids of the backlog.
func (p *tasksPipe) backlog(args fields) string {
	p.Helper()
	got := p.do("sprint_backlog", args)
	list, _ := got.at("tasks").([]any)
	var out []string
	for i := range list {
		out = append(out, got.text("tasks", i, "id"))
	}
	return strings.Join(out, " ")
}

func assignsSprints(h *tasksHost) {
	p := h.open(plainConfig)
	one, two, three := p.create("One"), p.create("Two"), p.create("Three")
	p.sprint(fields{"label": "First"})
	p.expect(p.do("sprint_add", fields{"sprint": "#1", "tasks": one}), `["`+one+`"]`, "modified")
	got := p.do("sprint_add", fields{"sprint_id": 1, "tasks": []string{one, two}})
	p.expect(got, `["`+two+`"]`, "modified")
	p.expect(got, `["`+one+`"]`, "unchanged")
	if got := p.backlog(fields{}); got != three {
		h.Errorf("backlog: %s", got)
	}
	p.expect(p.do("sprint_remove", fields{"sprint_id": 1, "tasks": one}), `["`+one+`"]`, "modified")
	if got := p.backlog(fields{}); got != one+" "+three {
		h.Errorf("backlog: %s", got)
	}
	p.expect(p.do("task_get", fields{"id": two}), "[1]", "sprints")
	if e := p.refused("sprint_add", fields{"sprint_id": 1, "tasks": []string{one, "TEST-99"}}); e.Code != -32602 && e.Code != -32004 {
		h.Errorf("got %+v", e)
	}
	p.expect(p.do("task_get", fields{"id": one}), "", "sprints")
}

// ghosts makes a task by hand that is in a sprint that does not exist, beside the given task.
func (h *tasksHost) ghosts(p *tasksPipe) (ghost string) {
	h.Helper()
	ghost = p.create("In a ghost")
	files, err := filepath.Glob(filepath.Join(h.dir, ".chant", "specs", "*.md"))
	if err != nil || len(files) == 0 {
		h.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			h.Fatal(err)
		}
		if !strings.Contains(string(src), "task: "+ghost+"\n") {
			continue
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(src), "---\n", "---\nsprints: [42]\n", 1)), 0o644); err != nil {
			h.Fatal(err)
		}
		h.git("commit", "-q", "-am", "put it into a sprint that is missing")
	}
	return ghost
}

func ghostSprint(h *tasksHost) {
	p := h.open(plainConfig)
	p.sprint(fields{"label": "First"})
	ghost := h.ghosts(p)
	got := p.do("sprint_backlog", fields{})
	p.expect(got, "[42]", "missing_sprints")
	p.expect(got, "1", "integrity", "tasks_with_missing")
	if got.at("integrity", "auto_cleanup") != nil {
		h.Errorf("got %v", got["integrity"])
	}
	p.expect(p.do("task_get", fields{"id": ghost}), "[42]", "sprints")
	got = p.do("sprint_backlog", fields{"cleanup_missing": true})
	p.expect(got, "[]", "missing_sprints")
	p.expect(got, "1", "integrity", "auto_cleanup", "removed_references")
	p.expect(got, "1", "integrity", "auto_cleanup", "updated_tasks")
	p.expect(p.do("task_get", fields{"id": ghost}), "", "sprints")
	p.contains(p.backlog(fields{}), ghost)
}

func backlogPages(h *tasksHost) {
	p := h.open(plainConfig)
	one, two := p.create("One"), p.create("Two")
	got := p.do("sprint_backlog", fields{"limit": 1})
	for name, want := range map[string]string{"count": "1", "total": "2", "hasMore": "true", "truncated": "true", "nextCursor": "1"} {
		p.expect(got, want, name)
	}
	p.expect(got, one, "tasks", 0, "id")
	got = p.do("sprint_backlog", fields{"limit": 1, "cursor": got.at("nextCursor")})
	p.expect(got, two, "tasks", 0, "id")
	p.expect(got, "false", "hasMore")
	for _, args := range []fields{{"limit": 101}, {"cursor": 5001}, {"cursor": "x"}} {
		if e := p.refused("sprint_backlog", args); e.Code != -32602 {
			h.Errorf("%v: %+v", args, e)
		}
	}
}

func severalSprints(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("In two")
	p.sprint(fields{"label": "First"})
	p.sprint(fields{"label": "Second"})
	p.do("sprint_add", fields{"sprint_id": 1, "tasks": id})
	p.do("sprint_add", fields{"sprint_id": 2, "tasks": id})
	p.expect(p.do("task_get", fields{"id": id}), "[1,2]", "sprints")
	texts := p.texts("sprint_add", fields{"sprint_id": 2, "tasks": id, "force": true})
	assert.Equal(h.T, 2, len(texts), "%q", texts)
	assert.Contains(h.T, texts[0], id)
	assert.Contains(h.T, texts[0], "#1")
	p.contains(texts[1], `"previous": [`, `"task_id": "`+id+`"`)
	p.expect(p.do("task_get", fields{"id": id}), "[2]", "sprints")
	got := p.do("sprint_add", fields{"sprint_id": 1, "tasks": id, "force_single": true})
	p.expect(got, "[2]", "replaced", 0, "previous")
	p.expect(p.do("task_get", fields{"id": id}), "[1]", "sprints")
}

func sprintReports(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("Work", "effort", "3pt")
	got := p.do("sprint_create", fields{"label": "First", "plan_length": "2w", "starts_at": "2026-01-05T00:00:00Z"})
	p.expect(got, "1", "sprint", "id")
	p.expect(p.do("sprint_update", fields{"sprint": 1, "label": "Renamed", "actual_started_at": "2026-01-05T00:00:00Z"}), "Renamed", "sprint", "label")
	p.expect(p.do("sprint_list", fields{}), "1", "count")
	p.expect(p.do("sprint_get", fields{"sprint": "#1"}), "Renamed", "sprint", "label")
	p.do("sprint_add", fields{"tasks": id})
	p.expect(p.do("task_bulk_update", fields{"ids": []string{id}, "patch": fields{"status": "Done"}}), "Done", "updated", 0, "status")
	for _, tool := range []string{"sprint_summary", "sprint_burndown", "sprint_velocity"} {
		got := p.do(tool, fields{"sprint": 1, "include_active": true})
		p.expect(got, "ok", "status")
		if list, _ := got.at(map[string]string{"sprint_burndown": "series", "sprint_velocity": "entries"}[tool]).([]any); tool != "sprint_summary" && len(list) == 0 {
			h.Errorf("%s: %v", tool, got)
		}
	}
	p.expect(p.do("sprint_summary", fields{"sprint": 1}), "1", "metrics", "tasks", "done")
}

func deletesSprint(h *tasksHost) {
	p := h.open(plainConfig)
	id := p.create("In it")
	p.sprint(fields{"label": "First"})
	p.do("sprint_add", fields{"sprint": 1, "tasks": id})
	file := filepath.Join(h.dir, ".chant", "sprints", "1.md")
	if _, err := os.Stat(file); err != nil {
		h.Error(err)
	}
	texts := p.texts("sprint_delete", fields{"sprint_id": 1, "cleanup_missing": true})
	if len(texts) != 2 || !strings.Contains(texts[0], "Deleted") {
		h.Fatalf("got %q", texts)
	}
	p.contains(texts[1], `"deleted": true`, `"sprint_id": 1`)
	if _, err := os.Stat(file); err == nil {
		h.Error("the file is still there")
	}
	p.expect(p.do("task_get", fields{"id": id}), "", "sprints")
	if e := p.refused("sprint_delete", fields{"sprint_id": 1}); e.Code != -32004 || e.Message != "Sprint #1 not found" {
		h.Errorf("got %+v", e)
	}
	if got := p.sprint(fields{}); got != "2" {
		h.Errorf("the next sprint is %s", got)
	}
}

// day is a time some days from now.
func day(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.RFC3339) }

func lifecycles(h *tasksHost) {
	p := h.open(plainConfig)
	state := func(n string) string { return p.do("sprint_get", fields{"sprint": n}).text("sprint", "state") }
	n := p.sprint(fields{"label": "Later", "starts_at": day(3), "plan_length": "1w"})
	if got := state(n); got != "pending" {
		h.Errorf("before its start: %s", got)
	}
	got := p.do("sprint_get", fields{"sprint": n})
	if end := got.text("sprint", "computed_end"); !strings.HasPrefix(end, day(10)[:10]) {
		h.Errorf("computed end %q in %v", end, got)
	}
	p.do("sprint_update", fields{"sprint": n, "actual_started_at": day(-2)})
	if got := state(n); got != "active" {
		h.Errorf("after its start: %s", got)
	}
	p.do("sprint_update", fields{"sprint": n, "actual_started_at": day(-20)})
	if got := state(n); got != "overdue" {
		h.Errorf("after its end: %s", got)
	}
	p.do("sprint_update", fields{"sprint": n, "actual_closed_at": day(-1)})
	if got := state(n); got != "complete" {
		h.Errorf("after its closing: %s", got)
	}
	bad := p.do("sprint_create", fields{"label": "Bad", "starts_at": "some day", "plan_length": "a while"})
	p.contains(p.do("sprint_get", fields{"sprint": bad.at("sprint", "id")}).text("sprint", "warnings"), "unparseable_timestamp", "unparseable_length")
}

func burndowns(h *tasksHost) {
	p := h.open(plainConfig)
	p.sprint(fields{"label": "First", "starts_at": day(-3), "plan_length": "6d"})
	p.do("sprint_update", fields{"sprint": 1, "actual_started_at": day(-3)})
	p.do("sprint_add", fields{"sprint": 1, "tasks": []string{p.create("Points", "effort", "5pt"), p.create("Hours", "effort", "1d"), p.create("Neither")}})
	got := p.do("sprint_burndown", fields{"sprint": 1})
	p.expect(got, `{"hours":8,"points":5,"tasks":3}`, "totals")
	series, _ := got.at("series").([]any)
	if len(series) != 7 {
		h.Fatalf("%d days in %v", len(series), got)
	}
	for name, want := range map[string]string{"remaining_tasks": "3", "ideal_tasks": "3", "remaining_points": "5", "ideal_points": "5", "remaining_hours": "8", "ideal_hours": "8"} {
		p.expect(got, want, "series", 0, name)
	}
	for _, name := range []string{"ideal_tasks", "ideal_points", "ideal_hours"} {
		p.expect(got, "0", "series", len(series)-1, name)
	}
}

func velocities(h *tasksHost) {
	p := h.open(plainConfig)
	for i, points := range []string{"3pt", "5pt", "8pt"} {
		id := p.create("Work", "effort", points)
		p.do("sprint_create", fields{"label": points, "starts_at": day(-30 + 10*i), "plan_length": "7d"})
		p.do("sprint_update", fields{"sprint": i + 1, "actual_started_at": day(-30 + 10*i)})
		p.do("sprint_add", fields{"sprint": i + 1, "tasks": id})
		p.do("task_update", fields{"id": id, "patch": fields{"status": "Done"}})
		if i < 2 {
			p.do("sprint_update", fields{"sprint": i + 1, "actual_closed_at": day(-23 + 10*i)})
		}
	}
	got := p.do("sprint_velocity", fields{"metric": "points"})
	p.expect(got, "points", "metric")
	p.expect(got, "2", "count")
	p.expect(got, "5pt", "entries", 0, "summary", "label")
	p.expect(got, "3pt", "entries", 1, "summary", "label")
	p.expect(got, "5", "entries", 0, "completed")
	p.expect(got, "true", "skipped_incomplete")
	p.expect(got, "4", "average_velocity")
	p.contains(got.text("entries", 0, "window"), "->")
	if _, there := got["include_active"]; there {
		h.Errorf("got %v", got)
	}
	if e := p.refused("sprint_velocity", fields{"metric": "beers"}); e.Message != "Unsupported metric 'beers'. Use tasks, points, or hours." {
		h.Errorf("got %+v", e)
	}
}

func summaries(h *tasksHost) {
	p := h.open(strings.Replace(plainConfig, "NeedsReview", "Blocked", 1))
	open, blocked, done := p.create("Open", "effort", "3pt"), p.create("Blocked", "effort", "2pt"), p.create("Done", "effort", "5pt")
	p.sprint(fields{"label": "First", "capacity_points": 20})
	p.do("sprint_update", fields{"sprint": 1, "actual_started_at": day(-2)})
	p.do("sprint_add", fields{"sprint": 1, "tasks": []string{open, blocked, done}})
	p.do("task_update", fields{"id": blocked, "patch": fields{"status": "blocked"}})
	p.do("task_update", fields{"id": done, "patch": fields{"status": "done"}})
	got := p.do("sprint_summary", fields{"sprint": 1})
	p.expect(got, "1", "metrics", "blocked")
	p.expect(got, blocked, "blocked_tasks", 0, "id")
	p.expect(got, "10", "metrics", "points", "committed")
	p.expect(got, "0.5", "metrics", "points", "capacity_commitment_ratio")
	p.expect(got, "0.25", "metrics", "points", "capacity_consumed_ratio")
	p.expect(got, "0.5", "metrics", "points", "completion_ratio")
}

func cursors(h *tasksHost) {
	p := h.open(plainConfig)
	for _, title := range []string{"One", "Two"} {
		p.create(title)
		p.sprint(fields{"label": title})
	}
	h.write(".tasks/OTHER/config.yml", "project_name: Other\n")
	for _, tool := range []string{"task_list", "project_list", "sprint_list", "sprint_backlog"} {
		if next, _ := p.do(tool, fields{"limit": 1})["nextCursor"].(float64); next != 1 {
			h.Errorf("%s: nextCursor is %v", tool, next)
		}
		last := p.do(tool, fields{"cursor": 1})
		if next, there := last["nextCursor"]; !there || next != nil {
			h.Errorf("%s: nextCursor is %v in %v", tool, next, last)
		}
		p.expect(p.do(tool, fields{"cursor": 100}), "0", "count")
	}
}
