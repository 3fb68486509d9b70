package guard

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/evidence/sandbox"
	"chant/engine/store/disk"
)

// moveOutOfReach moves to b.Seen what lies out of reach: neither an agent nor a criterion can have changed it, so a change of it
// is reported and no more. files are the paths of what the names say. What is in no file stays.
func moveOutOfReach(g *Guard, b *journal.Before, files map[string][]string) {
	// Of the many files of a linked folder, one is asked about.
	known := map[string]bool{}
	covers := func(paths ...string) bool {
		return slices.ContainsFunc(paths, func(path string) bool {
			covered, asked := known[path]
			if !asked {
				covered = sandbox.Reach(b.Reach).Covers(path)
				known[path] = covered
			}
			return covered
		})
	}
	for _, read := range []map[string]string{b.Programs, b.Kept, b.Lent, b.Above} {
		for name, value := range read {
			// A reading that names no file stays, since nothing says that it is out of reach.
			if at := files[name]; len(at) > 0 && !covers(at...) {
				// A digest only, since a setting may hold a secret.
				b.Seen[name] = digest([]byte(value))
				delete(read, name)
			}
		}
	}
	for name, value := range b.Tools {
		if path, _, _ := strings.Cut(value, " "); !covers(path) {
			b.Seen[fmt.Sprintf("the tool %q", name)] = value
			delete(b.Tools, name)
		}
	}
	for _, read := range []map[string]string{b.Home, b.Edits} {
		for name, value := range read {
			if !covers(filepath.Join(g.Store.Home(), filepath.FromSlash(name))) {
				b.Seen[name+" of your checkout"] = value
				delete(read, name)
			}
		}
	}
}

// switchedHooks lists the hooks that were switched on or off: the wall does not keep an agent from changing permissions.
func switchedHooks(b, was journal.Before) []string {
	var out []string
	for name, mode := range b.Modes {
		before, there := was.Modes[name]
		// The same content with another mode: a hook that has lost its bit is switched off.
		if content, _, _ := strings.Cut(mode, " "); there && before != mode && strings.HasPrefix(before, content+" ") {
			out = append(out, name+" has other permissions")
		}
	}
	slices.Sort(out)
	return out
}

// keyFiles are the files of this machine's key.
func keyFiles(g *Guard) []string {
	var out []string
	for _, path := range keyfile.Private(g.Environ) {
		out = append(append(out, path), disk.Leads(path)...)
	}
	return out
}
