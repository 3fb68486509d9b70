package shelf

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"chant/engine/code/outline"

	"chant/engine/search/find"
	"chant/engine/store/index"
)

// shardBytes is about how much text one segment has when many files are indexed.
const shardBytes = 6 << 20

// adder indexes files.
type adder struct {
	shelf   *Shelf
	request Request
	long    bool
	total   int

	mu     sync.Mutex
	pairs  *trainingPairs // if all code is read; otherwise nil
	report *Report
	done   int
	parts  []*Part
	err    error
}

// indexFiles indexes files in shards, several at once.
func (a *adder) indexFiles(ctx context.Context, files []File) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	shards := make(chan []File)
	var all sync.WaitGroup
	// Dividing files needs the processor only, so there is one goroutine for each.
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			w := worker{builder: find.NewBuilder(Fields())}
			for shard := range shards {
				if err := a.indexShard(ctx, shard, &w); err != nil {
					a.mu.Lock()
					a.err = errors.Join(a.err, err)
					a.mu.Unlock()
					// One shard that fails ends the others: the error is the same for all, such as a full disk.
					cancel()
				}
			}
		})
	}
	for len(files) > 0 && ctx.Err() == nil {
		n, size := 0, int64(0)
		for n < len(files) && size < shardBytes {
			// The constant is the cost of a file besides its text.
			size += 2000 + files[n].Stamp.Size
			n++
		}
		select {
		case shards <- files[:n]:
			files = files[n:]
		case <-ctx.Done():
		}
	}
	close(shards)
	all.Wait()
	if a.err != nil {
		return a.err
	}
	return ctx.Err()
}

// worker has the memory that one goroutine uses for all its shards.
type worker struct {
	packer
	builder *find.Builder
}

// indexShard makes and stores one segment.
func (a *adder) indexShard(ctx context.Context, files []File, w *worker) error {
	builder := w.builder
	builder.Reset()
	batch := index.Batch{Values: map[index.Key][]byte{}}
	for _, f := range files {
		text, why := read(ctx, a.shelf.Repo, a.request.Root, f, a.long, nil)
		// A file that was not read because of the context has not failed.
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if why != "" {
			a.fail(f, why)
			continue
		}
		o, err := divide(ctx, a.request.Rules, f.Path, text)
		if err != nil {
			return err
		}
		if batch.Values[index.Key{Kind: outlines, Name: outlineName(f)}], err = w.pack(o); err != nil {
			return err
		}
		a.document(builder, f, o, text)
		a.progress(f, o)
	}
	if builder.Len() == 0 {
		return nil
	}
	data, err := builder.Bytes()
	if err != nil {
		return err
	}
	batch.Segments = []index.Segment{{Kind: segments, Data: data}}
	// Each segment is stored when it is complete: after a kill, the next process begins behind the last one.
	id, saved := a.shelf.storePart(ctx, batch)
	part, ok := openPart(id, data)
	if !ok {
		return errors.New("the index of code cannot be read back")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.parts = append(a.parts, part)
	a.report.Saved = a.report.Saved && saved
	return nil
}

// divide returns the outline of a file.
func divide(ctx context.Context, rules Rules, name string, text []byte) (outline.Outline, error) {
	if why := rules.Content(name, text); why != "" {
		return outline.Outline{Language: outline.Language(name, text), Skipped: why}, nil
	}
	return outline.Divide(ctx, name, text)
}

// document adds the chunks of a file to a segment, and what they teach to the lessons.
func (a *adder) document(b *find.Builder, f File, o outline.Outline, text []byte) {
	unit := f.Unit()
	// A document without words makes the file known, so that it is not divided again.
	if len(o.Chunks) == 0 {
		b.Add(Doc{Unit: unit, Empty: true}.key())
		return
	}
	for i, c := range o.Chunks {
		texts := Texts(f.Path, c, string(text[c.Start:c.End]))
		b.Add(Doc{Unit: unit, Chunk: i, Docs: o.IsDocs()}.key(), texts...)
		// Only code with comments teaches: documentation has no code to compare.
		if a.pairs == nil || o.IsDocs() {
			continue
		}
		if t, ok := trainingPairOf(f.Path, i, c, texts); ok {
			a.mu.Lock()
			a.pairs.add(t)
			a.mu.Unlock()
		}
	}
}

func (a *adder) fail(f File, why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Failed = append(a.report.Failed, Failure{f.Path, why})
	a.step(f)
}

func (a *adder) progress(f File, o outline.Outline) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Indexed++
	if o.IsDocs() {
		a.report.Snippets += len(o.Chunks)
	} else {
		a.report.Chunks += len(o.Chunks)
	}
	a.step(f)
}

func (a *adder) step(f File) {
	a.done++
	if a.request.Progress != nil {
		a.request.Progress(a.done, a.total, f.Path)
	}
}
