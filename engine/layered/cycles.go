package layered

// backEdges reports which edges close a cycle in a walk from the sources, depth first, in the order of vertices and
// edges. Without these the graph has no cycle.
func backEdges(n int, edges []Edge) []bool {
	back, out, sources := make([]bool, len(edges)), make([][]int, n), make([]bool, n)
	for v := range sources {
		sources[v] = true
	}
	for i, e := range edges {
		out[e.From] = append(out[e.From], i)
		sources[e.To] = false
	}
	const entered, left = 1, 2
	state := make([]uint8, n)
	next := make([]int, n) // the edge of each vertex to follow next
	walk := func(root int) {
		path := []int{root}
		state[root] = entered
		for len(path) > 0 {
			v := path[len(path)-1]
			if next[v] == len(out[v]) {
				state[v] = left
				path = path[:len(path)-1]
				continue
			}
			i := out[v][next[v]]
			next[v]++
			switch to := edges[i].To; state[to] {
			case entered:
				back[i] = true
			case 0:
				state[to] = entered
				path = append(path, to)
			}
		}
	}
	for _, first := range []bool{true, false} { // from sources, so that an edge into a cycle is not the one that closes it
		for v := range n {
			if state[v] == 0 && sources[v] == first {
				walk(v)
			}
		}
	}
	return back
}
