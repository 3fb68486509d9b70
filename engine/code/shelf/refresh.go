package shelf

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"chant/engine/code/corpus"
	"chant/engine/code/outline"
	"chant/engine/code/rank"
	"chant/engine/find"
	"chant/engine/index"
	"chant/gitops/lockfile"
)

// Report is what a refresh has done.
type Report struct {
	Indexed  int // files that were divided into chunks
	Known    int // files whose content was known
	Chunks   int // of the indexed files, without those of documentation
	Snippets int // of documentation
	Removed  int // files that the last manifest had and this one has not
	Failed   []Failure
	Saved    bool // false if nothing could be stored: then the next process begins anew
}

// Failure is a file that could not be read.
type Failure struct{ Path, Reason string }

// Request says what is to be refreshed, and how.
type Request struct {
	Root     string
	Rules    corpus.Rules
	Force    bool                                  // read each file anew
	Progress func(done, total int, current string) // may be nil; calls do not overlap
}

// Refresh returns what the worktree contains now, after indexing what was missing. Errors: those of git and of the
// context.
func (s *Shelf) Refresh(ctx context.Context, r Request) (*Snapshot, Report, error) {
	shot := s.kept(r.Root)
	if !r.Force && shot != nil && shot.Manifest.Rules == r.Rules.String() && shot.Manifest.IsCurrent(ctx) {
		return shot, Report{Known: len(shot.files), Saved: true}, ctx.Err()
	}
	before, parts, known := s.read(ctx, r.Root, s.parts(r.Root))
	if !r.Force && before != nil && before.Rules == r.Rules.String() && before.IsCurrent(ctx) {
		if shot, missing := s.snapshot(before, parts, known); len(missing) == 0 && !shot.lacks() {
			s.keep(r.Root, shot)
			return shot, Report{Known: len(shot.files), Saved: true}, ctx.Err()
		}
	}
	now, err := corpus.Read(ctx, s.Repo, r.Root, r.Rules, before)
	if err != nil {
		return nil, Report{}, err
	}
	report := Report{Removed: removed(before, now), Failed: failed(now), Saved: true}
	shot, missing := s.snapshot(now, parts, known)
	if r.Force {
		missing = now.Searched()
	}
	if len(missing) > 0 || shot.lacks() {
		if shot, err = s.add(ctx, r, now, &report); err != nil {
			return nil, report, err
		}
	}
	report.Known = len(shot.files) - report.Indexed
	if data := now.Bytes(); before == nil || !bytes.Equal(data, before.Bytes()) {
		b := index.Batch{Values: map[index.Key][]byte{{Kind: trees, Name: r.Root}: data}}
		report.Saved = s.store(ctx, b) && report.Saved
	}
	s.keep(r.Root, shot)
	return shot, report, ctx.Err()
}

func removed(before, now *corpus.Manifest) int {
	if before == nil {
		return 0
	}
	n := 0
	for _, f := range before.Files {
		if _, ok := now.Find(f.Path); !ok {
			n++
		}
	}
	return n
}

func failed(m *corpus.Manifest) []Failure {
	var list []Failure
	for _, f := range m.Files {
		if f.Failed {
			list = append(list, Failure{f.Path, f.Skipped})
		}
	}
	return list
}

