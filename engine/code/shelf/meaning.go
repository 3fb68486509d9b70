package shelf

import (
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"chant/engine/code/embed"
	"chant/engine/store/index"
	"chant/engine/store/packed"
)

// vectors is the kind of the vectors of parts, by their ids: the model's id, and one packed vector for each document.
const vectors = "code-vectors 2"

// isUnderstood reports whether a part has the vectors of a model.
func (p *Part) isUnderstood(model *embed.Model) bool {
	return p.Model == model.ID() && len(p.Vectors) == embed.PackedLen(model.Dim())*len(p.Docs)
}

// lacks reports whether a part has no vectors although there is a model.
func (s *Snapshot) lacks() bool {
	model := s.learned.model
	return model != nil && slices.ContainsFunc(s.Parts, func(p *Part) bool { return !p.isUnderstood(model) })
}

// understand makes the vectors that parts lack. The caller has the lock.
func (s *Shelf) understand(ctx context.Context, shot *Snapshot) error {
	model := shot.learned.model
	if model == nil {
		return nil
	}
	for n, part := range shot.Parts {
		if part.isUnderstood(model) {
			continue
		}
		own := *part // other snapshots use the part
		rows, err := vectorsOf(ctx, model, part)
		if err != nil {
			return err
		}
		own.Model, own.Vectors = model.ID(), rows
		shot.Parts[n] = &own
		if part.ID > 0 {
			name := index.Key{Kind: vectors, Name: strconv.FormatInt(part.ID, 10)}
			s.store(ctx, index.Batch{Values: map[index.Key][]byte{name: packVectors(own.Model, rows)}})
		}
	}
	return nil
}

// mostSums is of how many documents all cores together make the vectors at once: the more, the fewer times postings are
// read, and the more memory is needed, 512 bytes for each.
const mostSums = 1 << 17

// vectorsOf makes the vectors of a part from its segment, which knows the words of each document: no file is read.
func vectorsOf(ctx context.Context, model *embed.Model, part *Part) ([]byte, error) {
	docs, size := len(part.Docs), embed.PackedLen(model.Dim())
	rows := make([]byte, docs*size)
	cores := runtime.GOMAXPROCS(0)
	per := max(1, min(mostSums/cores, (docs+cores-1)/cores))
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
	r := packed.Read(data)
	model := string(r.Text())
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

// Understood reports whether there is a model.
func (s *Snapshot) Understood() bool { return s.learned.model != nil }

// Meaning returns what compares meanings; nil if nothing was learned.
func (s *Snapshot) Meaning() *Meaning {
	s.mu.Lock()
	defer s.mu.Unlock()
	model := s.learned.model
	if model == nil || s.meaning != nil {
		return s.meaning
	}
	m := &Meaning{model: model, matrix: embed.NewMatrix(model.Dim())}
	for _, p := range s.Parts {
		m.firsts = append(m.firsts, m.matrix.Len())
		if !p.isUnderstood(model) || !m.matrix.Add(p.Vectors) {
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
