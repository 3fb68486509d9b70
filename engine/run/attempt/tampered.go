package attempt

import (
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
)

// Tampered returns the *journal.Failure for forbidden changes, nil if there are none.
func Tampered(found []string) error {
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonTampered, Details: found,
		Message: "forbidden changes during the run: " + strings.Join(found, "; "),
	}
}
