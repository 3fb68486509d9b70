package shelf

import (
	"fmt"
	"testing"
)

// TestRecent keeps what was added last, and no more than there is room for.
func TestRecent(t *testing.T) {
	t.Parallel()
	var r recent
	if r.get("none") != nil {
		t.Error("nothing was added")
	}
	data := make([]byte, maxRecent/100)
	for i := range 1000 {
		name := fmt.Sprint(i)
		data[0] = byte(i)
		r.add(name, data)
		r.add(name, data)
		if got := r.get(name); len(got) != len(data) || got[0] != byte(i) {
			t.Fatalf("%d bytes of the last are kept", len(got))
		}
		sum := 0
		for _, kept := range r.of {
			sum += len(kept)
		}
		if sum != r.size || sum > maxRecent || i >= 100 && sum < maxRecent-2*len(data) {
			t.Fatalf("%d bytes are kept, counted as %d", sum, r.size)
		}
	}
	if r.add("large", make([]byte, maxRecent/2)); r.get("large") != nil || len(r.of) < 98 {
		t.Error("a large one replaces many")
	}
}
