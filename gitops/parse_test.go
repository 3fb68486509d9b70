package gitops

import (
	"bytes"
	"encoding/hex"
	"testing"

	"chant/gitops/objectstore"

	"github.com/alecthomas/assert/v2"
)

func TestEncodeTree_roundTrip(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("sub.x", "x")
	s.write("sub-x", "x")
	s.git("add", "-A")
	tree := s.git("write-tree")
	entries := must[[]Entry](t)(s.objects.ReadTree(t.Context(), tree))
	raw := must[[]byte](t)(objectstore.EncodeTree(entries))
	_, want, err := s.objects.Read(t.Context(), tree)
	assert.NoError(t, err)
	if !bytes.Equal(raw, want) {
		t.Fatalf("%s\n%s", hex.Dump(raw), hex.Dump(want))
	}
}
