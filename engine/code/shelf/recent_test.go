package shelf

import (
	"fmt"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRecent keeps what was added last, and no more than there is room for.
func TestRecent(t *testing.T) {
	t.Parallel()
	var r recent
	assert.True(t, r.get("none") == nil, "nothing was added")
	data := make([]byte, maxRecent/100)
	for i := range 1000 {
		name := fmt.Sprint(i)
		data[0] = byte(i)
		r.add(name, data)
		r.add(name, data)
		got := r.get(name)
		assert.Equal(t, len(data), len(got))
		assert.Equal(t, byte(i), got[0])
		sum := 0
		for _, kept := range r.of {
			sum += len(kept)
		}
		assert.Equal(t, r.size, sum)
		assert.True(t, sum <= maxRecent, "%d bytes are kept, counted as %d", sum, r.size)
		assert.False(t, i >= 100 && sum < maxRecent-2*len(data), "%d bytes are kept, counted as %d", sum, r.size)
	}
	if r.add("large", make([]byte, maxRecent/2)); r.get("large") != nil || len(r.of) < 98 {
		t.Error("a large one replaces many")
	}
}
