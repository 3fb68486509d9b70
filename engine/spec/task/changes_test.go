package task

import (
	"fmt"
	"testing"

	"chant/engine/spec/taskfields"

	"github.com/alecthomas/assert/v2"
)

func TestChanges(t *testing.T) {
	t.Parallel()
	st := Defaults(true)
	for _, c := range []struct {
		changes []taskfields.FieldChange
		want    string
	}{
		{[]taskfields.FieldChange{{Field: "status", Old: "pending", New: "in_progress"}}, "[{status Todo InProgress}]"},
		{[]taskfields.FieldChange{{Field: "status", Old: "pending", New: "in_progress"}, {Field: "task_status", New: "NeedsReview"}}, "[{status Todo NeedsReview}]"},
		{[]taskfields.FieldChange{{Field: "task_status", Old: "NeedsReview"}, {Field: "status", Old: "in_progress", New: "completed"}}, "[{status NeedsReview Done}]"},
		{[]taskfields.FieldChange{{Field: "task_status", New: "NeedsReview"}}, "[{status InProgress NeedsReview}]"},
		{[]taskfields.FieldChange{{Field: "task_status", Old: "NeedsReview"}}, "[{status NeedsReview InProgress}]"},
		{[]taskfields.FieldChange{{Field: "task_status", Old: "Elsewhere"}}, "[{status Elsewhere }]"},
		{[]taskfields.FieldChange{{Field: "status", New: "pending"}, {Field: "labels", New: "a"}, {Field: "task_type", Old: "Bug"}, {Field: "effort", New: "1pt"}}, "[{status  Todo} {tags  a} {type Bug } {effort  1pt}]"},
	} {
		assert.Equal(t, c.want, fmt.Sprint(st.Changes(c.changes)), "%v", c.changes)
	}
}
