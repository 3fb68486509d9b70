package spec

import (
	"strconv"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Count is a number that chant keeps in front matter. An invalid value is read as 0, so that the spec remains readable.
type Count int

// UnmarshalYAML accepts any value.
func (c *Count) UnmarshalYAML(node *yaml.Node) error {
	// The number only counts, so an invalid one must not hide the spec.
	if n, err := strconv.Atoi(node.Value); err == nil && n > 0 {
		*c = Count(n)
	}
	return nil
}

// ReplayEvent returns the event that starts work again on a spec that was completed before. It returns false unless the
// spec is completed, or was completed and then flagged.
func (s *Spec) ReplayEvent() (Event, bool) {
	switch {
	case s.Status == Completed:
		return Replay, true
	// A copy on a run's branch belongs to an attempt that has not ended.
	case s.Status == NeedsAttention && s.Branch == "" && s.Fields.CompletedAt != "":
		return Start, true
	}
	return "", false
}

// IsReplayOf reports whether s belongs to a replay of home's copy of the spec.
func (s *Spec) IsReplayOf(home *Spec) bool {
	return home.Status == Completed || s.Fields.Replays > home.Fields.Replays
}

// ReplayDocument returns the document of a spec whose replay starts at now (RFC 3339): in progress, with the replay
// counted, the time of the first completion kept, and the boxes that an agent ticks unticked. It returns a *StateError
// if the spec was not completed before.
func (s *File) ReplayDocument(now string) (*markdown.Document, error) {
	ev, ok := s.ReplayEvent()
	if !ok {
		return nil, &StateError{From: s.Status, Event: Replay, Allowed: Allowed(s.Status)}
	}
	first := s.Fields.FirstDone
	// A later replay must not replace the first completion by the second.
	if first == "" {
		first = s.Fields.CompletedAt
	}
	// These describe the completion that no longer counts.
	edits := append(ClearReason(), markdown.Unset("completed_at"), markdown.Unset(HashesKey),
		markdown.Set("replay_count", int(s.Fields.Replays)+1), markdown.Set("replayed_at", now))
	if first != "" {
		edits = append(edits, markdown.Set("original_completed_at", first))
	}
	doc, err := s.Apply(ev, edits...)
	if err != nil {
		return nil, err
	}
	boxes := map[string]bool{}
	replayed := s.WithDoc(doc)
	for _, c := range replayed.Criteria() {
		// Running the commands gives their boxes again.
		if !c.Runs() {
			boxes[c.ID] = false
		}
	}
	return replayed.Tick(boxes)
}
