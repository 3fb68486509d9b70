package documents

import (
	"slices"

	"chant/engine/find"
	"chant/engine/index"
)

// collect adds to the batch of the query what is to be stored: the new segments, or several as one.
func (s *Searcher) collect() {
	merge := s.chooseMerge()
	if len(merge) > 0 {
		data, err := s.merge(merge)
		if err != nil {
			s.query.View.ReportBroken()
			return
		}
		s.query.Batch.Segments = append(s.query.Batch.Segments, index.Segment{Kind: segmentKind, Data: data})
	}
	for i, p := range s.segments {
		switch merged := slices.Contains(merge, i); {
		case merged && p.id != 0:
			s.query.Batch.Replaced = append(s.query.Batch.Replaced, p.id)
		case !merged && p.id == 0 && !p.loose:
			s.query.Batch.Segments = append(s.query.Batch.Segments, index.Segment{Kind: segmentKind, Data: p.data})
		}
	}
}

// merge returns the current documents of some segments as one.
func (s *Searcher) merge(numbers []int) ([]byte, error) {
	segments := make([]*find.Segment, len(numbers))
	var t texts
	for i, n := range numbers {
		p := &s.segments[n]
		segments[i] = p.Segment
		for doc, number := range p.current {
			if number >= 0 { // the others are left out of the segment
				t.add(p.texts.of(uint32(doc)))
			}
		}
	}
	segment, err := find.Merge(segments)
	return pack(segment, t), err
}

// chooseMerge returns the numbers of the segments that are to become one: all if most of their documents are not
// current any more; if there are too many segments, all except one that is larger than the others together.
func (s *Searcher) chooseMerge() (chosen []int) {
	const mostSegments = 8
	total, gone, largest := 0, 0, -1
	for i, p := range s.segments {
		if p.loose {
			continue
		}
		chosen = append(chosen, i)
		total += p.Len()
		gone += p.gone
		if largest < 0 || p.Len() > s.segments[largest].Len() {
			largest = i
		}
	}
	switch {
	case gone*2 > total:
		return chosen
	case len(chosen) <= mostSegments:
		return nil
	case s.segments[largest].Len()*2 > total:
		return slices.DeleteFunc(chosen, func(n int) bool { return n == largest })
	}
	return chosen
}
