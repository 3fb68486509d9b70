package wall

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// refusal matches how programs report that the system has refused them something. Git does not say why it could not
// create the folder of a ref or an object.
var refusal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|read-only file system|access is denied|unable to create directory for /|insufficient permission for adding an object`)
})

// mayRefuse reports whether a line has one of the words without which refusal never matches: every line of every agent is
// looked at, and the expression takes a thousand times as long.
func mayRefuse(line string) bool {
	lower := strings.ToLower(line)
	for _, word := range []string{"denied", "eacces", "not permitted", "eperm", "read-only file system", "unable to create directory", "insufficient permission"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// quotedPath matches paths in quotes, which are part of the match; beforeWhy what comes before the reason, and wordBefore
// the last word of it; folderOf what git could not create.
var (
	quotedPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'[^'\n]+'|"[^"\n]+"|‘[^’\n]+’`) })
	beforeWhy  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[\s(=])(/[^:'"\n]+): (?:permission denied|operation not permitted|read-only file system)`)
	})
	wordBefore = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)([^\s:'"]+): (?:permission denied|operation not permitted|read-only file system)`)
	})
	folderOf = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:unable to create directory for|adding an object to repository database) (/[^\n]+)`)
	})
)

// namedIn lists the paths that a line names as refused: the one before the reason, which may be two of a command that
// moves files, else those in quotes.
func namedIn(line string) []string {
	var out, relative []string
	for _, found := range folderOf().FindAllStringSubmatch(line, -1) {
		out = append(out, strings.TrimSpace(found[1]))
	}
	for _, found := range beforeWhy().FindAllStringSubmatch(line, -1) {
		out = append(out, splitPaths(found[1])...)
	}
	// The path before the reason is the surest; quotes may be around anything.
	if len(out) > 0 {
		return out
	}
	for _, found := range quotedPath().FindAllString(line, -1) {
		if found = strings.Trim(found, `'"‘’`); filepath.IsAbs(found) {
			out = append(out, found)
		} else {
			relative = append(relative, found)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, found := range wordBefore().FindAllStringSubmatch(line, -1) {
		relative = append(relative, found[1])
	}
	return relative
}

// splitPaths returns a path that may have spaces, or the two of a command that moves files.
func splitPaths(path string) []string {
	from, to, two := strings.Cut(path, " /")
	// A path may have spaces, so the file system decides whether it is one or two.
	if _, err := os.Lstat(path); err == nil || !two {
		return []string{path}
	}
	if _, err := os.Lstat(filepath.Dir(path)); err == nil {
		return []string{path}
	}
	return []string{from, "/" + to}
}

// Refused lists the absolute paths that the output of a program names as refused and that the policy keeps from it, each
// once. dir is the folder in which the program began: a relative path is named if it leads from there out of what
// may be written. Lines in which nothing is refused, and paths that the policy allows, are left out: those are refused by
// the permissions of the files.
func (p Policy) Refused(output, dir string) []string {
	var out []string
	for line := range strings.Lines(output) {
		if !mayRefuse(line) || !refusal().MatchString(line) {
			continue
		}
		for _, path := range namedIn(line) {
			// What the policy allows was refused by the permissions of the file, about which a person need not hear here.
			if path = resolvedPath(strings.TrimRight(path, ":."), dir); len(path) > 1 && !p.MayWrite(path) && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// resolvedPath returns the path of a file without links, "" for a relative one whose folder does not exist.
func resolvedPath(path, dir string) string {
	absolute := filepath.IsAbs(path)
	if !absolute {
		if dir == "" || path == "" {
			return ""
		}
		path = filepath.Join(dir, path)
	}
	path = filepath.Clean(path)
	// Rules are for paths without links, and the file itself may not exist.
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	switch {
	case err == nil:
		return filepath.Join(folder, filepath.Base(path))
	case absolute:
		return path
	}
	return ""
}
