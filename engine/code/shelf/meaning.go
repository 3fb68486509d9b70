package shelf

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"chant/engine/code/chunk"
	"chant/engine/code/embed"
	"chant/engine/store/index"
	"chant/engine/store/record"
	"chant/gitops/lockfile"
)

// vectors is the kind of the vectors of parts, by their ids: the model's id, and one packed vector for each document.
const vectors = "code-vectors 2"

// hasVectors reports whether a part has the vectors of a model.
func (p *Part) hasVectors(model *embed.Model) bool {
	return p.Model == model.ID() && len(p.Vectors) == embed.PackedLen(model.Dim())*len(p.Docs)
}

// lacksVectors reports whether a part has no vectors although there is a model.
func (s *Snapshot) lacksVectors() bool {
	model := s.trained.model
	return model != nil && slices.ContainsFunc(s.Parts, func(p *Part) bool { return !p.hasVectors(model) })
}

// makeVectors makes the vectors that parts lack. The caller has the lock.
func (s *Shelf) makeVectors(ctx context.Context, shot *Snapshot) error {
	model := shot.trained.model
	if model == nil {
		return nil
	}
	for n, part := range shot.Parts {
		if part.hasVectors(model) {
			continue
		}
		// Other snapshots use the part, so a copy gets the vectors.
		own := *part
		rows, err := vectorsOf(ctx, model, part)
		if err != nil {
			return err
		}
		own.Model, own.Vectors = model.ID(), rows
		shot.Parts[n] = &own
		// A part that could not be stored has no id for its vectors.
		if part.ID > 0 {
			name := index.Key{Kind: vectors, Name: strconv.FormatInt(part.ID, 10)}
			s.store(ctx, index.Batch{Values: map[index.Key][]byte{name: packVectors(own.Model, rows)}})
		}
	}
	return nil
}

// maxSums is of how many documents all cores together make the vectors at once, with 512 bytes of memory for each.
const maxSums = 1 << 17

// vectorsOf makes the vectors of a part from its segment, which knows the words of each document: no file is read.
func vectorsOf(ctx context.Context, model *embed.Model, part *Part) ([]byte, error) {
	docs, size := len(part.Docs), embed.PackedLen(model.Dim())
	rows := make([]byte, docs*size)
	cores := runtime.GOMAXPROCS(0)
	// The more documents at once, the fewer times postings are read, and the more memory is needed.
	per := max(1, min(maxSums/cores, (docs+cores-1)/cores))
	var next atomic.Int64
	errs := make([]error, cores)
	var group sync.WaitGroup
	for core := range cores {
		group.Go(func() {
			for ctx.Err() == nil && errs[core] == nil {
				first := (int(next.Add(1)) - 1) * per
				if first >= docs {
					return
				}
				n := min(per, docs-first)
				sums := model.NewSums(uint32(first), n)
				errs[core] = part.Segment.EachStem(sums.Begin, sums.Add)
				sums.AppendPacked(rows[first*size : first*size : (first+n)*size])
			}
		})
	}
	group.Wait()
	return rows, errors.Join(append(errs, ctx.Err())...)
}

func packVectors(model string, all []byte) []byte {
	out := append(binary.AppendUvarint(nil, uint64(len(model))), model...)
	return append(out, all...)
}

func (p *Part) setVectors(data []byte) {
	r := record.Read(data)
	model := string(r.Text())
	// Vectors that do not fit the documents are left out, and made again.
	if all := r.Rest(); !r.Failed() && len(p.Docs) > 0 && len(all)%len(p.Docs) == 0 {
		p.Model, p.Vectors = model, all
	}
}

// Meaning compares the meaning of questions with that of the documents of a worktree.
type Meaning struct {
	model  *embed.Model // nil if the vectors come from elsewhere
	matrix *embed.Matrix
	firsts []int // the number of the first document of each part
}

// HasModel reports whether there is a model.
func (s *Snapshot) HasModel() bool { return s.trained.model != nil }

