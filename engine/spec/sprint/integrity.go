package sprint

import (
	"maps"
	"slices"
)

// Integrity is about tasks that are in sprints which do not exist.
type Integrity struct {
	MissingSprints   []int    `json:"missing_sprints"` // after a cleanup
	TasksWithMissing int      `json:"tasks_with_missing,omitempty"`
	AutoCleanup      *Cleanup `json:"auto_cleanup,omitempty"`
}

// Cleanup says what was removed from tasks.
type Cleanup struct {
	RemovedReferences int     `json:"removed_references"`
	UpdatedTasks      int     `json:"updated_tasks"`
	RemovedBySprint   []Count `json:"removed_by_sprint"`
	RemainingMissing  []int   `json:"remaining_missing"`
}

// Count is how many tasks were taken out of a sprint.
type Count struct {
	SprintID int `json:"sprint_id"`
	Count    int `json:"count"`
}

// Check compares the sprints of tasks, by any name of theirs, with those that exist. Without a cleanup it returns nil if
// all of them exist. With one, kept has the sprints that tasks keep, for each task that loses one.
func Check(tasks map[string][]int, exists func(int) bool, cleanup bool) (found *Integrity, kept map[string][]int) {
	missing, affected := map[int]int{}, map[string][]int{}
	for name, sprints := range tasks {
		var keep []int
		for _, id := range sprints {
			if exists(id) {
				keep = append(keep, id)
			} else {
				missing[id]++
			}
		}
		if len(keep) < len(sprints) {
			affected[name] = keep
		}
	}
	ids := sorted(missing)
	switch {
	case !cleanup && len(ids) == 0:
		return nil, nil
	case !cleanup:
		return &Integrity{MissingSprints: ids, TasksWithMissing: len(affected)}, nil
	}
	done := Cleanup{UpdatedTasks: len(affected), RemovedBySprint: []Count{}, RemainingMissing: []int{}}
	for _, id := range ids {
		done.RemovedReferences += missing[id]
		done.RemovedBySprint = append(done.RemovedBySprint, Count{id, missing[id]})
	}
	return &Integrity{MissingSprints: []int{}, TasksWithMissing: len(affected), AutoCleanup: &done}, affected
}

// Missing returns the sprints that do not exist, never nil.
func (i *Integrity) Missing() []int {
	if i == nil {
		return []int{}
	}
	return i.MissingSprints
}

func sorted(counts map[int]int) []int {
	// Clients expect a list, even an empty one.
	return append([]int{}, slices.Sorted(maps.Keys(counts))...)
}
