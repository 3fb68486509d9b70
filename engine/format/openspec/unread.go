package openspec

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// unreadDelta is a file of Markdown with the sections of a delta that nothing reads, because
// it is not the spec.md of a capability.
type unreadDelta struct {
	path, want string
}

func unreadDeltas(fsys fs.FS, dir string) ([]unreadDelta, error) {
	var found []unreadDelta
	err := Walk(fsys, dir, func(name string, e fs.DirEntry) error {
		if e.Name() == SpecFile || !strings.HasSuffix(strings.ToLower(e.Name()), ".md") || !IsFile(fsys, path.Join(dir, name)) {
			return nil
		}
		text, ok, err := ReadText(fsys, path.Join(dir, name))
		if err != nil || !ok {
			return err
		}
		// Other Markdown beside a spec is allowed; only sections of a delta are meant to be applied.
		if d := ParseDelta([]byte(text)); len(d.sections) > 0 {
			capability := path.Dir(name)
			if capability == "." {
				capability = name[:len(name)-len(".md")]
			}
			found = append(found, unreadDelta{path: name, want: path.Join(capability, SpecFile)})
		}
		return nil
	})
	if errors.Is(err, ErrNotFolder) {
		return nil, nil
	}
	slices.SortFunc(found, func(a, b unreadDelta) int { return strings.Compare(a.path, b.path) })
	return found, err
}
