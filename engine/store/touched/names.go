package touched

import (
	"regexp"
	"strings"
	"sync"

	"chant/engine/store"
	"chant/gitops"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns a path in a form that is equal for all paths that are one file on some system: those that differ in case
// or in the composition of characters, in characters that macOS ignores, and in what Windows leaves out of names.
func Fold(path string) string {
	// Most paths fold to their lower case, and this is called for each file of a commit.
	if lower := strings.ToLower(path); isPlain(lower) {
		return lower
	}
	path = strings.Map(withoutInvisible, path)
	// Folding may decompose characters anew, so the text is composed last.
	path = norm.NFC.String(cases.Fold().String(norm.NFD.String(path)))
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if part != "." && part != ".." {
			parts[i] = foldWindows(part)
		}
	}
	return strings.Join(parts, "/")
}

// isPlain reports whether no system takes a path in lower case for another one.
func isPlain(path string) bool {
	for i := range len(path) {
		c := path[i]
		if c >= 0x80 || c == '\\' || c == ':' || c == '~' || c == ' ' {
			return false
		}
		// Windows drops a dot at the end of a name alone.
		if c == '.' && (i+1 == len(path) || path[i+1] == '/') {
			return false
		}
	}
	return true
}

// withoutInvisible maps what Windows takes for a slash to one, and removes characters that are not visible, which HFS+
// ignores.
func withoutInvisible(r rune) rune {
	switch {
	case r == '\\':
		return '/'
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// foldWindows returns a folded name without what Windows leaves out, and a short name as the long one.
func foldWindows(name string) string {
	// Behind a colon, NTFS names a stream of the same file.
	if stream := strings.IndexByte(name, ':'); stream > 0 {
		name = name[:stream]
	}
	// Windows drops spaces and dots at the end of a name.
	name = strings.TrimRight(name, " .")
	if m := shortName().FindStringSubmatch(name); m != nil {
		return longNames()[m[1]]
	}
	return name
}

// shortName matches the short names that Windows gives to names with which git and chant do something.
var shortName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(git|chant|gitatt|gi7d29|gitmod|gi7eba)~[1-9][0-9]*$`)
})

func longNames() map[string]string {
	return map[string]string{
		"git": gitFolder, "chant": store.Dir, "gitatt": gitops.AttributesFile, "gi7d29": gitops.AttributesFile, "gitmod": ".gitmodules", "gi7eba": ".gitmodules",
	}
}

// gitFolder is the folder, or the file, by which git knows a repository.
const gitFolder = ".git"

// InChant reports whether a path is in a .chant, on whatever file system: in that of the project, or in a .chant elsewhere in the
// repository, which is or would be that of another project.
func InChant(file string) bool {
	own := InProject(file)
	folder, _, below := strings.Cut(Fold(own), "/")
	// A plain file .chant is no project, but another spelling of the name may become the folder on some system.
	return folder == store.Dir && (below || own != store.Dir)
}

// InProject returns the part of a path that begins with the first .chant in it, the path itself if it has none: the path of a file
// of .chant as the project has it to which it belongs.
func InProject(file string) string {
	for rest := file; ; {
		part, below, more := strings.Cut(rest, "/")
		if Fold(part) == store.Dir {
			return rest
		}
		if !more {
			return file
		}
		rest = below
	}
}
