package advice

import (
	"testing"

	"chant/engine/run/train"

	"github.com/alecthomas/assert/v2"
)

// TestPlace_words says where a branch is in the queue, and what it waits for.
func TestPlace_words(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of         Place
		where, why string
	}{
		"landing": {Place{1, train.Landing, nil}, "landing", "it is landing"},
		"next":    {Place{2, train.Passed, nil}, "number 2 in the queue", "it lands next"},
		"one":     {Place{2, train.Checking, []string{"a"}}, "number 2 in the queue", "it waits to land behind a"},
		"many":    {Place{6, train.Failed, []string{"a", "b", "c", "d", "e"}}, "number 6 in the queue", "it waits to land behind a, b, c and 2 more"},
		"held":    {Place{2, train.Held, []string{"a"}}, "held in the queue", "a person holds it in the queue"},
	} {
		assert.Equal(t, c.where, c.of.String(), name)
		assert.Equal(t, c.why, c.of.Why(), name)
	}
}
