package journal

import (
	"regexp"

	"chant/engine/spec"
)

// kindOfWording returns the code of a failure in a journal that was written before records had codes, "" for any text
// that no older chant wrote for a failure whose code is needed. It is the only place that reads the wording of a
// reason. It is applied to journals alone, which chant writes, never to the front matter or the text of a spec.
func kindOfWording(reason string) spec.ReasonCode {
	const name = `"[^"]*"`
	for _, old := range []struct {
		code    spec.ReasonCode
		wording string
	}{
		{spec.ReasonStopped, `stopped$`},
		{spec.ReasonTampered, `forbidden changes during the run`},
		{spec.ReasonOutput, `the agent's output does not fit`},
		{spec.ReasonMergedTree, `on the merged tree `},
		{spec.ReasonUnverified, `(the criterion does|\d+ of \d+ criteria do(es)?) not hold`},
		{spec.ReasonConflict, name + ` (does not merge with|cannot be replayed on) ` + name + `: conflict in `},
		{spec.ReasonWithdrawn, `spec ` + name + ` was cancelled on ` + name + `$`},
		{spec.ReasonWithdrawn, `spec ` + name + ` (is a part of ` + name + `, which )?was rejected$`},
		{spec.ReasonWithdrawn, name + ` was merged into ` + name + ` and taken back there$`},
		{spec.ReasonUnapproved, `spec ` + name + ` (is a part of ` + name + `, which )?(waits for approval|was edited after its approval)`},
	} {
		if regexp.MustCompile(`^` + old.wording).MatchString(reason) {
			return old.code
		}
	}
	return ""
}
