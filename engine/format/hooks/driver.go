package hooks

import (
	"path/filepath"
	"strings"
)

// The settings for git's merge driver, its title, and how its value begins.
const (
	DriverName  = "merge.chant-spec.name"
	DriverTitle = "chant: merge specs field by field"
	DriverKey   = "merge.chant-spec.driver"
	DriverText  = "for c in chant "
)

// MergeDriver returns the command with which git merges spec files: chant on the PATH, or else program, or else git as for
// text.
func MergeDriver(program string) string {
	line := DriverText
	if program != "" {
		// git replaces words with % in a command, so one in the path is doubled.
		line += strings.ReplaceAll(Quote(filepath.ToSlash(program)), "%", "%%")
	}
	return line + `; do if command -v "$c" >/dev/null 2>&1; then "$c" merge-driver %O %A %B %P; r=$?; case $r in 0|7) exit $r;; esac; fi; done; ` +
		`git merge-file -L ours -L base -L theirs %A %O %B`
}
