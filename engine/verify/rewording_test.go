package verify

import (
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestRewordings(t *testing.T) {
	t.Parallel()
	was := versionOf(t, "status: completed", "# Dates\n\nParse dates.\n\n## Acceptance Criteria\n\n- [x] It parses ISO `$ test 1`\n- [ ] It is fast\n- [x] It has a guide\n\n## Notes\n\nNone.\n")
	boxes := versionOf(t, "status: completed\nverification_status: passed", "# Dates\n\nParse\ndates.\n\n## Acceptance Criteria\n\n- [ ] It has a guide\n- [x] It parses ISO `$ test 1`\n- [x] It is fast\n\n## Notes\n\nNone.\n")
	assert.Zero(t, Rewordings(was, boxes))
	now := versionOf(t, "", "# Dates\n\nParse dates and times.\n\n## Acceptance Criteria\n\n- [x] It has no logs\n- [x] It parses ISO `$ test 2`\n- [x] It has a guide\n\n## Notes\n\nNone.\n")
	assert.Equal(t, []Rewording{
		{"criterion", 1, AddedNow, "{+It has no logs+}"},
		{"criterion", 2, Reworded, "It parses ISO `$ test [-1`-] {+2`+}"},
		{"criterion", 2, Removed, "[-It is fast-]"},
		{"text", 0, Reworded, "# Dates Parse [-dates.-] {+dates and times.+} ## Notes None."},
	}, Rewordings(was, now))
}

func versionOf(t *testing.T, front, body string) *spec.File {
	t.Helper()
	s, err := spec.Parse("x", "x.md", []byte("---\n"+strings.TrimSpace(front)+"\n---\n"+body))
	assert.NoError(t, err)
	return s
}
