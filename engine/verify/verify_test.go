package verify

import (
	"errors"
	"testing"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// specOf parses a spec.
func specOf(t *testing.T, id, front, body string) *spec.File {
	t.Helper()
	s, err := spec.Parse(id, ".chant/specs/"+id+".md", []byte("---\n"+front+"---\n"+body))
	assert.NoError(t, err)
	return s
}

const (
	ran = criteria.ByRunning
	box = criteria.ByBox
)

func TestCountBoxes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body      string
		total     int
		checked   int
		verified  bool
		notes     string
		unchecked string
	}{
		"no criteria":         {"# A\n\n- [ ] elsewhere\n", 0, 0, false, "nothing to verify", ""},
		"all ticked":          {"# A\n\n## Acceptance Criteria\n\n- [x] one\n- [X] two\n", 2, 2, true, "All acceptance criteria met", ""},
		"one open":            {"# A\n\n## Acceptance Criteria\n\n- [x] one\n- [ ] two\n", 2, 1, false, "1 criteria not yet checked", "- [ ] two"},
		"a command is a box":  {"# A\n\n## Acceptance Criteria\n\n- [x] one `$ false`\n", 1, 1, true, "All acceptance criteria met", ""},
		"not a criterion":     {"# A\n\n## Acceptance Criteria\n\n- plain\n", 0, 0, false, "nothing to verify", ""},
		"of another section":  {"# A\n\n## Notes\n\n- [ ] x\n\n## Acceptance Criteria\n\n- [x] one\n", 1, 1, true, "All acceptance criteria met", ""},
		"none of them ticked": {"# A\n\n## Acceptance Criteria\n\n- [ ] one\n", 1, 0, false, "1 criteria not yet checked", "- [ ] one"},
	} {
		r := countBoxes(specOf(t, "2026-01-02-001-abc", "status: pending\n", c.body))
		assert.Equal(t, c.total, r.Criteria.Total, "%s", name)
		assert.Equal(t, c.checked, r.Criteria.Checked, "%s", name)
		assert.Equal(t, c.total-c.checked, r.Criteria.Unchecked, "%s", name)
		assert.Equal(t, c.verified, r.Verified, "%s", name)
		assert.Equal(t, c.notes, r.Notes, "%s", name)
		assert.True(t, r.Unchecked != nil, "%s: %v, %q, %q", name, r.Verified, r.Notes, r.Unchecked)
		assert.Equal(t, c.total-c.checked, len(r.Unchecked), "%s", name)
		assert.False(t, c.unchecked != "" && r.Unchecked[0] != c.unchecked, "%s: %q", name, r.Unchecked)
	}
}

// A failure of verification becomes a result; any other error is returned.
func TestResultOf(t *testing.T) {
	t.Parallel()
	s := specOf(t, "2026-01-02-001-abc", "status: completed\n", "# A\n")
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	verdicts := []criteria.Verdict{{ID: "a", Number: 1, Text: "one", How: ran, Holds: true}, {ID: "b", Number: 2, Text: "two", How: ran, Why: "exit code 1"}}
	broken := errors.New("disk full")
	for name, c := range map[string]struct {
		verdicts []criteria.Verdict
		err      error
		status   criteria.Status
		verified bool
		notes    string
		wantErr  bool
	}{
		"all hold":            {verdicts[:1], nil, criteria.Passed, true, "All acceptance criteria met", false},
		"one fails":           {verdicts, nil, criteria.Failed, false, "1 criterion of 2 does not hold", false},
		"none":                {nil, nil, criteria.Nothing, false, "nothing to verify", false},
		"the tree was spoilt": {verdicts[:1], &journal.Failure{Kind: spec.ReasonSpoiled, Message: "it changed a.txt"}, criteria.Failed, false, "it changed a.txt", false},
		"the set-up failed":   {verdicts[:1], &journal.Failure{Kind: spec.ReasonSetup, Message: "npm"}, criteria.Passed, true, "", true},
		"the disk is full":    {nil, broken, criteria.Nothing, false, "", true},
	} {
		r, err := resultOf(s, criteria.Report{At: at, Commit: "c", Tree: "t", Criteria: c.verdicts}, c.err)
		if (err != nil) != c.wantErr {
			t.Errorf("%s: %v", name, err)
			continue
		}
		assert.Equal(t, s.ID, r.SpecID, "%s", name)
		assert.Equal(t, s.Path, r.Path, "%s", name)
		assert.Equal(t, "c", r.Commit, "%s", name)
		assert.Equal(t, "t", r.Tree, "%s", name)
		assert.True(t, r.At.Equal(at), "%s: %+v", name, r)
		assert.Equal(t, c.status, r.Status, "%s", name)
		assert.Equal(t, c.verified, r.Verified, "%s", name)
		assert.False(t, c.notes != "" && r.Notes != c.notes, "%s: %s, %v, %q", name, r.Status, r.Verified, r.Notes)
	}
}

// OnlyWithoutEvidence is true only if missing evidence is the only doubt and everything passed.
func TestOnlyWithoutEvidence(t *testing.T) {
	t.Parallel()
	good := []criteria.Verdict{{How: ran, Holds: true}}
	for name, c := range map[string]struct {
		r    VerifyResult
		want bool
	}{
		"believed":                 {VerifyResult{Verdicts: good}, false},
		"no evidence":              {VerifyResult{Verdicts: good, NoEvidence: true, Forged: []string{"x"}}, true},
		"no evidence, and more":    {VerifyResult{Verdicts: good, NoEvidence: true, Forged: []string{"x", "y"}}, false},
		"other doubts":             {VerifyResult{Verdicts: good, Forged: []string{"no evidence was recorded for its completion"}}, false},
		"no evidence, box open":    {VerifyResult{Verdicts: []criteria.Verdict{{How: box}}, NoEvidence: true, Forged: []string{"x"}}, false},
		"no evidence, and fails":   {VerifyResult{Verdicts: []criteria.Verdict{{How: ran}}, NoEvidence: true, Forged: []string{"x"}}, false},
		"no evidence of no checks": {VerifyResult{NoEvidence: true, Forged: []string{"x"}}, false},
	} {
		assert.Equal(t, c.want, c.r.OnlyWithoutEvidence(), "%s", name)
	}
}
