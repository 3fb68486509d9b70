package fileset

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestDriftedEntries_neitherThenNorAtLanding: an entry has drifted if its content differs both from that at completion
// and from that after landing. Only content counts.
func TestDriftedEntries_neitherThenNorAtLanding(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		completed, landed, now Digests
		want                   []string
	}{
		"as completed":         {Digests{{"a", "1"}}, Digests{{"a", "2"}}, Digests{{"a", "1"}}, nil},
		"as landed":            {Digests{{"a", "1"}}, Digests{{"a", "2"}}, Digests{{"a", "2"}}, nil},
		"as neither":           {Digests{{"a", "1"}}, Digests{{"a", "2"}}, Digests{{"a", "3"}}, []string{"a"}},
		"matches gone":         {Digests{{"a", "1"}}, Digests{{"a", "1"}}, Digests{{"a", NoFiles}}, []string{"a"}},
		"matches came":         {Digests{{"a", NoFiles}}, nil, Digests{{"a", "1"}}, []string{"a"}},
		"one of two":           {Digests{{"a", "1"}, {"b", "1"}}, nil, Digests{{"a", "1"}, {"b", "2"}}, []string{"b"}},
		"no digest kept":       {nil, nil, Digests{{"a", "1"}}, []string{"a"}},
		"no digest, as landed": {nil, Digests{{"a", "1"}}, Digests{{"a", "1"}}, nil},
		"an entry that is new": {Digests{{"a", "1"}}, Digests{{"a", "1"}, {"b", "2"}}, Digests{{"a", "1"}, {"b", "2"}}, nil},
	} {
		assert.Equal(t, c.want, DriftedEntries(c.completed, c.landed, c.now), "%s", name)
	}
}

func TestChanges_nameFilesOnce(t *testing.T) {
	t.Parallel()
	was := Tree{{"docs/a.md", "1"}, {"docs/b.md", "1"}, {"other", "1"}}
	now := Tree{{"docs/a.md", "2"}, {"docs/c.md", "1"}, {"other", "2"}}
	got := Changes("x", []string{"docs", "docs/*.md"}, was, now)
	assert.Equal(t, []FileChange{{"docs/a.md", "changed"}, {"docs/b.md", "removed"}, {"docs/c.md", "added"}}, got)
}
