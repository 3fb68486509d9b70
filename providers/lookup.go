package providers

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Find returns the path of a program: a bare name on the PATH of env, a relative path below
// dir. A *MissingError if there is none, or it is not a program. os/exec.LookPath does not
// fit here: it reads the environment of this process instead of the run's.
func Find(name, dir string, env []string) (string, error) {
	missing := &MissingError{Binary: name}
	if name == "" {
		return "", missing
	}
	if filepath.IsAbs(name) || strings.ContainsRune(filepath.ToSlash(name), '/') {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if path, ok := executable(name, env); ok {
			return path, nil
		}
		return "", missing
	}
	for _, folder := range filepath.SplitList(Variable(env, "PATH")) {
		// A relative entry would find a program the repository brought along.
		if !filepath.IsAbs(folder) {
			continue
		}
		if path, ok := executable(filepath.Join(folder, name), env); ok {
			return path, nil
		}
	}
	return "", missing
}

// executable returns path as it must be started, with the extension that
// Windows wants.
func executable(path string, env []string) (string, bool) {
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		return path, err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	}
	extensions := Variable(env, "PATHEXT")
	if extensions == "" {
		extensions = ".COM;.EXE;.BAT;.CMD"
	}
	for _, ext := range strings.Split(extensions, ";") {
		candidate := path
		if !strings.EqualFold(filepath.Ext(path), ext) {
			candidate += ext
		}
		if info, err := os.Stat(candidate); err == nil && info.Mode().IsRegular() {
			return candidate, true
		}
	}
	return "", false
}