// Meaning returns what compares meanings; nil if nothing was learned.
func (s *Snapshot) Meaning() *Meaning {
	s.mu.Lock()
	defer s.mu.Unlock()
	model := s.trained.model
	// A snapshot is used by several searches, and each needs the same matrix.
	if model == nil || s.meaning != nil {
		return s.meaning
	}
	m := &Meaning{model: model, matrix: embed.NewMatrix(model.Dim())}
	for _, p := range s.Parts {
		m.firsts = append(m.firsts, m.matrix.Len())
		if !p.hasVectors(model) || !m.matrix.Add(p.Vectors) {
			// Documents without vectors keep their numbers.
			m.matrix.AddNone(len(p.Docs))
		}
	}
	s.meaning = m
	return m
}

// Near is a document with its similarity to a question: from -1 to 1.
type Near struct {
	Part  int
	Doc   uint32
	Score float32
}

// Nearest returns the n documents that keep accepts which are most similar to a question, the best first; none if the
// question has no word that the model knows. keep may be called by several goroutines at once.
func (m *Meaning) Nearest(question string, n int, keep func(part int, doc uint32) bool) []Near {
	return m.NearestTo(m.model.Vector(question), n, keep)
}

// NearestTo is Nearest for a vector; there are none for one of another length, and for one of zeros.
func (m *Meaning) NearestTo(v []float32, n int, keep func(part int, doc uint32) bool) []Near {
	if !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		return nil
	}
	found := m.matrix.Nearest(v, n, func(number int) bool { return keep(m.doc(number)) })
	list := make([]Near, len(found))
	for i, f := range found {
		part, doc := m.doc(f.Doc)
		list[i] = Near{part, doc, f.Score}
	}
	return list
}

// Dim returns how many numbers a vector has.
func (m *Meaning) Dim() int { return m.matrix.Dim() }

// doc returns the document with a number.
func (m *Meaning) doc(number int) (part int, doc uint32) {
	for part = len(m.firsts) - 1; m.firsts[part] > number; {
		part--
	}
	return part, uint32(number - m.firsts[part])
}

// maxPairs limits the pairs on which a model is trained.
const maxPairs = 20_000

// trainedModel is the model of a repository.
type trainedModel struct {
	docs  int // how many documents there were when it was trained, or when there was too little to train it
	model *embed.Model
	sum   uint64 // of the bytes that it was read from; 0 if it was not read
}

// isOutgrown reports whether a model is to be trained for so many documents.
func (l trainedModel) isOutgrown(docs int) bool { return docs > 2*l.docs }

func (l trainedModel) bytes() []byte {
	out := binary.AppendUvarint(nil, uint64(l.docs))
	if l.model != nil {
		out = append(out, l.model.Bytes()...)
	}
	return out
}

