package checks

import (
	"slices"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// checkFormat checks the value of --format. Text gives way to --json; every other format overrides it.
func checkFormat(a *console.App, command next.Op, name string, known ...string) error {
	if !slices.Contains(known, name) {
		return &engine.Error{
			Code: engine.Usage, Next: command.Help(),
			Message: spec.Unknown("format", name, known),
		}
	}
	a.JSON = name == "json" || a.JSON && name == "text"
	return nil
}
