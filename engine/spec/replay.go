package spec

import (
	"strconv"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Count is a whole number from 0 that chant keeps in front matter. What is none reads
// as 0: it is no reason to lose the spec.
type Count int

// UnmarshalYAML takes any value.
func (c *Count) UnmarshalYAML(node *yaml.Node) error {
	if n, err := strconv.Atoi(node.Value); err == nil && n > 0 {
		*c = Count(n)
	}
	return nil
}

// Again is the event by which work begins again at a spec that was done before, and
// whether it was: completed, or completed once and flagged since.
func (s *Spec) Again() (Event, bool) {
	switch {
	case s.Status == Completed:
		return Replay, true
	case s.Status == NeedsAttention && s.Branch == "" && s.Fields.CompletedAt != "":
		return Start, true
	}
	return "", false
}

// Replays reports whether s is the run of a replay of what home has.
func (s *Spec) Replays(home *Spec) bool {
	return home.Status == Completed || s.Fields.Replays > home.Fields.Replays
}

// Replayed is the document of a spec whose work begins again at now, RFC 3339: under
// way, counted, with the time at which it was first done, and with the boxes that an
// agent ticks open. *StateError when the spec was not done before.
func (s *Spec) Replayed(now string) (*markdown.Document, error) {
	ev, ok := s.Again()
	if !ok {
		return nil, &StateError{From: s.Status, Event: Replay, Allowed: Allowed(s.Status)}
	}
	first := s.Fields.FirstDone
	if first == "" {
		first = s.Fields.CompletedAt
	}
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
	for _, c := range Criteria(doc) {
		if !c.Runs() {
			boxes[c.ID] = false
		}
	}
	return Check(doc, boxes)
}
