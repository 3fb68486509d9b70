package shelf

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/code/embed"
	"chant/engine/code/rank"
	"chant/engine/store/index"
	"chant/engine/store/packed"
)

// mostPairs is how many pairs a model is trained on at most.
const mostPairs = 20_000

// learned is the model of a repository.
type learned struct {
	docs  int // how many documents there were when it was trained, or when there was too little to train it
	model *embed.Model
	sum   uint64 // of the bytes that it was read from; 0 if it was not read
}

// isOutgrown reports whether a model is to be trained for so many documents.
func (l learned) isOutgrown(docs int) bool { return docs > 2*l.docs }

func (l learned) bytes() []byte {
	out := binary.AppendUvarint(nil, uint64(l.docs))
	if l.model != nil {
		out = append(out, l.model.Bytes()...)
	}
	return out
}

// sumOf tells the bytes of one model from those of another.
func sumOf(data []byte) uint64 {
	return uint64(len(data))<<32 | uint64(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
}

func openLearned(data []byte) learned {
	r := packed.Read(data)
	l := learned{docs: int(min(r.Uvarint(), math.MaxInt32)), sum: sumOf(data)}
	if rest := r.Rest(); len(rest) > 0 {
		if model, err := embed.Open(rest); err == nil {
			l.model = model
		} else {
			l.docs = 0 // it is trained again
		}
	}
	return l
}

// lesson is the training of a model while other things are done.
type lesson struct {
	done    chan struct{}
	learned learned
	err     error
}

// teach starts to train a model if there is none, or if the code has doubled since; otherwise it returns nil. pairs are
// those of all code if that has just been read, otherwise nil. The caller has the lock.
func (s *Shelf) teach(ctx context.Context, shot *Snapshot, pairs *lessons) *lesson {
	docs := shot.docs()
	if !shot.learned.isOutgrown(docs) {
		return nil
	}
	l := &lesson{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		if pairs == nil {
			pairs = s.lessons(ctx, shot)
		}
		model, err := embed.Train(ctx, pairs.all(), embed.Options{})
		if err != nil && !errors.Is(err, embed.ErrTooLittle) {
			l.err = err
			return
		}
		l.learned = learned{docs: docs, model: model}
	}()
	return l
}

// wait waits until the model is trained, stores it and returns it.
func (s *Shelf) wait(ctx context.Context, l *lesson) (learned, error) {
	<-l.done
	if l.err == nil {
		s.store(ctx, index.Batch{Values: map[index.Key][]byte{{Kind: models, Name: "model"}: l.learned.bytes()}})
	}
	return l.learned, l.err
}

// lessons are the pairs that code teaches. If there are too many, a sample is kept that depends on the pairs and not on
// the order in which they were added.
type lessons struct{ list []taught }

// taught is a pair with the place that it comes from.
type taught struct {
	embed.Pair
	path  string
	chunk int
	hash  uint64
}

// taughtBy returns what a chunk with these texts teaches, false if it does not.
func taughtBy(path string, number int, c chunk.Chunk, texts []string) (taught, bool) {
	pair, ok := rank.Pair(c, texts)
	if !ok {
		return taught{}, false
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(path + "\x00" + pair.Text)) // it never fails
	return taught{pair, path, number, h.Sum64()}, true
}

func (l *lessons) add(t taught) {
	l.list = append(l.list, t)
	if len(l.list) >= 2*mostPairs {
		l.cut()
	}
}

func (l *lessons) cut() {
	slices.SortFunc(l.list, func(a, b taught) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), strings.Compare(a.path, b.path), cmp.Compare(a.chunk, b.chunk))
	})
	kept := min(len(l.list), mostPairs)
	clear(l.list[kept:]) // their texts
	l.list = l.list[:kept]
}

// all returns the pairs in the order of their places.
func (l *lessons) all() []embed.Pair {
	l.cut()
	slices.SortFunc(l.list, func(a, b taught) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.chunk, b.chunk))
	})
	pairs := make([]embed.Pair, len(l.list))
	for i, t := range l.list {
		pairs[i] = t.Pair
	}
	return pairs
}

// lessons reads what all code of a worktree teaches.
func (s *Shelf) lessons(ctx context.Context, shot *Snapshot) *lessons {
	l := &lessons{}
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
				if t, ok := taughtBy(list[i].Path, n, c, rank.Texts(list[i].Path, c, string(text[c.Start:c.End]))); ok {
					l.add(t)
				}
			}
		}
	}
	return l
}
