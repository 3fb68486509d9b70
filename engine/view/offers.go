package view

import "chant/engine/spec"

// Offers reports whether the state of a spec leaves room for an act of a person, by the name of its command. The operation
// decides: this is for what shows buttons and keys. An act that it does not know is offered.
func (r Row) Offers(act string) bool {
	status, landed := spec.Status(r.Status), r.Landed != nil && *r.Landed
	works := r.Run == "running" || r.Run == "waiting"
	open := status != spec.Completed && status != spec.Cancelled && !r.Archived
	switch act {
	case "work":
		return open && !works && (status != spec.Pending || !r.Blocked)
	case "pause":
		return works
	case "answer":
		return r.NeedsInput > 0
	case "approve":
		return !r.Archived && (status == spec.Pending || status == spec.Completed && !landed || open && status != spec.InProgress && r.unapproved)
	case "reject":
		return !r.Archived && !landed && !works && status != spec.Cancelled && status != spec.InProgress
	case "merge":
		return !r.Archived && status == spec.Completed && !landed
	case "cancel":
		return open
	case "reset":
		return !r.Archived && !landed && (status != spec.Pending || r.Branch != "")
	}
	return true
}
