package spec

import (
	"strconv"

	"chant/engine/next"
)

// DriverNext is the next step from a driver whose members are done and that is not completed: a box to tick,
// a further member that fixes what failed, or judging it again.
func (s *Spec) DriverNext() next.Step {
	for _, c := range Criteria(s.Doc) {
		if !c.Runs() && !c.Checked {
			return next.Check.On(s.ID, strconv.Itoa(c.Number))
		}
	}
	if s.Fields.Verification == "failed" && s.Fields.ReasonCode == ReasonDriverOpen {
		return next.Add.On().Set("group", s.ID).Arg("Fix what does not hold")
	}
	return next.Finalize.On(s.ID)
}

// SaysDriverOpen reports whether the file has this reason for which a driver stays open.
func (s *Spec) SaysDriverOpen(why string) bool {
	return s.Fields.ReasonCode == ReasonDriverOpen && s.Fields.Reason == why
}

// TickedBy returns a driver with the boxes ticked that one of its completed members has ticked in the same words: a spec
// that was split hands its criteria to its members.
func (s *Spec) TickedBy(members []*Spec) (*Spec, error) {
	ticked := map[string]bool{}
	for _, m := range members {
		if m == nil || m.Status != Completed {
			continue
		}
		for _, c := range Criteria(m.Doc) {
			if c.Checked && !c.Runs() {
				ticked[c.ID] = true
			}
		}
	}
	boxes := map[string]bool{}
	for _, c := range Criteria(s.Doc) {
		if !c.Runs() && !c.Checked && ticked[c.ID] {
			boxes[c.ID] = true
		}
	}
	if len(boxes) == 0 {
		return s, nil
	}
	doc, err := Check(s.Doc, boxes)
	if err != nil {
		return nil, err
	}
	ticking := *s
	ticking.Doc = doc
	return &ticking, nil
}
