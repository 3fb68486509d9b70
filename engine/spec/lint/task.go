package lint

import (
	"strings"
	"time"

	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
)

// checkTask reports values of a task's keys that no command can read, and a number that another spec has too.
func (l *linter) checkTask() {
	f := &l.s.Fields
	if key := string(f.Task); key != "" {
		if _, _, ok := task.ParseKey(key); !ok {
			l.report("task", l.keyLine("task"), l.editStep(), "%q is not the number of a task (use PREFIX-n)", key)
		}
		for _, other := range l.Graph.Specs() {
			if other.ID != l.s.ID && strings.EqualFold(string(other.Fields.Task), key) {
				l.report("task", l.keyLine("task"), l.editStep(), "spec %q has the number %s, too", other.ID, key)
			}
		}
	}
	if due := string(f.DueDate); due != "" {
		if _, err := task.ParseDue(due, time.Time{}); err != nil {
			l.report("task", l.keyLine("due_date"), l.editStep(), "%s", err)
		}
	}
	if effort := string(f.Effort); effort != "" {
		if _, err := task.ParseEffort(effort); err != nil {
			l.report("task", l.keyLine("effort"), l.editStep(), "%s", err)
		}
	}
	if _, err := taskfields.ReadNotes(l.s.Doc); err != nil {
		l.report("task", l.keyLine("comments"), l.editStep(), "%s", err)
	}
	l.checkTaskRelations()
}

// checkTaskRelations reports relationships to specs that do not exist.
func (l *linter) checkTaskRelations() {
	for _, id := range l.s.Fields.Relationships.All() {
		if !l.exists(id) {
			l.report("task", l.keyLine("relationships"), l.editStep(), "is related to %q, which does not exist", id)
		}
	}
}
