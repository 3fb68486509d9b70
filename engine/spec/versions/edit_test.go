package versions

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCarryEdit applies an edit of one copy of a spec to another copy.
func TestCarryEdit(t *testing.T) {
	t.Parallel()
	const home = "---\nstatus: pending\nlabels: [a]\n---\n# T\n\none\ntwo\n\n## Acceptance Criteria\n\n- [ ] x\n"
	const branch = "---\nstatus: failed\nlabels: [a]\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\none\ntwo, says the agent\n\n## Acceptance Criteria\n\n- [x] x\nagent\n"
	for name, tc := range map[string]struct {
		edited, want string
		conflicts    []string
	}{
		"nothing":                 {branch, home, nil},
		"what chant notes":        {"---\nstatus: in_progress\nlabels: [a]\nlast_verified: x\napproval: {status: approved}\n---\n# T\n\none\ntwo, says the agent\n\n## Acceptance Criteria\n\n- [ ] x\nagent\n", home, nil},
		"a key":                   {"---\nstatus: failed\nlabels: [a, b]\nmodel: m\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\none\ntwo, says the agent\n\n## Acceptance Criteria\n\n- [x] x\nagent\n", "---\nstatus: pending\nlabels: [a, b]\nmodel: m\n---\n# T\n\none\ntwo\n\n## Acceptance Criteria\n\n- [ ] x\n", nil},
		"a line behind the agent": {branch + "mine\n", home + "mine\n", nil},
		"a line before it":        {"---\nstatus: failed\nlabels: [a]\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\nmine\none\ntwo, says the agent\n\n## Acceptance Criteria\n\n- [x] x\nagent\n", "---\nstatus: pending\nlabels: [a]\n---\n# T\n\nmine\none\ntwo\n\n## Acceptance Criteria\n\n- [ ] x\n", nil},
		"a criterion":             {"---\nstatus: failed\nlabels: [a]\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\none\ntwo, says the agent\n\n## Acceptance Criteria\n\n- [x] y\nagent\n", "---\nstatus: pending\nlabels: [a]\n---\n# T\n\none\ntwo\n\n## Acceptance Criteria\n\n- [ ] y\n", nil},
		"without the agent's":     {"---\nstatus: failed\nlabels: [a]\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\none\n\n## Acceptance Criteria\n\n- [x] x\n", home, nil},
		"without a line":          {"---\nstatus: failed\nlabels: [a]\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\ntwo, says the agent\n\n## Acceptance Criteria\n\n- [x] x\nagent\n", "---\nstatus: pending\nlabels: [a]\n---\n# T\n\ntwo\n\n## Acceptance Criteria\n\n- [ ] x\n", nil},
		"what the agent wrote":    {"---\nstatus: failed\nlabels: [a, b]\nreason: it broke\nretry_state: {attempts: 1}\n---\n# T\n\none\ntwo, mine\n\n## Acceptance Criteria\n\n- [x] x\nagent\n", "---\nstatus: pending\nlabels: [a, b]\n---\n# T\n\none\ntwo\n\n## Acceptance Criteria\n\n- [ ] x\n", []string{"body"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, conflicts, err := CarryEdit("s.md", []byte(home), []byte(branch), []byte(tc.edited))
			assert.NoError(t, err)
			assert.Equal(t, tc.want, string(got))
			assert.Equal(t, tc.conflicts, conflicts)
		})
	}
}

// TestCarryHomeEdit applies an edit of home's copy to the copy of a run.
func TestCarryHomeEdit(t *testing.T) {
	t.Parallel()
	const home = "---\nstatus: pending\n---\n# T\n\none\ntwo\n\n## Acceptance Criteria\n\n- [ ] x\n- [ ] y\n"
	const run = "---\nstatus: failed\nreason: it broke\n---\n# T\n\none\ntwo\nagent\n\n## Acceptance Criteria\n\n- [x] x\n- [ ] y\n"
	for name, tc := range map[string]struct {
		before, after string // in home, what was replaced
		old, new      string // in the run's copy, what has to be
		conflicts     []string
	}{
		"nothing":               {"", "", "", "", nil},
		"a line":                {"one\n", "1\n", "one\n", "1\n", nil},
		"a box":                 {"[ ] y", "[x] y", "[ ] y", "[x] y", nil},
		"a box ticked there":    {"[ ] x", "[x] x", "", "", nil},
		"what was ticked there": {"[ ] x", "[ ] z", "[x] x", "[ ] z", nil},
		"the same line":         {"two\n", "two\nagent\n", "", "", nil},
		"what was added there":  {"two\n", "two\nperson\n", "agent\n", "person\nagent\n", nil},
		"a status":              {"status: pending", "status: completed", "", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			edited := strings.Replace(home, tc.before, tc.after, 1)
			got, conflicts, err := CarryHomeEdit("s.md", []byte(run), []byte(home), []byte(edited))
			want := strings.Replace(run, tc.old, tc.new, 1)
			assert.NoError(t, err)
			assert.Equal(t, want, string(got))
			assert.Equal(t, tc.conflicts, conflicts)
			again, conflicts, err := CarryHomeEdit("s.md", got, []byte(home), []byte(edited))
			assert.NoError(t, err, "again: %v", conflicts)
			assert.Equal(t, want, string(again), "again: %v", conflicts)
			assert.Zero(t, conflicts, "again: %v", conflicts)
		})
	}
	other := strings.Replace(home, "one\n", "uno\n", 1)
	got, conflicts, err := CarryHomeEdit("s.md", []byte(other), []byte(home), []byte(strings.Replace(home, "one\n", "1\n", 1)))
	assert.NoError(t, err)
	assert.Equal(t, []string{"body"}, conflicts)
	assert.Equal(t, other, string(got))
}

// FuzzCarryLines checks that an edit applied to the text from which it was made gives the edited text.
func FuzzCarryLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\nd\n")
	f.Add("", "a\n")
	f.Add("a\na\nb\na\n", "b\na\na\n")
	f.Fuzz(func(t *testing.T, base, edited string) {
		got, clash := carryLines([]byte(base), []byte(base), []byte(edited))
		want := slices.Concat(linesOf([]byte(edited))...)
		assert.False(t, clash, "%v, %q, want %q", clash, got, want)
		assert.Equal(t, string(want), string(got))
	})
}
