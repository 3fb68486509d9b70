package shelf_test

import (
	"testing"

	"chant/engine/code/shelf"

	"github.com/alecthomas/assert/v2"
)

// TestPieces are the chunks of outlines, whether these are stored or not; what does not exist is nil.
func TestPieces(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, stored := range []bool{true, false} {
		shot, _, err := s.open(s.dir, stored).Refresh(t.Context(), shelf.Request{Root: s.dir})
		assert.NoError(t, err)
		files := shot.Manifest.Searched()
		var wanted []shelf.Wanted
		var want []*shelf.Piece
		for i, o := range shot.Outlines(t.Context(), files) {
			assert.NotEqual(t, 0, len(o.Chunks), "%s has no chunks", files[i].Path)
			for n := len(o.Chunks); n >= 0; n-- { // in another order, and one too many
				wanted = append(wanted, shelf.Wanted{File: files[i], Chunk: n})
				if n == len(o.Chunks) {
					want = append(want, nil)
					continue
				}
				want = append(want, &shelf.Piece{Chunk: o.Chunks[n], Language: o.Language})
			}
		}
		gone := files[0]
		gone.Path, gone.Hash = "gone.go", "0000000000000000000000000000000000000000"
		wanted, want = append(wanted, shelf.Wanted{File: gone}), append(want, nil)
		got := shot.Pieces(t.Context(), wanted)
		assert.Equal(t, want, got, "stored %t", stored)
	}
}
