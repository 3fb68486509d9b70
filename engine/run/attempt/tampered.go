package attempt

import (
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
)

// Tampered is the *journal.Failure of forbidden changes that were found, nil for none.
func Tampered(found []string) error {
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonTampered, Details: found,
		Message: "forbidden changes during the run: " + strings.Join(found, "; "),
	}
}
