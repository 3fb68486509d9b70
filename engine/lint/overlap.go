package lint

import (
	"path"
	"slices"
	"strings"

	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
)

// named is how many others a finding names.
const named = 3

// overlap finds open specs with the same files of which neither waits for the other.
// They are never worked side by side, but whoever comes second meets a changed file.
func (l *linter) overlap() {
	if !contends(l.Graph, l.s) {
		return
	}
	if l.claims == nil {
		l.claims = claimsOf(l.Graph)
	}
	var others []string
	for _, id := range l.claims.others(l.s) {
		if !l.waitsFor(l.s.ID, id) && !l.waitsFor(id, l.s.ID) {
			others = append(others, id)
		}
	}
	if len(others) == 0 {
		return
	}
	text := strings.Join(others[:min(named, len(others))], ", ")
	if len(others) > named {
		text += ", …"
	}
	l.find("overlap", l.line("target_files"), next.Deps.On(l.s.ID), "target_files overlap with those of %d open specs that wait for nothing here: %s", len(others), text)
}

// contends reports whether a spec is one that others may meet.
func contends(g *spec.Graph, s *spec.Spec) bool {
	return open(s) && !s.Archived && len(s.Fields.TargetFiles) > 0 && !g.Container(s.ID)
}

// waitsFor reports whether one spec comes after another, directly or not.
func (l *linter) waitsFor(id, other string) bool {
	seen := map[string]bool{id: true}
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		for _, before := range l.Graph.Before(queue[0]) {
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

// claims finds specs by their target files, without asking each pair: of paths without
// a glob it is enough to look up the path itself, and what lies above and below.
type claims struct {
	at    map[string][]string // path -> specs that name it
	below map[string][]string // path -> specs that name it or something below
	globs []*spec.Spec        // specs with an entry that is not a plain path
	all   []*spec.Spec
}

func claimsOf(g *spec.Graph) *claims {
	c := &claims{at: map[string][]string{}, below: map[string][]string{}}
	for _, s := range g.Specs() {
		if !contends(g, s) {
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

// others lists the specs whose files may be those of s, in order.
func (c *claims) others(s *spec.Spec) []string {
	var out []string
	paths, plain := plainPaths(s)
	if !plain {
		return overlapping(c.all, s)
	}
	for _, p := range paths {
		out = append(out, c.below[p]...)
		for up := path.Dir(p); up != "."; up = path.Dir(up) {
			out = append(out, c.at[up]...)
		}
	}
	out = append(out, overlapping(c.globs, s)...)
	slices.SortFunc(out, spec.Compare)
	return slices.DeleteFunc(slices.Compact(out), func(id string) bool { return id == s.ID })
}

func overlapping(among []*spec.Spec, s *spec.Spec) []string {
	var out []string
	for _, other := range among {
		if other.ID != s.ID && fileset.Overlap(s.Fields.TargetFiles, other.Fields.TargetFiles) {
			out = append(out, other.ID)
		}
	}
	return out
}

// plainPaths are the target files as fileset.Overlap compares them; false when one of them
// is more than a path.
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
