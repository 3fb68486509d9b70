package layered

import (
	"cmp"
	"slices"
)

// How often the layers are ordered anew: down and up again each time, and less often in a large part.
const (
	mostRounds = 8
	fewRounds  = 2
	largePart  = 20_000 // vertices
)

// reduceCrossings orders the vertices of each layer so that few edges cross, by the barycentres of their neighbours.
func (p *part) reduceCrossings() {
	p.layers = p.firstOrder()
	at := make([]int, len(p.layer))
	number(p.layers, at)
	best, fewest := clone(p.layers), p.crossings(p.layers, at)
	rounds := mostRounds
	if len(p.layer) > largePart {
		rounds = fewRounds
	}
	for range rounds {
		if fewest == 0 {
			break
		}
		for i := 1; i < len(p.layers); i++ {
			sortLayer(p.layers[i], p.up, at)
		}
		for i := len(p.layers) - 2; i >= 0; i-- {
			sortLayer(p.layers[i], p.down, at)
		}
		n := p.crossings(p.layers, at)
		if n >= fewest {
			break
		}
		best, fewest = clone(p.layers), n
	}
	p.layers = best
}

// firstOrder lists the vertices of each layer as a walk along the edges meets them, so that neighbours are close.
func (p *part) firstOrder() [][]int {
	layers := make([][]int, 1+slices.Max(p.layer))
	seen := make([]bool, len(p.layer))
	for root := range p.layer {
		path := []int{root}
		for len(path) > 0 {
			v := path[len(path)-1]
			path = path[:len(path)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			layers[p.layer[v]] = append(layers[p.layer[v]], v)
			for _, list := range [][]int{p.up[v], p.down[v]} { // down is followed first
				for _, next := range slices.Backward(list) {
					if !seen[next] {
						path = append(path, next)
					}
				}
			}
		}
	}
	return layers
}

// sortLayer orders a layer by the mean place of the neighbours of each vertex. One without neighbours keeps its place.
func sortLayer(layer []int, near [][]int, at []int) {
	key := make(map[int]float64, len(layer))
	for _, v := range layer {
		key[v] = float64(at[v])
		if len(near[v]) > 0 {
			sum := 0
			for _, other := range near[v] {
				sum += at[other]
			}
			key[v] = float64(sum) / float64(len(near[v]))
		}
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
	for i, v := range layer {
		at[v] = i
	}
}

// crossings counts the pairs of edges between neighbouring layers that cross.
func (p *part) crossings(layers [][]int, at []int) int {
	total := 0
	for i := 1; i < len(layers); i++ {
		sums := make([]int, len(layers[i])+1) // a Fenwick tree: how many edges end at each place
		ended := 0
		for _, v := range layers[i-1] {
			for _, to := range p.down[v] {
				total += ended
				for k := at[to] + 1; k > 0; k &= k - 1 {
					total -= sums[k]
				}
			}
			for _, to := range p.down[v] { // edges from one vertex do not cross
				ended++
				for k := at[to] + 1; k < len(sums); k += k & -k {
					sums[k]++
				}
			}
		}
	}
	return total
}

// number sets the place of each vertex in its layer.
func number(layers [][]int, at []int) {
	for _, layer := range layers {
		for i, v := range layer {
			at[v] = i
		}
	}
}

func clone(layers [][]int) [][]int {
	out := make([][]int, len(layers))
	for i, layer := range layers {
		out[i] = slices.Clone(layer)
	}
	return out
}
