package wall

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// refusal matches how programs report that the system has refused them something.
var refusal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|read-only file system|access is denied`)
})

// quoted matches paths in quotes, which are part of the match, and before matches what stands before the reason.
var (
	quotedPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'/[^'\n]+'|"/[^"\n]+"|‘/[^’\n]+’`) })
	beforeWhy  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(/[^:'"\n]+): (?:permission denied|operation not permitted|read-only file system)`)
	})
)

// namedIn lists the paths that a line names as refused: those in quotes, else the one before the reason, which may be two
// of a command that moves files.
func namedIn(line string) []string {
	if found := quotedPath().FindAllString(line, -1); len(found) > 0 {
		return found
	}
	var out []string
	for _, found := range beforeWhy().FindAllStringSubmatch(line, -1) {
		from, to, two := strings.Cut(found[1], " /")
		if _, err := os.Lstat(found[1]); err == nil || !two {
			out = append(out, found[1])
			continue
		}
		if _, err := os.Lstat(filepath.Dir(found[1])); err == nil {
			out = append(out, found[1])
			continue
		}
		out = append(out, from, "/"+to)
	}
	return out
}

// Refused lists the absolute paths that the output of a program names as refused and that the policy keeps from it, each
// once. Lines in which nothing is refused, and paths that the policy allows, are left out: those are refused by
// the permissions of the files.
func (p Policy) Refused(output string) []string {
	var out []string
	for line := range strings.Lines(output) {
		if !refusal().MatchString(line) {
			continue
		}
		for _, path := range namedIn(line) {
			path = strings.Trim(path, `'"‘’`)
			path = strings.TrimRight(path, ":.")
			if path = filepath.Clean(path); len(path) > 1 && !p.MayWrite(path) && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}
