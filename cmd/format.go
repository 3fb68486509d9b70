package cmd

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine"
)

// format takes the value of --format, one of those that the command knows. Text stands
// aside for --json; every other format wins over it.
func (a *app) format(command, name string, known ...string) error {
	if !slices.Contains(known, name) {
		return &engine.Error{
			Code: engine.Usage, Hint: "chant " + command + " --help",
			Message: fmt.Sprintf("unknown format %q (one of %s)", name, strings.Join(known, ", ")),
		}
	}
	a.json = name == "json" || a.json && name == "text"
	return nil
}
