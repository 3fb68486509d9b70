package spec

import (
	"strconv"

	"chant/engine/spec/next"
)

// HeldByDriver returns the nearest driver above id whose approval holds its members back, and how; nil if there is
// none. Rejecting a driver rejects its members, and the members of a driver that is not yet approved wait for its
// approval.
func (g *Graph) HeldByDriver(id string) (driver *Spec, hold Hold) {
	for _, d := range g.Drivers(id) {
		if hold := g.holdOfDriver(d); hold.Exists() {
			return g.Spec(d), hold
		}
	}
	return nil, Hold{}
}

// holdOfDriver returns how approval holds back a driver that is neither completed nor cancelled.
func (g *Graph) holdOfDriver(id string) Hold {
	s := g.Spec(id)
	// The members of a completed or cancelled driver are free of it.
	if s.Status == Completed || s.Status == Cancelled {
		return Hold{}
	}
	return s.ApprovalBlock()
}

// DriverNext returns the next step for a driver that is not completed although its members are done: tick a box, add a
// member that fixes what failed, or finalize the driver, which judges it again.
func (f *File) DriverNext() next.Step {
	for _, c := range f.Criteria() {
		if !c.Runs() && !c.Checked {
			return next.Check.On(f.ID, strconv.Itoa(c.Number))
		}
	}
	// Judging the driver again would give the same result until something is fixed.
	if f.Fields.Verification == "failed" && f.Fields.ReasonCode == ReasonDriverOpen {
		return next.Add.On().Set("group", f.ID).Arg("Fix what does not hold")
	}
	return next.Finalize.On(f.ID)
}

// HasDriverOpenReason reports whether the file already records this reason for a driver that stays open.
func (s *Spec) HasDriverOpenReason(why string) bool {
	return s.Fields.ReasonCode == ReasonDriverOpen && s.Fields.Reason == why
}

// TickAsMembers returns the driver with every box ticked that one of its completed members has ticked for a criterion
// with the same text. A split moves criteria to members, so their boxes count for the driver.
func (f *File) TickAsMembers(members []*File) (*File, error) {
	ticked := map[string]bool{}
	for _, m := range members {
		// A box that was ticked in unfinished work is a claim that was not verified.
		if m == nil || m.Status != Completed {
			continue
		}
		for _, c := range m.Criteria() {
			// The box of a command is its result, which the driver gets by running the command itself.
			if c.Checked && !c.Runs() {
				ticked[c.ID] = true
			}
		}
	}
	boxes := map[string]bool{}
	for _, c := range f.Criteria() {
		if !c.Runs() && !c.Checked && ticked[c.ID] {
			boxes[c.ID] = true
		}
	}
	// The document remains the same, so nothing is written.
	if len(boxes) == 0 {
		return f, nil
	}
	doc, err := f.Tick(boxes)
	if err != nil {
		return nil, err
	}
	driver := f.WithDoc(doc)
	// Decoding adds nothing where the key has gone.
	driver.Fields.Met = nil
	_, err = doc.Get("met", &driver.Fields.Met)
	return driver, err
}
