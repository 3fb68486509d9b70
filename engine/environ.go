package engine

import "chant/providers"

// Variable is a variable of the environment that chant was started with, "" without it.
func Variable(p *Project, name string) string {
	return providers.Variable(p.Environ, name)
}

// OnPath reports whether a shell with that environment would find a program by its bare
// name.
func OnPath(p *Project, program string) bool {
	_, err := providers.Find(program, "", p.Environ)
	return err == nil
}
