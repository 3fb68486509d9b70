package store

import (
	"chant/engine/find"
	"chant/engine/index"
)

// collect adds to the batch of the query what is to be stored: the new segments, or several as one.
func (x *documentIndex) collect() {
	merge := x.chooseMerge()
	if len(merge) > 0 {
		segments := make([]*find.Segment, len(merge))
		for i, n := range merge {
			segments[i] = x.segments[n].Segment
		}
		data, err := find.Merge(segments, func(segment int, doc uint32) bool {
			return x.segments[merge[segment]].current[doc] >= 0
		})
		if err != nil {
			x.view.ReportBroken()
			return
		}
		x.batch.Segments = append(x.batch.Segments, index.Segment{Kind: searchKind, Data: data})
	}
	merged := map[int]bool{}
	for _, n := range merge {
		merged[n] = true
		if id := x.segments[n].id; id != 0 {
			x.batch.Replaced = append(x.batch.Replaced, id)
		}
	}
	for i, s := range x.segments {
		if s.id == 0 && !s.loose && !merged[i] {
			x.batch.Segments = append(x.batch.Segments, index.Segment{Kind: searchKind, Data: s.data})
		}
	}
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
		at := 0
		for _, n := range chosen {
			if n != largest {
				chosen[at] = n
				at++
			}
		}
		return chosen[:at]
	}
	return chosen
}

// dropGone makes one segment of all, without the documents that are not current. It reports whether there were some: a
// word that only they have is then read as a misspelt one.
func (x *documentIndex) dropGone() bool {
	segments, one := make([]*find.Segment, len(x.segments)), documentSegment{}
	gone := false
	for i, s := range x.segments {
		segments[i] = s.Segment
		for _, n := range s.current {
			if n >= 0 {
				one.current = append(one.current, n)
			} else {
				gone = true
			}
		}
	}
	if !gone {
		return false
	}
	data, err := find.Merge(segments, func(segment int, doc uint32) bool { return x.segments[segment].current[doc] >= 0 })
	if err == nil {
		one.Segment, err = find.Open(data)
	}
	if err != nil {
		return false
	}
	x.segments = []documentSegment{one}
	return true
}
