package documents

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"

	"chant/engine/search/find"
	"chant/engine/store/index"
)

// Limits of what is built at once.
const (
	builderBytes = 64 << 20 // a segment is finished when its builder needs more memory
	perBuilder   = 1000     // documents for which another builder is worth it
	maxBuilders  = 4
)

// build reads documents and returns segments of them. ctx can end it.
func (s *Searcher) build(ctx context.Context, numbers []int) ([]part, error) {
	// More builders make more segments, which must be merged later.
	width := min(runtime.GOMAXPROCS(0), maxBuilders, len(numbers)/perBuilder+1)
	workers := make([]*segmentWorker, width)
	var wg sync.WaitGroup
	for w := range workers {
		workers[w] = &segmentWorker{s: s}
		part := numbers[w*len(numbers)/width : (w+1)*len(numbers)/width]
		wg.Go(func() { workers[w].run(ctx, part) })
	}
	wg.Wait()
	if err := ctx.Err(); err != nil { // some were not read
		return nil, err
	}
	var built []part
	for _, w := range workers {
		if w.err != nil {
			return nil, w.err
		}
		built = append(built, w.built...)
	}
	return built, nil
}

// segmentWorker builds segments of a part of the documents: of those that can be stored, and of those whose stamps had
// not settled.
type segmentWorker struct {
	s             *Searcher
	stored, loose segmentBuilder
	built         []part
	err           error
}

// segmentBuilder is a builder with the numbers of its documents. Its builder is nil until there is one.
type segmentBuilder struct {
	*find.Builder
	texts   texts
	numbers []int32
}

func (w *segmentWorker) run(ctx context.Context, numbers []int) {
	for _, n := range numbers {
		if ctx.Err() != nil || w.err != nil {
			return
		}
		d := &w.s.docs[n]
		t, ok := w.s.read(ctx, d)
		if !ok {
			continue
		}
		to, key := &w.stored, string(d.appendKey(nil, t.at))
		// Documents whose stamps had not settled are searched now, and read again by the next query.
		if key == "" {
			to, key = &w.loose, d.Path+"\x00"
		}
		if to.Builder == nil {
			to.Builder = find.NewBuilder(fields())
		}
		to.Add(key, t.title, t.names, t.body)
		to.texts.add(bytes.ToLower([]byte(t.whole)))
		to.numbers = append(to.numbers, int32(n))
		// A segment is finished early rather than taking all memory.
		if to.Size()+len(to.texts.all) > builderBytes {
			w.finish(to)
		}
	}
	w.finish(&w.stored)
	w.finish(&w.loose)
}

// finish makes a segment of what a builder has, and empties it.
func (w *segmentWorker) finish(b *segmentBuilder) {
	if b.Builder == nil || w.err != nil {
		return
	}
	var p part
	var segment []byte
	if segment, w.err = b.Bytes(); w.err != nil {
		return
	}
	p.data = pack(segment, b.texts)
	if p.Segment, p.texts, w.err = unpack(p.data); w.err != nil {
		return
	}
	p.current, p.loose = b.numbers, b == &w.loose
	w.built = append(w.built, p)
	*b = segmentBuilder{}
}

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
			// The others are left out of the segment.
			if number >= 0 {
				t.add(p.texts.text(uint32(doc)))
			}
		}
	}
	segment, err := find.Merge(segments)
	return pack(segment, t), err
}

// chooseMerge returns the numbers of the segments that are to become one: all if most of their documents are not
// current any more; if there are too many segments, all except one that is larger than the others together.
func (s *Searcher) chooseMerge() (chosen []int) {
	const maxSegments = 8
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
	// Texts that are gone make every search slower, so they are removed once they are the majority.
	case gone*2 > total:
		return chosen
	case len(chosen) <= maxSegments:
		return nil
	// The largest segment is left alone while the rest is small: writing it anew would cost the most.
	case s.segments[largest].Len()*2 > total:
		return slices.DeleteFunc(chosen, func(n int) bool { return n == largest })
	}
	return chosen
}