// add indexes the files that are missing once no other process does, and returns what there is then.
func (s *Shelf) add(ctx context.Context, r Request, now *corpus.Manifest, report *Report) (shot *Snapshot, err error) {
	lock, err := lockfile.AcquireWait(ctx, filepath.Join(s.Repo.CommonDir(), "chant", "code.lock"), "index code")
	var unwritable *fs.PathError
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, lock.Release()) }()
	case errors.As(err, &unwritable): // nothing can be stored either, so there is nothing to protect
	default:
		return nil, err
	}
	_, parts, known := s.read(ctx, r.Root, s.parts(r.Root))
	_, missing := s.snapshot(now, parts, known)
	if r.Force {
		missing = now.Searched()
	}
	a := adder{shelf: s, request: r, long: isLong(now), report: report, total: len(missing)}
	if known.docs == 0 && len(parts) == 0 || r.Force {
		a.taught = &lessons{}
	}
	if err := a.all(ctx, missing); err != nil {
		return nil, err
	}
	parts = append(parts, a.parts...)
	if r.Force {
		known = learned{}
	}
	shot, _ = s.snapshot(now, parts, known)
	lesson := s.teach(ctx, shot, a.taught)
	parts, err = s.tidy(ctx, now, parts)
	if lesson != nil {
		var learnErr error
		known, learnErr = s.wait(ctx, lesson)
		err = errors.Join(err, learnErr)
	}
	if err != nil {
		return nil, err
	}
	shot, _ = s.snapshot(now, parts, known)
	return shot, s.understand(ctx, shot)
}

func isLong(m *corpus.Manifest) bool {
	return slices.ContainsFunc(m.Files, func(f corpus.File) bool { return len(f.Hash) > 40 })
}

// shardBytes is about how much text one segment has when many files are indexed.
const shardBytes = 6 << 20

// adder indexes files.
type adder struct {
	shelf   *Shelf
	request Request
	long    bool
	total   int

	mu     sync.Mutex
	taught *lessons // if all code is read; otherwise nil
	report *Report
	done   int
	parts  []*Part
	err    error
}

// all indexes files in shards, several at once.
func (a *adder) all(ctx context.Context, files []corpus.File) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	shards := make(chan []corpus.File)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			w := worker{builder: find.NewBuilder(rank.Fields())}
			for shard := range shards {
				if err := a.shard(ctx, shard, &w); err != nil {
					a.mu.Lock()
					a.err = errors.Join(a.err, err)
					a.mu.Unlock()
					cancel()
				}
			}
		})
	}
	for len(files) > 0 && ctx.Err() == nil {
		n, size := 0, int64(0)
		for n < len(files) && size < shardBytes {
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

// worker is what one goroutine uses for shard after shard.
type worker struct {
	packer
	builder *find.Builder
}

// shard makes and stores one segment.
func (a *adder) shard(ctx context.Context, files []corpus.File, w *worker) error {
	builder := w.builder
	builder.Reset()
	batch := index.Batch{Values: map[index.Key][]byte{}}
	for _, f := range files {
		text, why := read(ctx, a.shelf.Repo, a.request.Root, f, a.long)
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
func divide(ctx context.Context, rules corpus.Rules, name string, text []byte) (outline.Outline, error) {
	if why := rules.Content(name, text); why != "" {
		return outline.Outline{Language: outline.Language(name, text), Skipped: why}, nil
	}
	return outline.Of(ctx, name, text)
}

// document adds the chunks of a file to a segment, and what they teach to the lessons.
func (a *adder) document(b *find.Builder, f corpus.File, o outline.Outline, text []byte) {
	unit := f.Unit()
	if len(o.Chunks) == 0 {
		b.Add(Doc{Unit: unit, Empty: true}.key())
		return
	}
	for i, c := range o.Chunks {
		texts := rank.Texts(f.Path, c, string(text[c.Start:c.End]))
		b.Add(Doc{Unit: unit, Chunk: i, Docs: o.IsDocs()}.key(), texts...)
		if a.taught == nil || o.IsDocs() {
			continue
		}
		if t, ok := taughtBy(f.Path, i, c, texts); ok {
			a.mu.Lock()
			a.taught.add(t)
			a.mu.Unlock()
		}
	}
}

func (a *adder) fail(f corpus.File, why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Failed = append(a.report.Failed, Failure{f.Path, why})
	a.step(f)
}

func (a *adder) progress(f corpus.File, o outline.Outline) {
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

func (a *adder) step(f corpus.File) {
	a.done++
	if a.request.Progress != nil {
		a.request.Progress(a.done, a.total, f.Path)
	}
}
