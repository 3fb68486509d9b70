package store

import (
	"slices"

	"chant/engine/find"
	"chant/engine/index"
)

// collect adds to the batch of the query what is to be stored: the new segments, or several as one.
func (x *documentIndex) collect() {
	merge := x.chooseMerge()
	if len(merge) > 0 {
		data, err := x.merge(merge)
		if err != nil {
			x.view.ReportBroken()
			return
		}
		x.batch.Segments = append(x.batch.Segments, index.Segment{Kind: searchKind, Data: data})
	}
	for i, s := range x.segments {
		switch merged := slices.Contains(merge, i); {
		case merged && s.id != 0:
			x.batch.Replaced = append(x.batch.Replaced, s.id)
		case !merged && s.id == 0 && !s.loose:
			x.batch.Segments = append(x.batch.Segments, index.Segment{Kind: searchKind, Data: s.data})
		}
	}
}

// merge returns the current documents of some segments as one.
func (x *documentIndex) merge(numbers []int) ([]byte, error) {
	segments := make([]*find.Segment, len(numbers))
	for i, n := range numbers {
		segments[i] = x.segments[n].Segment
	}
	return find.Merge(segments, func(segment int, doc uint32) bool { return x.segments[numbers[segment]].current[doc] >= 0 })
}

// chooseMerge returns the numbers of the segments that are to become one: all if most of their documents are not current
// any more; if there are too many segments, all except one that is larger than the others together.
func (x *documentIndex) chooseMerge() (chosen []int) {
	const mostSegments = 8
	total, gone, largest := 0, 0, -1
	for i, s := range x.segments {
		if s.loose {
			continue
		}
		chosen = append(chosen, i)
		total += s.Len()
		for _, n := range s.current {
			if n < 0 {
				gone++
			}
		}
		if largest < 0 || s.Len() > x.segments[largest].Len() {
			largest = i
		}
	}
	switch {
	case gone*2 > total:
		return chosen
	case len(chosen) <= mostSegments:
		return nil
	case x.segments[largest].Len()*2 > total:
		return slices.DeleteFunc(chosen, func(n int) bool { return n == largest })
	}
	return chosen
}

// dropGone makes one segment of all, without the documents that are not current. It reports whether there were some: a
// word that only they have is then read as a misspelt one.
func (x *documentIndex) dropGone() bool {
	one, all, gone := documentSegment{}, []int{}, false
	for i, s := range x.segments {
		all = append(all, i)
		one.current = append(one.current, s.current...)
		gone = gone || slices.Contains(s.current, -1)
	}
	if !gone {
		return false
	}
	one.current = slices.DeleteFunc(one.current, func(n int32) bool { return n < 0 })
	data, err := x.merge(all)
	if err == nil {
		one.Segment, err = find.Open(data)
	}
	if err != nil {
		return false
	}
	x.segments = []documentSegment{one}
	return true
}
