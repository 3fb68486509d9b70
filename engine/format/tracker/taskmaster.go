package tracker

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// readTaskMaster reads a tasks.json: a mapping of tags to their tasks, or the tasks of the only tag of older versions. The
// id of a task is that of its tag and its own.
func (r *Result) readTaskMaster(f File) error {
	var tags map[string]json.RawMessage
	if err := decode(f, f.Content, &tags); err != nil {
		return err
	}
	if _, older := tags["tasks"]; older {
		tags = map[string]json.RawMessage{"master": f.Content}
	}
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		var inside struct {
			Tasks    []record       `json:"tasks"`
			Metadata map[string]any `json:"metadata"`
		}
		if err := decode(f, tags[tag], &inside); err != nil {
			// The line would be counted from the beginning of the tag.
			return &FileError{Path: f.Path, Msg: fmt.Sprintf("the tag %q has no list of tasks", tag)}
		}
		if len(inside.Metadata) > 0 {
			r.left("metadata of the tag %s (%s)", tag, strings.Join(slices.Sorted(maps.Keys(inside.Metadata)), ", "))
		}
		if err := r.addTasks(f, tag, "", inside.Tasks); err != nil {
			return err
		}
	}
	return nil
}

// addTasks adds the tasks of a tag, or the subtasks of one.
func (r *Result) addTasks(f File, tag, parent string, tasks []record) error {
	siblings := map[string]bool{}
	for i, t := range tasks {
		id := (record{"id": t["id"]}).word("id")
		if id == "" {
			return &FileError{Path: f.Path, Msg: fmt.Sprintf("task %d of %q has no id", i+1, strings.TrimSuffix(tag+":"+parent, ":"))}
		}
		siblings[id] = true
	}
	for _, t := range tasks {
		own := t.word("id")
		if parent != "" {
			own = parent + "." + own
		}
		it := Item{ID: tag + ":" + own, Title: t.word("title"), Priority: t.word("priority"), Assignee: t.word("assignee")}
		if parent != "" {
			it.Parent = tag + ":" + parent
		}
		if tag != "master" {
			it.Labels = []string{tag}
		}
		word := t.word("status")
		status, known := statusOf(word)
		it.setStatus(word, known, status)
		it.Created, it.Updated = t.time("createdAt"), t.time("updatedAt")
		it.section("", t.word("description"))
		it.section("Details", t.word("details"))
		it.section("Test strategy", t.word("testStrategy"))
		for _, text := range t.words("acceptanceCriteria") {
			it.addCriteria(text)
		}
		for _, on := range t.words("dependencies") {
			// In a subtask, a number alone names a sibling; what has no sibling of that number is a task.
			if parent != "" && siblings[on] {
				on = parent + "." + on
			}
			if on = tag + ":" + on; !slices.Contains(it.DependsOn, on) {
				it.DependsOn = append(it.DependsOn, on)
			}
		}
		var below []record
		t.take("subtasks", &below)
		// The place of a subtask says this.
		for _, derived := range []string{"parentTaskId", "parentId", "isSubtask"} {
			delete(t, derived)
		}
		t.rest(&it)
		r.Items = append(r.Items, it)
		if err := r.addTasks(f, tag, own, below); err != nil {
			return err
		}
	}
	return nil
}
