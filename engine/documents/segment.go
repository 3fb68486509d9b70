package documents

import (
	"bytes"
	"context"
	"runtime"
	"sync"

	"chant/engine/find"
)

// Limits of what is built at once.
const (
	builderBytes = 64 << 20 // a segment is finished when its builder needs more memory
	perBuilder   = 1000     // documents for which another builder is worth it
	mostBuilders = 4
)

// build reads documents and returns segments of them. ctx can end it.
func (s *Searcher) build(ctx context.Context, numbers []int) ([]part, error) {
	width := min(runtime.GOMAXPROCS(0), mostBuilders, len(numbers)/perBuilder+1)
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
		if key == "" {
			to, key = &w.loose, d.Path+"\x00"
		}
		if to.Builder == nil {
			to.Builder = find.NewBuilder(fields())
		}
		to.Add(key, t.title, t.names, t.body)
		to.texts.add(bytes.ToLower([]byte(t.whole)))
		to.numbers = append(to.numbers, int32(n))
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
