package sandbox

import (
	"path/filepath"
	"strings"

	"chant/engine/store/disk"
	"chant/providers"
)

// limitReading limits what an agent reads to the system, its tools, the repository and what the settings name; without
// the setting nothing changes.
func (s *Sandbox) limitReading(b *Bounds, launch providers.Launch) {
	// Without the setting, reading is only limited by what is hidden.
	if len(s.Settings.Read) == 0 {
		return
	}
	read := systemFolders()
	for _, path := range append(toolFolders(s.Environ), launch.Path, s.Chant) {
		if path != "" {
			read = append(read, disk.RealPath(path))
		}
	}
	read = append(read, s.Repo.CommonDir(), s.Repo.Whole().Home())
	for _, path := range s.Settings.Read {
		// Otherwise it can be read anyway, and an agent could have made it a link.
		if s.agentsFolder(path) == "" {
			read = append(read, disk.RealPath(s.expandHome(path)))
		}
	}
	b.Wall.Read = append(read, s.homeSettings()...)
}

// homeSettings are what git and npm read in the home folder at each start.
func (s *Sandbox) homeSettings() []string {
	var out []string
	for _, name := range []string{".gitconfig", ".config/git", ".npmrc"} {
		out = append(out, filepath.Join(providers.Variable(s.Environ, "HOME"), name))
	}
	return out
}

// readable reports whether an agent can read a file of the person: any, unless the settings limit reading.
func (s *Sandbox) readable(path string) bool {
	if len(s.Settings.Read) == 0 {
		return true
	}
	for _, allowed := range s.Settings.Read {
		// Without links, since one can lead out of an allowed folder.
		if s.agentsFolder(allowed) == "" && disk.Within(disk.RealPath(s.expandHome(allowed)), disk.RealPath(path)) {
			return true
		}
	}
	return false
}

// systemFolders are those without which no program runs.
func systemFolders() []string {
	return []string{
		"/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/proc", "/sys", "/run",
		"/var/lib", "/var/cache", "/System", "/Library", "/Applications", "/private/etc", "/private/var/db", "/snap",
	}
}

// toolFolders are the folders of PATH, and of each that is called bin the one around it, in which its programs have
// their libraries. The home folder itself is never one.
func toolFolders(environ []string) []string {
	home := disk.RealPath(providers.Variable(environ, "HOME"))
	var out []string
	for _, dir := range filepath.SplitList(providers.Variable(environ, "PATH")) {
		// An entry that is not absolute depends on where the command runs.
		if !filepath.IsAbs(dir) {
			continue
		}
		dir = disk.RealPath(dir)
		out = append(out, dir)
		around := filepath.Dir(dir)
		// A folder bin in the home folder must not open all of it.
		if filepath.Base(dir) == "bin" && !strings.HasPrefix(home+"/", around+"/") {
			out = append(out, around)
		}
	}
	return out
}
