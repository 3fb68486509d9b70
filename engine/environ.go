package engine

import "chant/providers"

// variable is a variable of the environment that chant was started with, "" without it.
func (e *Engine) variable(name string) string {
	return providers.Variable(e.Environ, name)
}

// onPath reports whether a shell with that environment would find a program by its bare
// name.
func (e *Engine) onPath(program string) bool {
	_, err := providers.Find(program, "", e.Environ)
	return err == nil
}
