package wall

import (
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

// named matches paths: in quotes, or up to the next space. The quotes are part of the match.
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'/[^'\n]+'|"/[^"\n]+"|‘/[^’\n]+’|/[^\s'"‘’,;()<>|]+`)
})

// Refused lists the absolute paths that the output of a program names as refused and that the policy keeps from it, each
// once. Lines in which nothing is refused, and paths that the policy allows, are left out: those are refused by
// the permissions of the files.
func (p Policy) Refused(output string) []string {
	var out []string
	for line := range strings.Lines(output) {
		if !refusal().MatchString(line) {
			continue
		}
		for _, path := range named().FindAllString(line, -1) {
			path = strings.Trim(path, `'"‘’`)
			path = strings.TrimRight(path, ":.")
			if path = filepath.Clean(path); len(path) > 1 && !p.MayWrite(path) && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}
