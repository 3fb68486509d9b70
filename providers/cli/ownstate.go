package cli

import (
	"path/filepath"
	"strings"

	"chant/providers"
)

// StatePath is a file or folder in which a CLI keeps settings, logins or sessions.
type StatePath struct {
	Variable string // names the folder that takes the place of Usual; "" = none does
	Usual    string // below the home folder; an absolute path is taken as it is
	Name     string // below that folder; "" = the folder itself
}

// ownState returns the paths of a CLI's state in an environment. Without a home folder there are none below it.
func (d Definition) ownState(environ []string) []string {
	var out []string
	for _, s := range d.State {
		if path := s.in(environ); path != "" {
			out = append(out, path)
		}
	}
	return out
}

// in returns the path in an environment, "" without a home folder that it would be below.
func (s StatePath) in(environ []string) string {
	top := strings.TrimPrefix(s.Usual, "~/")
	if !filepath.IsAbs(top) {
		top = filepath.Join(providers.Variable(environ, "HOME"), top)
	}
	if moved := providers.Variable(environ, s.Variable); s.Variable != "" && filepath.IsAbs(moved) {
		top = moved
	}
	if !filepath.IsAbs(top) {
		return ""
	}
	return filepath.Join(top, s.Name)
}

// Paths of settings, data and state by the XDG Base Directory Specification.
func xdgConfig(name string) StatePath { return StatePath{"XDG_CONFIG_HOME", ".config", name} }
func xdgData(name string) StatePath   { return StatePath{"XDG_DATA_HOME", ".local/share", name} }
func xdgState(name string) StatePath  { return StatePath{"XDG_STATE_HOME", ".local/state", name} }