// sumOf returns a checksum that differs between the bytes of two models.
func sumOf(data []byte) uint64 {
	return uint64(len(data))<<32 | uint64(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

func openTrained(data []byte) trainedModel {
	r := record.Read(data)
	l := trainedModel{docs: int(min(r.Uvarint(), math.MaxInt32)), sum: sumOf(data)}
	if rest := r.Rest(); len(rest) > 0 {
		if model, err := embed.Open(rest); err == nil {
			l.model = model
		} else {
			// A model of another format is trained again.
			l.docs = 0
		}
	}
	return l
}

// training is the training of a model in the background.
type training struct {
	done    chan struct{}
	trained trainedModel
	err     error
}

// startTraining starts to train a model if there is none, or if the code has doubled since; otherwise it returns nil. pairs are
// those of all code if that has just been read, otherwise nil. The caller has the lock.
func (s *Shelf) startTraining(ctx context.Context, shot *Snapshot, pairs *trainingPairs) *training {
	docs := shot.docs()
	// A new model changes all vectors, so it is trained only when the code has doubled.
	if !shot.trained.isOutgrown(docs) {
		return nil
	}
	l := &training{done: make(chan struct{})}
	// Training runs beside the merging of segments, which needs other parts of the machine.
	go func() {
		defer close(l.done)
		if pairs == nil {
			pairs = s.readTrainingPairs(ctx, shot)
		}
		model, err := embed.Train(ctx, pairs.sorted(), embed.Options{})
		if err != nil && !errors.Is(err, embed.ErrTooLittle) {
			l.err = err
			return
		}
		l.trained = trainedModel{docs: docs, model: model}
	}()
	return l
}

// finishTraining waits until the model is trained, stores it and returns it.
func (s *Shelf) finishTraining(ctx context.Context, l *training) (trainedModel, error) {
	<-l.done
	if l.err == nil {
		s.store(ctx, index.Batch{Values: map[index.Key][]byte{{Kind: models, Name: "model"}: l.trained.bytes()}})
	}
	return l.trained, l.err
}

// trainingPairs are the pairs on which a model is trained. If there are too many, a sample is kept that depends on the pairs and not on
// the order in which they were added.
type trainingPairs struct{ list []trainingPair }

// trainingPair is a pair with the place that it comes from.
type trainingPair struct {
	embed.Pair
	path  string
	chunk int
	hash  uint64
}

// trainingPairOf returns the training pair of a chunk with these texts, false if it has none.
func trainingPairOf(path string, number int, c chunk.Chunk, texts []string) (trainingPair, bool) {
	pair, ok := Pair(c, texts)
	if !ok {
		return trainingPair{}, false
	}
	// The sample depends on hashes of the pairs, so that it is the same in whatever order files are read.
	h := fnv.New64a()
	_, _ = h.Write([]byte(path + "\x00" + pair.Text)) // it never fails
	return trainingPair{pair, path, number, h.Sum64()}, true
}

func (l *trainingPairs) add(t trainingPair) {
	l.list = append(l.list, t)
	if len(l.list) >= 2*maxPairs {
		l.cut()
	}
}

func (l *trainingPairs) cut() {
	slices.SortFunc(l.list, func(a, b trainingPair) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.path, b.path), cmp.Compare(a.chunk, b.chunk))
	})
	kept := min(len(l.list), maxPairs)
	// The list would keep the texts of what is cut off alive.
	clear(l.list[kept:])
	l.list = l.list[:kept]
}

// sorted returns the pairs in the order of their places.
func (l *trainingPairs) sorted() []embed.Pair {
	l.cut()
	slices.SortFunc(l.list, func(a, b trainingPair) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.chunk, b.chunk))
	})
	pairs := make([]embed.Pair, len(l.list))
	for i, t := range l.list {
		pairs[i] = t.Pair
	}
	return pairs
}

// readTrainingPairs reads the training pairs of all code of a worktree.
func (s *Shelf) readTrainingPairs(ctx context.Context, shot *Snapshot) *trainingPairs {
	l := &trainingPairs{}
	// Outlines are read in groups, because all of a large repository would not fit in memory.
	for list := range slices.Chunk(shot.Manifest.Searched(), 500) {
		for i, o := range shot.Outlines(ctx, list) {
			if o.IsDocs() || ctx.Err() != nil {
				continue
			}
			text, why := shot.Text(ctx, list[i])
			if why != "" {
				continue
			}
			for n, c := range o.Chunks {
				if c.End > len(text) {
					break
				}
				if t, ok := trainingPairOf(list[i].Path, n, c, Texts(list[i].Path, c, string(text[c.Start:c.End]))); ok {
					l.add(t)
				}
			}
		}
	}
	return l
}

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
	Rules    Rules
	Force    bool                                  // read each file anew
	Progress func(done, total int, current string) // may be nil; calls do not overlap
}

