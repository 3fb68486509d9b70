package graph

import (
	"slices"
	"strings"

	"chant/engine/code/chunk"
)

// implement adds links from Go types to the interfaces whose methods they have by name, where the facts do not say more.
func (g *Graph) implement() {
	methods := map[[2]string]map[string]bool{} // of types, by folder and name
	types := map[[2]string]int{}
	for i, n := range g.Nodes[:g.own] {
		if n.Language != "go" || len(n.Symbols) == 0 {
			continue
		}
		if n.Kind == chunk.Method {
			owner, _, _ := strings.Cut(n.Breadcrumb, " > ")
			key := [2]string{g.folders[i], strings.TrimLeft(owner, "*")}
			if methods[key] == nil {
				methods[key] = map[string]bool{}
			}
			methods[key][n.Symbols[0]] = true
		} else if n.Kind.IsType() {
			types[[2]string{g.folders[i], n.Symbols[0]}] = i
		}
	}
	for to, n := range g.Nodes[:g.own] {
		if n.Language != "go" || n.Kind != chunk.Interface || len(n.Symbols) < 2 {
			continue
		}
		wanted := n.Symbols[1:]
		for key, has := range methods {
			from, ok := types[key]
			if !ok || from == to || g.tests[to] && !g.tests[from] || !hasAll(has, wanted) {
				continue
			}
			if g.isWhole(from) && g.isWhole(to) || slices.ContainsFunc(g.out[from], func(l Link) bool { return l.To == to && l.Kind == chunk.Inherits }) {
				continue
			}
			g.add(Link{Kind: chunk.Inherits, From: from, To: to, Name: n.Symbols[0], Confidence: min(0.95, 0.6+0.1*float64(len(wanted)))})
		}
	}
}

func hasAll(has map[string]bool, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(name string) bool { return !has[name] })
}
