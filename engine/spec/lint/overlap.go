package lint

import (
	"path"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/next"
)

// maxNamed is how many other specs a finding names.
const maxNamed = 3

// checkOverlap reports open specs that share target files although neither waits for the other. They are never worked
// at the same time, but the second one finds changed files.
func (l *linter) checkOverlap() {
	if !mayOverlap(l.Graph, &l.s.Spec) {
		return
	}
	if l.files == nil {
		l.files = newFileIndex(l.Graph)
	}
	var others []string
	for _, id := range l.files.findOthers(&l.s.Spec) {
		if !waitForEachOther(l.Graph, l.s.ID, id) {
			others = append(others, id)
		}
	}
	if len(others) == 0 {
		return
	}
	specs := "specs"
	if len(others) == 1 {
		specs = "spec"
	}
	l.report("overlap", l.keyLine("target_files"), next.Deps.On(l.s.ID), "target_files overlap with those of %d open %s without a dependency on either side: %s", len(others), specs, ShortList(others))
}

// ShortList names the first specs of a list.
func ShortList(ids []string) string {
	text := strings.Join(ids[:min(maxNamed, len(ids))], ", ")
	if len(ids) > maxNamed {
		text += ", …"
	}
	return text
}

// SharingFiles lists the open specs whose target files overlap with files that s is about, without a dependency on either
// side, in order.
func SharingFiles(g *spec.Graph, s *spec.Spec, files []string) []string {
	about := *s
	about.Fields.TargetFiles = files
	if !mayOverlap(g, &about) {
		return nil
	}
	return slices.DeleteFunc(newFileIndex(g).findOthers(&about), func(id string) bool { return waitForEachOther(g, s.ID, id) })
}

// mayOverlap reports whether a spec is compared with others: it is open and has target files.
func mayOverlap(g *spec.Graph, s *spec.Spec) bool {
	return isOpen(s) && !s.Archived && len(s.Fields.TargetFiles) > 0 && !g.Container(s.ID)
}

// waitForEachOther reports whether one of two specs waits for the other.
func waitForEachOther(g *spec.Graph, one, other string) bool {
	return waitsFor(g, one, other) || waitsFor(g, other, one)
}

// waitsFor reports whether one spec waits for another, directly or indirectly.
func waitsFor(g *spec.Graph, id, other string) bool {
	seen := map[string]bool{id: true}
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		for _, before := range g.Before(queue[0]) {
			if before == other {
				return true
			}
			if !seen[before] {
				seen[before] = true
				queue = append(queue, before)
			}
		}
	}
	return false
}

// fileIndex finds specs by their target files without comparing every pair: for a path without a glob, it looks up the
// path itself and those above and below it.
type fileIndex struct {
	at    map[string][]string // path -> specs that name it
	below map[string][]string // path -> specs that name it or a path below it
	globs []*spec.Spec        // specs with an entry that is not a plain path
	all   []*spec.Spec
}

func newFileIndex(g *spec.Graph) *fileIndex {
	c := &fileIndex{at: map[string][]string{}, below: map[string][]string{}}
	for _, s := range g.Specs() {
		if !mayOverlap(g, s) {
			continue
		}
		c.all = append(c.all, s)
		paths, plain := plainPaths(s)
		if !plain {
			c.globs = append(c.globs, s)
			continue
		}
		for _, p := range paths {
			c.at[p] = append(c.at[p], s.ID)
			for up := p; up != "."; up = path.Dir(up) {
				c.below[up] = append(c.below[up], s.ID)
			}
		}
	}
	return c
}

// findOthers lists the specs that may share files with s, in order.
func (c *fileIndex) findOthers(s *spec.Spec) []string {
	var out []string
	paths, plain := plainPaths(s)
	if !plain {
		return findOverlapping(c.all, s)
	}
	for _, p := range paths {
		out = append(out, c.below[p]...)
		for up := path.Dir(p); up != "."; up = path.Dir(up) {
			out = append(out, c.at[up]...)
		}
	}
	out = append(out, findOverlapping(c.globs, s)...)
	slices.SortFunc(out, spec.Compare)
	return slices.DeleteFunc(slices.Compact(out), func(id string) bool { return id == s.ID })
}

func findOverlapping(among []*spec.Spec, s *spec.Spec) []string {
	var out []string
	for _, other := range among {
		if other.ID != s.ID && fileset.Overlap(s.Fields.TargetFiles, other.Fields.TargetFiles) {
			out = append(out, other.ID)
		}
	}
	return out
}

// plainPaths returns the target files in the form in which fileset.Overlap compares them; false if one of them is not a
// plain path.
func plainPaths(s *spec.Spec) ([]string, bool) {
	var out []string
	for _, entry := range s.Fields.TargetFiles {
		entry = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(entry), `\`, "/"))
		clean := strings.TrimPrefix(path.Clean("/"+entry), "/")
		if clean == "" || strings.ContainsAny(clean, "*?[{") {
			return nil, false
		}
		out = append(out, clean)
	}
	return out, true
}
