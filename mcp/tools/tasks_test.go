package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// seedTools are lotar's tools in its order, and the two references of a single task.
const seedTools = `whoami task_create task_get task_update task_comment_add task_comment_update
	task_bulk_update task_bulk_comment_add task_bulk_reference_add task_bulk_reference_remove task_delete task_list
	sprint_list sprint_get sprint_create sprint_update sprint_summary sprint_burndown sprint_velocity
	sprint_add sprint_remove sprint_delete sprint_backlog project_list project_stats config_show config_set schema_discover
	task_reference_add task_reference_remove`

// TestSet checks the order of the tools, their hints, and the size of the whole list with the values of a usual
// project.
func TestSet(t *testing.T) {
	t.Parallel()
	values := map[string][]string{
		projects: {"AUTH"}, statuses: {"Todo", "InProgress", "NeedsReview", "Done"}, priorities: {"Low", "Medium", "High"},
		types: {"Feature", "Bug", "Chore"},
	}
	size := 0
	var names []string
	for _, row := range Tasks().Served(true).Tools {
		names = append(names, row.Name)
		d, err := row.Define(values)
		if err != nil {
			t.Error(err)
		}
		text, err := json.Marshal(d)
		if err != nil {
			t.Error(err)
		}
		size += len(text) + 1
		for _, h := range row.Hints {
			first, _, _ := strings.Cut(h.Field, ".")
			if !strings.Contains(string(d.InputSchema), `"`+first+`"`) || !slices.Contains(row.Dialect.Categories, h.Category) {
				t.Errorf("%s has a hint for %s", row.Name, h.Field)
			}
		}
		if row.Title == "" || row.Text == "" || !row.Lenient {
			t.Errorf("%s: %+v", row.Name, row)
		}
	}
	if want := strings.Fields(seedTools); !slices.Equal(names, want) {
		t.Errorf("got %q\nwant %q", names, want)
	}
	if size > 12<<10 {
		t.Errorf("the list takes %d bytes", size)
	}
	t.Logf("the list takes %d bytes", size)
}
