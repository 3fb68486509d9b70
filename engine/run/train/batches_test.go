package train

// These rules are those of a policy that the train is compared with: some branches are checked together on the tree of the last
// of them.

import (
	"math"
	"slices"
)

// member is a car with the cars before it that its last check was about as well, and itself.
type member struct {
	Car
	Batch []string
}

// maxBatch is how many cars are checked together where people have set no number.
const maxBatch = 8

// batches divides the cars that are expected to land into those that are checked together, in order, as indices. The last
// car of each batch checks it, on its own tree, and lands all of it. size is how large a batch may be; 0 checks together
// what could not be checked at the same time, since its criteria fill the machine.
//
// A batch that has begun stays as it is while its cars do. One that failed is searched for the first car that breaks it:
// its first half is checked alone, and lands or is halved again. Each tree of a batch contains those before it, so in the
// end all before that car have landed, and it has failed on their tree.
func batches(cars []member, size, processors int) [][]int {
	begun := begunBatches(cars)
	var failed []member
	for _, c := range cars {
		if c.State == Failed && len(c.Batch) > 1 {
			failed = append(failed, c)
		}
	}
	var out [][]int
	var open []int
	limit := 0
	for i := 0; i < len(cars); i++ {
		c := cars[i]
		if c.Stopped || c.Ejected {
			continue
		}
		own := size
		if size == 0 {
			own = 1
			if c.Load >= filled*float64(processors) {
				own = maxBatch
			}
		}
		if c.Searching || c.Blamed {
			own = 1
		}
		batch, found := begun[i]
		// One that failed leaves or is tried again before those behind it land.
		if len(open) > 0 && (found || c.State == Failed || len(open) >= min(limit, own)) {
			out, open = append(out, open), nil
		}
		switch {
		case c.State == Failed:
		case found:
			out, i = append(out, batch), batch[len(batch)-1]
		default:
			if len(open) == 0 {
				limit = min(own, halfOf(failed, c.ID))
			}
			open = append(open, i)
		}
	}
	if len(open) > 0 {
		out = append(out, open)
	}
	return out
}

// begunBatches returns the batches that are being checked, have passed or land, by the index of their first car. One that
// another car has come into is no longer one, since the tree of its last car changes.
func begunBatches(cars []member) map[int][]int {
	begun := map[int][]int{}
	var live []int
	for i, c := range cars {
		if c.Stopped || c.Ejected {
			continue
		}
		live = append(live, i)
		if c.State != Checking && c.State != Passed && c.State != Landing {
			continue
		}
		size := max(len(c.Batch), 1)
		if size > len(live) {
			continue
		}
		batch := slices.Clone(live[len(live)-size:])
		same := func(i int, id string) bool { return cars[i].ID == id && cars[i].State != Failed }
		if _, taken := begun[batch[0]]; !taken && (size == 1 || slices.EqualFunc(batch, c.Batch, same)) {
			begun[batch[0]] = batch
		}
	}
	return begun
}

// halfOf is how many cars from one on may be checked together, if it was part of a larger batch that failed.
func halfOf(failed []member, id string) int {
	half := math.MaxInt
	for _, c := range failed {
		if at := slices.Index(c.Batch, id); at >= 0 {
			half = min(half, max((len(c.Batch)-at)/2, 1))
		}
	}
	return half
}
