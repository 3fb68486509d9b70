package library

import (
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
)

// project returns a project with files, and the home folder of its user.
func project(t *testing.T, files map[string]string) (p *engine.Project, dir, home string) {
	t.Helper()
	p, dir = enginetest.Project(t)
	home = t.TempDir()
	p.Environ = []string{"HOME=" + home, "USERPROFILE=" + home}
	for name, text := range files {
		enginetest.Write(t, dir, name, text)
	}
	return p, dir, home
}

// registry returns a registry with entries.
func registry(entries string) string {
	return `{"version": "1.0.0", "description": "d", "tools": {"commands": [` + entries + `]}}`
}
