package shelf

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"io"
	"os"

	"chant/engine/code/exact"
	"chant/engine/store/index"
)

// Kinds of facts: one value for each content of all Go files, and for each worktree the name of that which it has.
const (
	facts    = "code-facts " + version
	factsNow = "code-facts-now " + version
)

// Facts returns what is stored about the Go files whose contents have a key; nil if nothing is.
func (s *Snapshot) Facts(ctx context.Context, key string) *exact.Facts {
	var found *exact.Facts
	x := s.shelf.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		values, _ := v.Values(facts, key)
		data, ok := values[key]
		if !ok {
			return
		}
		text, ok := inflate(data)
		if ok {
			found, ok = exact.Open(text)
		}
		if !ok {
			found = nil
			v.ReportBroken()
		}
	})
	return found
}

// StoreFacts stores facts under a key, and removes those that no worktree has any longer.
func (s *Snapshot) StoreFacts(ctx context.Context, key string, f *exact.Facts) {
	data, err := deflate(f.Bytes())
	if err != nil {
		return // the next process finds them anew
	}
	b := index.Batch{Values: map[index.Key][]byte{{Kind: facts, Name: key}: data, {Kind: factsNow, Name: s.Manifest.Root}: []byte(key)}}
	x := s.shelf.Open(ctx)
	x.View(ctx, func(v *index.View) {
		roots, _ := v.ValueNames(factsNow)
		stored, ok := v.ValueNames(facts)
		keys, ok2 := v.Values(factsNow, roots...)
		if !ok || !ok2 {
			return
		}
		used := map[string]bool{key: true}
		// Facts of a worktree that is gone would never be asked for again.
		for _, root := range roots {
			if _, err := os.Lstat(root); errors.Is(err, os.ErrNotExist) {
				b.Values[index.Key{Kind: factsNow, Name: root}] = nil
			} else if root != s.Manifest.Root {
				used[string(keys[root])] = true
			}
		}
		for _, name := range stored {
			if !used[name] {
				b.Values[index.Key{Kind: facts, Name: name}] = nil
			}
		}
	})
	x.Close()
	s.shelf.store(ctx, b)
}

func deflate(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// maxFacts limits the bytes of facts.
const maxFacts = 256 << 20

func inflate(data []byte) ([]byte, bool) {
	// Broken data could unpack to any size.
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxFacts))
	return text, err == nil
}
