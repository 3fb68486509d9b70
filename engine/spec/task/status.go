package task

import (
	"maps"
	"slices"

	"chant/engine/spec"
)

// StatusOf returns what a status that was typed is to chant, and its spelling in the settings. A workspace accepts its
// own statuses and chant's; a project without a workspace accepts those of lotar, too.
func (s *Settings) StatusOf(word string) (status spec.Status, canonical string, ok bool) {
	if status, canonical, ok = s.configured(word); ok {
		return status, canonical, true
	}
	if own, found := matchWord(word, spec.StatusWords()); found {
		status = spec.Status(own)
		return status, s.WordOf(status, ""), true
	}
	// A workspace has statuses of its own, and a word of lotar's that is missing there was left out on purpose.
	if s.Workspace {
		return "", "", false
	}
	status, ok = lotarStatuses()[fold(word)]
	if !ok {
		return "", "", false
	}
	return status, s.WordOf(status, ""), true
}

// WordOf returns the word for a status: taskStatus, the word that the spec has, if it still means the status, else the
// first word of the settings that does, else chant's own.
func (s *Settings) WordOf(status spec.Status, taskStatus string) string {
	return s.remember("status", string(status)+"\x00"+taskStatus, func() string { return s.wordOf(status, taskStatus) })
}

func (s *Settings) wordOf(status spec.Status, taskStatus string) string {
	if taskStatus != "" {
		// A status that was changed by chant makes the stored word outdated.
		if meant, word, ok := s.configured(taskStatus); ok && meant == status {
			return word
		}
	}
	for _, word := range s.Statuses {
		if s.statusOfOwn(word) == status {
			return word
		}
	}
	return string(status)
}

// configured returns what a word of the settings means; ok is false for any other word.
func (s *Settings) configured(word string) (status spec.Status, canonical string, ok bool) {
	if own, found := matchWord(word, s.Statuses); found {
		return s.statusOfOwn(own), own, true
	}
	if len(s.States) == 0 {
		return "", "", false
	}
	if own, found := matchWord(word, slices.Sorted(maps.Keys(s.States))); found {
		return s.States[own], own, true
	}
	return "", "", false
}

// statusOfOwn returns what one of the statuses of the settings is to chant.
func (s *Settings) statusOfOwn(own string) spec.Status {
	for word, status := range s.States {
		if equalWords(word, own) {
			return status
		}
	}
	// Cancelled and failed work has no position between the beginning and the end.
	if status, ok := statusByName(own); ok {
		return status
	}
	if !s.Workspace {
		for _, status := range spec.Statuses() {
			if equalWords(own, string(status)) {
				return status
			}
		}
	}
	// A word that is not known by its name is judged by its position: the first means pending, the last completed.
	before, after := 0, 0
	for _, word := range s.Statuses {
		switch _, named := statusByName(word); {
		case named:
		case word == own:
			// So far all were before it.
			before, after = after, 0
		default:
			after++
		}
	}
	switch {
	case before == 0:
		return spec.Pending
	case after == 0:
		return spec.Completed
	}
	return spec.InProgress
}

// statusByName returns the status of a word that takes no part in the positions.
func statusByName(word string) (spec.Status, bool) {
	switch fold(word) {
	case "cancelled", "canceled":
		return spec.Cancelled, true
	case "failed":
		return spec.Failed, true
	}
	return "", false
}

// lotarStatuses returns what lotar's statuses are to chant, by their folded words.
func lotarStatuses() map[string]spec.Status {
	return map[string]spec.Status{
		"todo": spec.Pending, "inprogress": spec.InProgress, "needsreview": spec.NeedsAttention, "done": spec.Completed,
		"canceled": spec.Cancelled,
	}
}
