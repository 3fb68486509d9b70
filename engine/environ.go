package engine

import (
	"slices"
	"strings"

	"chant/providers"
)

// variable is a variable of the environment that chant was started with, "" without it.
func (e *Engine) variable(name string) string {
	for _, pair := range slices.Backward(e.Environ) { // the last one counts
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// onPath reports whether a shell with that environment would find a program by its bare
// name.
func (e *Engine) onPath(program string) bool {
	_, err := providers.Find(program, "", e.Environ)
	return err == nil
}
