package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
		text, err := json.Marshal(d)
		assert.NoError(t, err)
		size += len(text) + 1
		for _, h := range row.Hints {
			first, _, _ := strings.Cut(h.Field, ".")
			assert.Contains(t, string(d.InputSchema), `"`+first+`"`, "%s has a hint for %s", row.Name, h.Field)
			assert.SliceContains(t, row.Dialect.Categories, h.Category, "%s has a hint for %s", row.Name, h.Field)
		}
		assert.NotEqual(t, "", row.Title, "%s", row.Name)
		assert.NotEqual(t, "", row.Text, "%s", row.Name)
		assert.True(t, row.Lenient, "%s: %+v", row.Name, row)
	}
	assert.Equal(t, strings.Fields(seedTools), names)
	assert.True(t, size <= 12<<10, "the list takes %d bytes", size)
	t.Logf("the list takes %d bytes", size)
}
