package engine

import (
	"strings"

	"chant/engine/spec"
)

// heldBack tells what people have said against the completion of a spec, or have not yet
// said for it. A plan that nobody approved tells nothing: --skip-approval may have waived
// that, and no commit says so. Neither do edits since: they are about what comes next.
func heldBack(s *spec.Spec) []string {
	why := s.ApprovalBlock()
	switch {
	case why == spec.RefusedApproval:
		return []string{"it " + why}
	case strings.HasPrefix(why, spec.AwaitsWorkApproval):
		return []string{"its work waits for approval" + strings.TrimPrefix(why, spec.AwaitsWorkApproval)}
	}
	return nil
}
