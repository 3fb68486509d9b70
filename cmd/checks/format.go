package checks

import (
	"fmt"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
)

// checkFormat takes the value of --format, one of those that the command knows. Text stands
// aside for --json; every other format wins over it.
func checkFormat(a *console.App, command, name string, known ...string) error {
	if !slices.Contains(known, name) {
		return &engine.Error{
			Code: engine.Usage, Hint: "chant " + command + " --help",
			Message: fmt.Sprintf("unknown format %q (one of %s)", name, strings.Join(known, ", ")),
		}
	}
	a.JSON = name == "json" || a.JSON && name == "text"
	return nil
}
