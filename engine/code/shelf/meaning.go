package shelf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strconv"
	"sync"

	"chant/engine/code/corpus"
	"chant/engine/code/embed"
	"chant/engine/code/rank"
	"chant/engine/index"
	"chant/engine/packed"
)

// vectors is the kind of the vectors of parts, by their ids: the model's id, and one packed vector for each document.
const vectors = "code-vectors " + version

// mostPairs is how many pairs a model is trained on at most.
const mostPairs = 30_000

// learned is the model of a repository.
type learned struct {
	docs  int // how many documents there were when it was trained, or when there was too little to train it
	model *embed.Model
}

func (l learned) bytes() []byte {
	out := binary.AppendUvarint(nil, uint64(l.docs))
	if l.model != nil {
		out = append(out, l.model.Bytes()...)
	}
	return out
}

func openLearned(data []byte) learned {
	r := packed.Read(data)
	l := learned{docs: int(min(r.Uvarint(), math.MaxInt32))}
	if rest := r.Rest(); len(rest) > 0 {
		if model, err := embed.Open(rest); err == nil {
			l.model = model
		} else {
			l.docs = 0 // it is trained again
		}
	}
	return l
}

// missingVector stands for a vector that was not made yet: its scale is no number.
func missingVector(dim int) []byte {
	return bytes.Repeat([]byte{0xff}, embed.PackedLen(dim))
}

func isMissing(vector []byte) bool {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(vector))
	return scale != scale
}

// row returns the vector of a document; nil if there is none of the model.
func (p *Part) row(model *embed.Model, doc int) []byte {
	size := embed.PackedLen(model.Dim())
	if p.Model != model.ID() || len(p.Vectors) != size*len(p.Docs) {
		return nil
	}
	return p.Vectors[doc*size : (doc+1)*size]
}

// understand trains a model if there is none, or if the code has doubled since, and makes the vectors that the worktree
// lacks. The caller has the lock. pairs are those of all code if that has just been read, otherwise nil.
func (s *Shelf) understand(ctx context.Context, shot *Snapshot, pairs []embed.Pair) error {
	_, chunks, snippets := shot.Count()
	if docs := chunks + snippets; docs > 2*shot.learned.docs {
		if pairs == nil {
			pairs = s.pairs(ctx, shot)
		}
		model, err := embed.Train(ctx, pairs, embed.Options{})
		if err != nil && !errors.Is(err, embed.ErrTooLittle) {
			return err
		}
		shot.learned = learned{docs: docs, model: model}
		s.store(ctx, index.Batch{Values: map[index.Key][]byte{{Kind: models, Name: "model"}: shot.learned.bytes()}})
	}
	if shot.learned.model == nil {
		return nil
	}
	for n := range shot.Parts {
		if err := s.vectorsOf(ctx, shot, n); err != nil {
			return err
		}
	}
	return nil
}

// pairs reads what all code of a worktree teaches.
func (s *Shelf) pairs(ctx context.Context, shot *Snapshot) []embed.Pair {
	var pairs []embed.Pair
	files := shot.Manifest.Searched()
	for i, o := range shot.Outlines(ctx, files) {
		if o.IsDocs() || len(pairs) >= mostPairs || ctx.Err() != nil {
			continue
		}
		text, why := shot.Text(ctx, files[i])
		if why != "" {
			continue
		}
		for _, c := range o.Chunks {
			if c.End > len(text) {
				break
			}
			if pair, ok := rank.Pair(files[i].Path, c, string(text[c.Start:c.End])); ok {
				pairs = append(pairs, pair)
			}
		}
	}
	return pairs
}

// vectorsOf makes the vectors that the documents of a part lack, as far as these belong to the worktree.
func (s *Shelf) vectorsOf(ctx context.Context, shot *Snapshot, n int) error {
	model, part := shot.learned.model, shot.Parts[n]
	missing := map[int32][]int{} // documents by their files
	for i, file := range shot.live[n] {
		if row := part.row(model, i); file >= 0 && !part.Docs[i].Empty && (row == nil || isMissing(row)) {
			missing[file] = append(missing[file], i)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	size := embed.PackedLen(model.Dim())
	all := part.Vectors
	if part.Model != model.ID() || len(all) != size*len(part.Docs) {
		all = bytes.Repeat(missingVector(model.Dim()), len(part.Docs))
	} else {
		all = bytes.Clone(all)
	}
	var files []corpus.File
	var docs [][]int
	for file, list := range missing {
		files, docs = append(files, shot.Manifest.Files[file]), append(docs, list)
	}
	outlines := shot.Outlines(ctx, files)
	var group sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		group.Go(func() {
			for i := core; i < len(files) && ctx.Err() == nil; i += cores {
				text, why := shot.Text(ctx, files[i])
				for _, doc := range docs[i] {
					var v []float32
					if chunk := part.Docs[doc].Chunk; why == "" && chunk < len(outlines[i].Chunks) && outlines[i].Chunks[chunk].End <= len(text) {
						c := outlines[i].Chunks[chunk]
						v = model.Vector(rank.Embedded(rank.Texts(files[i].Path, c, string(text[c.Start:c.End]))))
					}
					if v == nil {
						v = make([]float32, model.Dim())
					}
					copy(all[doc*size:], embed.Pack(v))
				}
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	own := *part // other snapshots use the part
	own.Model, own.Vectors = model.ID(), all
	shot.Parts[n] = &own
	if part.ID > 0 {
		name := index.Key{Kind: vectors, Name: strconv.FormatInt(part.ID, 10)}
		s.store(ctx, index.Batch{Values: map[index.Key][]byte{name: packVectors(own.Model, all)}})
	}
	return nil
}

// lacks reports whether a document of the worktree has no vector although there is a model.
func (s *Snapshot) lacks() bool {
	model := s.learned.model
	if model == nil {
		return false
	}
	for n, part := range s.Parts {
		for i, file := range s.live[n] {
			if file < 0 || part.Docs[i].Empty {
				continue
			}
			if row := part.row(model, i); row == nil || isMissing(row) {
				return true
			}
		}
	}
	return false
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
	Model  *embed.Model
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
	docs := 0
	for _, p := range s.Parts {
		docs += len(p.Docs)
	}
	m := &Meaning{Model: model, matrix: embed.NewMatrix(model.Dim(), docs)}
	zero := embed.Pack(make([]float32, model.Dim()))
	for _, p := range s.Parts {
		m.firsts = append(m.firsts, m.matrix.Len())
		for i := range p.Docs {
			row := p.row(model, i)
			if row == nil || isMissing(row) || !m.matrix.AddPacked(row) {
				m.matrix.AddPacked(zero)
			}
		}
	}
	s.meaning = m
	return m
}

// Scores returns how similar each document is to a question, from -1 to 1, in the order of Near; nil if the question has no
// word that the model knows.
func (m *Meaning) Scores(question string) []float32 {
	v := m.Model.Vector(question)
	if v == nil {
		return nil
	}
	return m.matrix.Scores(v)
}

// Number returns the number of a document among the scores.
func (m *Meaning) Number(part int, doc uint32) int { return m.firsts[part] + int(doc) }

// Doc returns the document with a number.
func (m *Meaning) Doc(number int) (part int, doc uint32) {
	for part = len(m.firsts) - 1; m.firsts[part] > number; {
		part--
	}
	return part, uint32(number - m.firsts[part])
}
