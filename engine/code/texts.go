package code

import (
	"context"
	"sync"

	"chant/engine/code/shelf"
)

// texts are the contents of files of which a search shows pieces, one after the other in memory that the next search
// uses again: they are most of what a search reads, and only small parts of them are shown.
type texts struct {
	shot  *shelf.Snapshot
	of    map[string][]byte // by their paths
	space []byte
}

// spareTexts has those that no search uses.
var spareTexts sync.Pool

func takeTexts(shot *shelf.Snapshot) *texts {
	t, ok := spareTexts.Get().(*texts)
	if !ok {
		// The size is that of the files that a usual search shows pieces of.
		t = &texts{of: map[string][]byte{}, space: make([]byte, 0, 512<<10)}
	}
	t.shot = shot
	return t
}

// giveBack ends the use of all contents.
func (t *texts) giveBack() {
	clear(t.of)
	// The pool must not keep a snapshot alive.
	t.shot, t.space = nil, t.space[:0]
	spareTexts.Put(t)
}

// read reads a file, once. The content of one that cannot be read is empty.
func (t *texts) read(ctx context.Context, f shelf.File) {
	if _, ok := t.of[f.Path]; ok || ctx.Err() != nil {
		return
	}
	text, _ := t.shot.TextIn(ctx, f, t.space)
	t.of[f.Path] = text
	if n := len(t.space) + len(text); len(text) > 0 && n <= cap(t.space) && &t.space[:n][n-1] == &text[len(text)-1] {
		// A file that was larger than the rest of the space is elsewhere, as is one that git had.
		t.space = t.space[:n]
	}
}
