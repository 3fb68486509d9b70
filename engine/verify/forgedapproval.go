package verify

import "chant/engine/spec"

// heldBack tells what people have said against the completion of a spec, or have not yet
// said for it. A plan that no one approved tells nothing: --skip-approval may have waived
// that, and no commit says so. Neither do edits since: they are about what comes next.
func heldBack(s *spec.Spec) []string {
	switch hold := s.ApprovalBlock(); hold.Kind {
	case spec.HeldByRejection:
		return []string{"it " + hold.String()}
	case spec.HeldForWork:
		return []string{"its work waits for approval" + hold.More}
	}
	return nil
}