// Refresh returns what the worktree contains now, after indexing what was missing. Errors: those of git and of the
// context.
func (s *Shelf) Refresh(ctx context.Context, r Request) (*Snapshot, Report, error) {
	shot := s.Last(r.Root)
	var before, now *Manifest
	var parts []*Part
	var known trainedModel
	var err error
	if shot != nil {
		before = shot.Manifest
		now, err = UpdateCorpus(ctx, s.Repo, r.Root, r.Rules, before)
		// Nothing has changed, so the snapshot of the last question is the answer.
		if err == nil && now == before && !r.Force {
			return shot, Report{Known: len(shot.files), Saved: true}, ctx.Err()
		}
		parts, known = s.read(ctx, shot.Parts, shot.trained)
	} else {
		before = s.readTree(ctx, r.Root)
		var check sync.WaitGroup
		// Looking at the files takes as long as reading the index, so both are done at once.
		check.Go(func() { now, err = UpdateCorpus(ctx, s.Repo, r.Root, r.Rules, before) })
		parts, known = s.read(ctx, nil, trainedModel{})
		check.Wait()
	}
	if err != nil {
		return nil, Report{}, err
	}
	report := Report{Removed: countRemoved(before, now), Failed: listFailures(now), Saved: true}
	shot, missing := s.snapshot(now, parts, known)
	if r.Force {
		missing = now.Searched()
	}
	if len(missing) > 0 || shot.lacksVectors() {
		if shot, err = s.add(ctx, r, shot, missing, &report); err != nil {
			return nil, report, err
		}
	}
	report.Known = len(shot.files) - report.Indexed
	// The manifest comes last: a search only trusts units of a stored manifest whose segments are there.
	if now != before {
		b := index.Batch{Values: map[index.Key][]byte{{Kind: trees, Name: r.Root}: now.Bytes()}}
		report.Saved = s.store(ctx, b) && report.Saved
	}
	s.keep(r.Root, shot)
	return shot, report, ctx.Err()
}

func countRemoved(before, now *Manifest) int {
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

func listFailures(m *Manifest) []Failure {
	var list []Failure
	for _, f := range m.Files {
		if f.Failed {
			list = append(list, Failure{f.Path, f.Skipped})
		}
	}
	return list
}

// add indexes the files that a snapshot misses once no other process does, and returns what there is then.
func (s *Shelf) add(ctx context.Context, r Request, shot *Snapshot, missing []File, report *Report) (_ *Snapshot, err error) {
	lock, err := lockfile.AcquireWait(ctx, filepath.Join(s.Repo.CommonDir(), "chant", "code.lock"), "index code")
	var unwritable *fs.PathError
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, lock.Release()) }()
	// Nothing can be stored either, so there is nothing to protect.
	case errors.As(err, &unwritable):
	default:
		return nil, err
	}
	now := shot.Manifest
	// While this process waited for the lock, another one may have indexed the same files.
	parts, known := s.read(ctx, shot.Parts, shot.trained)
	if !slices.Equal(parts, shot.Parts) {
		shot, missing = s.snapshot(now, parts, known)
	}
	if r.Force {
		missing = now.Searched()
	}
	a := adder{shelf: s, request: r, long: isLong(now), report: report, total: len(missing)}
	// The pairs are collected while files are read anyway; otherwise they are read only if a model is trained.
	if known.docs == 0 && len(parts) == 0 || r.Force {
		a.pairs = &trainingPairs{}
	}
	if err := a.indexFiles(ctx, missing); err != nil {
		return nil, err
	}
	parts = append(slices.Clone(parts), a.parts...)
	if r.Force {
		known = trainedModel{}
	}
	var lesson *training
	if r.Force || known.isOutgrown(shot.docs()+report.Chunks+report.Snippets) {
		shot, _ = s.snapshot(now, parts, known)
		lesson = s.startTraining(ctx, shot, a.pairs)
	}
	parts, err = s.tidy(ctx, now, parts)
	// The lesson has begun before merging and is waited for in any case, so that it does not outlive the lock.
	if lesson != nil {
		var learnErr error
		known, learnErr = s.finishTraining(ctx, lesson)
		err = errors.Join(err, learnErr)
	}
	if err != nil {
		return nil, err
	}
	shot, _ = s.snapshot(now, parts, known)
	// Vectors are made after merging, so that those of merged parts are made once.
	return shot, s.makeVectors(ctx, shot)
}

func isLong(m *Manifest) bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return len(f.Hash) > 40 })
}
