package store

import (
	"slices"
	"strings"

	"chant/engine/spec"
)

// What rows refer to besides the members that they name: the number of a task and its aliases in upper case, and a spec
// that they depend on.
const (
	TaskRef  = "task:"
	NeedsRef = "needs:"
)

// refsOf lists the names by which the row of a spec is found.
func refsOf(s *spec.Spec) []string {
	refs := slices.Clone([]string(s.Fields.Members))
	for _, name := range namesOf(s) {
		refs = append(refs, TaskRef+strings.ToUpper(name))
	}
	for _, id := range s.Fields.DependsOn {
		refs = append(refs, NeedsRef+id)
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}
