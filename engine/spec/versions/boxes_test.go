package versions

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestMergeBoxes merges a changed criterion with the same criterion, ticked, and checks that no other box is ticked.
func TestMergeBoxes(t *testing.T) {
	t.Parallel()
	const head = "---\nstatus: pending\n---\n# T\n\n## Acceptance Criteria\n\n"
	for name, tc := range map[string]struct {
		base, ours, theirs, want string // criteria; want "" for a conflict
	}{
		"ticked there": {"- [ ] old\n", "- [ ] new\n", "- [x] new\n", "- [x] new\n"},
		"ticked here":  {"- [ ] old\n", "- [x] new\n", "- [ ] new\n", "- [x] new\n"},
		"not alike":    {"- [ ] old\n", "- [ ] new\n", "- [x] newer\n", ""},
		"old, ticked":  {"- [ ] old\n", "- [ ] new\n", "- [x] old\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			merged, conflicts, err := Merge("s.md", []byte(head+tc.base), []byte(head+tc.ours), []byte(head+tc.theirs),
				MergeBoxes(func(base, ours, theirs []byte) ([]byte, bool, error) {
					out, ok := oneSided([3][]byte{base, ours, theirs})
					return out, !ok, nil
				}))
			assert.NoError(t, err, "%v", conflicts)
			assert.Equal(t, tc.want == "", len(conflicts) > 0, "%v", conflicts)
			assert.False(t, tc.want != "" && string(merged) != head+tc.want, "got\n%s", merged)
		})
	}
}
