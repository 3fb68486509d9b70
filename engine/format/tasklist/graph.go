package tasklist

import "slices"

// check returns a [*CycleError] if tasks wait for each other.
func (o order) check(l List) error {
	circle := cycle(o.waits)
	if circle == nil {
		return nil
	}
	e := &CycleError{}
	for _, node := range circle {
		if node < o.tasks {
			e.Names = append(e.Names, l.Tasks[node].Key)
		}
	}
	return e
}

// cycle returns nodes each of which waits for the next, and the last for the first; nil if there are none.
func cycle(waits [][]int) []int {
	waiting := make([]int, len(waits)) // for how many nodes each still waits
	wanted := make([][]int, len(waits))
	var free []int
	for node, before := range waits {
		waiting[node] = len(before)
		for _, b := range before {
			wanted[b] = append(wanted[b], node)
		}
		if len(before) == 0 {
			free = append(free, node)
		}
	}
	for len(free) > 0 {
		node := free[len(free)-1]
		free = free[:len(free)-1]
		for _, next := range wanted[node] {
			if waiting[next]--; waiting[next] == 0 {
				free = append(free, next)
			}
		}
	}
	node := slices.IndexFunc(waiting, func(n int) bool { return n > 0 })
	if node < 0 {
		return nil
	}
	var path []int
	at := map[int]int{} // places in path
	for {
		if start, seen := at[node]; seen {
			return path[start:]
		}
		at[node] = len(path)
		path = append(path, node)
		// Every node that is left waits for another one, so this walk must meet itself.
		node = waits[node][slices.IndexFunc(waits[node], func(b int) bool { return waiting[b] > 0 })]
	}
}

// Next returns the first open task that need not wait for others, nil if there is none: all are done, or the open ones
// wait for each other, which [Divide] reports.
func Next(l List) *Task {
	o := newOrder(l, l.units())
	done := make([]bool, len(o.waits))
	for i, t := range l.Tasks {
		done[i] = t.Done
	}
	ready := func(node int) bool {
		return !slices.ContainsFunc(o.waits[node], func(before int) bool { return !done[before] })
	}
	for gate := o.tasks; gate < len(o.waits); gate++ {
		done[gate] = ready(gate)
	}
	for i := range l.Tasks {
		if !l.Tasks[i].Done && ready(i) {
			return &l.Tasks[i]
		}
	}
	return nil
}
