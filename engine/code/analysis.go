package code

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"chant/engine/code/chunk"
)

// sections returns what the text of an answer consists of, what the focus emphasizes first.
func sections(focus string) []func(*research) string {
	switch focus {
	case "architecture":
		return []func(*research) string{(*research).folders, (*research).ways}
	case "dependencies":
		return []func(*research) string{(*research).imports, (*research).folders}
	case "patterns":
		return []func(*research) string{(*research).families, (*research).shapes}
	default:
		return []func(*research) string{(*research).ways}
	}
}

// ways lists the call chains.
func (r *research) ways() string {
	if len(r.chains) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Chains\n\n")
	for _, c := range r.chains {
		var names []string
		for _, n := range c.Nodes {
			names = append(names, "`"+r.graph.Nodes[n].Name()+"`")
		}
		fmt.Fprintf(&b, "- %s\n", strings.Join(names, " → "))
	}
	return b.String()
}

// folders lists how many of the definitions are in each folder, and which folders use which.
func (r *research) folders() string {
	counts, uses := map[string]int{}, map[[2]string]int{}
	for _, s := range r.steps {
		here := path.Dir(r.graph.Nodes[s.Node].Path)
		counts[here]++
		// A start was not reached by a link.
		if s.From < 0 {
			continue
		}
		pair := [2]string{path.Dir(r.graph.Nodes[s.From].Path), here}
		if s.Inward {
			pair[0], pair[1] = pair[1], pair[0]
		}
		if pair[0] != pair[1] {
			uses[pair]++
		}
	}
	var b strings.Builder
	b.WriteString("\n## Parts\n\n")
	for _, folder := range byCount(counts) {
		fmt.Fprintf(&b, "- `%s/`: %d of the definitions\n", folder, counts[folder])
	}
	if len(uses) > 0 {
		b.WriteString("\n## Between parts\n\n")
	}
	for _, pair := range slices.SortedFunc(maps.Keys(uses), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	}) {
		fmt.Fprintf(&b, "- `%s/` uses `%s/`: %d links\n", pair[0], pair[1], uses[pair])
	}
	return b.String()
}

// imports lists what the files of the definitions import.
func (r *research) imports() string {
	counts, seen := map[string]int{}, map[string]bool{}
	for _, s := range r.steps {
		file := r.graph.Nodes[s.Node].Path
		if seen[file] {
			continue
		}
		seen[file] = true
		for _, name := range r.graph.Imports(file) {
			counts[name]++
		}
	}
	if len(counts) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Imports\n\n")
	for _, name := range byCount(counts) {
		fmt.Fprintf(&b, "- `%s`: %d of the files\n", name, counts[name])
	}
	return b.String()
}

// families lists types with what implements them.
func (r *research) families() string {
	members := map[int][]string{}
	for _, s := range r.steps {
		if s.From >= 0 && s.Kind == chunk.Inherits {
			// An inward step leads to what implements, the other one to what is implemented.
			of, one := s.From, s.Node
			if !s.Inward {
				of, one = one, of
			}
			members[of] = append(members[of], "`"+r.graph.Nodes[one].Name()+"`")
		}
	}
	if len(members) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Types and what implements them\n\n")
	for _, of := range slices.Sorted(maps.Keys(members)) {
		fmt.Fprintf(&b, "- `%s`: %s\n", r.graph.Nodes[of].Name(), strings.Join(members[of], ", "))
	}
	return b.String()
}

// shapes counts the kinds of the definitions.
func (r *research) shapes() string {
	counts := map[string]int{}
	for _, s := range r.steps {
		counts[string(r.graph.Nodes[s.Node].Kind)]++
	}
	var b strings.Builder
	b.WriteString("\n## Kinds\n\n")
	for _, kind := range byCount(counts) {
		fmt.Fprintf(&b, "- %s: %d\n", kind, counts[kind])
	}
	return b.String()
}

// byCount returns the twelve keys with the largest counts, the largest first.
func byCount(counts map[string]int) []string {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return keys[:min(len(keys), 12)]
}
