package gitops

import (
	"fmt"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestConflictError(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 11 {
		many = append(many, fmt.Sprint(i))
	}
	for want, e := range map[string]*ConflictError{
		`local changes to "a b é.txt" are in the way`:                                       {Files: []string{"a b é.txt"}, Msg: "m"},
		`local changes to "a.txt", "b.txt" are in the way`:                                  {Op: "fast-forward", Files: []string{"a.txt", "b.txt"}},
		`local changes to "0", "1", "2", "3", "4", "5", "6", "7" are in the way`:            {Files: many[:8]},
		`local changes to "0", "1", "2", "3", "4", "5", "6", "7" and 3 more are in the way`: {Files: many},
		`a merge is under way in "/r"`:                                                      {Op: "fast-forward", Msg: `a merge is under way in "/r"`},
	} {
		assert.Equal(t, want, e.Error())
	}
}
