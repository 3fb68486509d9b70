package verify

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// The front matter of a completed spec is written if its recorded result is no longer true.
func TestDiffersFrom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		front    string
		archived bool
		status   criteria.Status
		want     bool
	}{
		"passes, nothing was said":      {"status: completed\n", false, criteria.Passed, false},
		"passes, and that was said":     {"status: completed\nverification_status: passed\n", false, criteria.Passed, false},
		"passes, where it had not":      {"status: completed\nverification_status: failed\n", false, criteria.Passed, true},
		"fails":                         {"status: completed\n", false, criteria.Failed, true},
		"fails again":                   {"status: completed\nverification_status: failed\n", false, criteria.Failed, true},
		"a box was opened":              {"status: completed\nverification_status: passed\n", false, criteria.Partial, true},
		"a box is open, nothing said":   {"status: completed\n", false, criteria.Partial, false},
		"by its members":                {"status: completed\nverification_status: failed\n", false, "", false},
		"fails, but it was never done":  {"status: pending\n", false, criteria.Failed, false},
		"fails, but it is archived":     {"status: completed\n", true, criteria.Failed, false},
		"nothing to verify, was passed": {"status: completed\nverification_status: passed\n", false, criteria.Nothing, true},
	} {
		s := specOf(t, idOf(1), c.front, "# A\n")
		s.Archived = c.archived
		assert.Equal(t, c.want, (&VerifyResult{Status: c.status}).differsFrom(s), "%s", name)
	}
}

func TestWhyFailed(t *testing.T) {
	t.Parallel()
	verdicts := []criteria.Verdict{{Number: 1, Text: "one", Holds: true}, {Number: 2, Text: "two", Why: "exit code 1"}, {Number: 3, Text: "three", Why: "open"}}
	for name, c := range map[string]struct {
		r    VerifyResult
		want string
	}{
		"the first that does not hold": {VerifyResult{Verdicts: verdicts, Notes: "notes"}, "criterion 2: two (exit code 1)"},
		"forged":                       {VerifyResult{Verdicts: verdicts, Notes: "notes", Forged: []string{"x"}}, "notes"},
		"everything holds":             {VerifyResult{Verdicts: verdicts[:1], Notes: "it changed a.txt"}, "it changed a.txt"},
	} {
		assert.Equal(t, c.want, c.r.whyFailed(), "%s", name)
	}
}

// TestVerifyAll verifies the specs of one project and checks what is written and what is only reported.
func TestVerifyAll(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	path := func(n int) string { return ".chant/specs/" + idOf(n) + ".md" }
	h.commit("specs", map[string]string{
		"there.txt": "x\n",
		path(1):     file("status: completed\nlabels: [good]\n", "# Good\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f there.txt`\n"),
		path(2):     file("status: completed\nlabels: [bad]\n", "# Bad\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f gone.txt`\n"),
		path(3):     file("status: completed\n", "# Open\n\n## Acceptance Criteria\n\n- [ ] a claim\n"),
		path(4):     file("status: completed\n", "# Nothing\n"),
		path(5):     file("status: pending\n", "# Not done\n\n## Acceptance Criteria\n\n- [ ] x `$ false`\n"),
		path(6):     "---\nstatus: [\n---\n# Unreadable\n",
		path(7):     file("status: completed\nverification_status: failed\nlabels: [mended]\n", "# Mended\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f there.txt`\n"),
	})
	before := h.rev("HEAD")
	count := func(r VerifyAllResult) [5]int { return [5]int{r.Passed, r.Partial, r.Failed, r.Nothing, r.Invalid} }
	for name, c := range map[string]struct {
		in   VerifyAllInput
		want [5]int
	}{
		"all":                        {VerifyAllInput{All: true}, [5]int{2, 1, 1, 1, 1}},
		"a label":                    {VerifyAllInput{Labels: []string{"good"}}, [5]int{1, 0, 0, 0, 1}},
		"one of two labels":          {VerifyAllInput{Labels: []string{"good", "bad"}}, [5]int{1, 0, 1, 0, 1}},
		"named":                      {VerifyAllInput{IDs: []string{idOf(1), idOf(2)}}, [5]int{1, 0, 1, 0, 0}},
		"named twice":                {VerifyAllInput{IDs: []string{idOf(1), idOf(1)}}, [5]int{1, 0, 0, 0, 0}},
		"named, and never completed": {VerifyAllInput{IDs: []string{idOf(5)}}, [5]int{0, 0, 1, 0, 0}},
		"in a range":                 {VerifyAllInput{Changed: "HEAD..HEAD"}, [5]int{}},
		"in an older commit":         {VerifyAllInput{IDs: []string{idOf(2)}, At: before}, [5]int{0, 0, 1, 0, 0}},
	} {
		c.in.NoWrite = true
		r, err := VerifyAll(t.Context(), h.p, c.in)
		assert.NoError(t, err, "%v %v", name, r.Flagged)
		assert.Equal(t, c.want, count(r), "%v %v", name, r.Flagged)
		assert.Zero(t, r.Flagged, "%v %v", name, r.Flagged)
	}
	now := h.rev("HEAD")
	assert.Equal(t, before, now, "a verification without writing has changed")
	assert.Equal(t, "", enginetest.Git(t, h.dir, "status", "--porcelain"), "a verification without writing has changed")

	r, err := VerifyAll(t.Context(), h.p, VerifyAllInput{All: true})
	assert.NoError(t, err)
	assert.Equal(t, idOf(2), strings.Join(r.Flagged, " "))
	for n, want := range map[int]struct{ status, verification string }{1: {"completed", ""}, 2: {"needs_attention", "failed"}, 3: {"completed", ""}, 5: {"pending", ""}, 7: {"completed", "passed"}} {
		s, err := h.p.Store.Get(t.Context(), idOf(n))
		assert.NoError(t, err, "spec %d", n)
		assert.Equal(t, want.status, string(s.Status), "spec %d", n)
		assert.Equal(t, want.verification, s.Fields.Verification, "spec %d", n)
		if n == 2 && (s.Fields.ReasonCode != spec.ReasonNoLonger || !strings.Contains(s.Fields.Reason, "it is there")) {
			t.Errorf("the reason: %q, %q", s.Fields.ReasonCode, s.Fields.Reason)
		}
	}
	assert.Equal(t, "2", enginetest.Git(t, h.dir, "rev-list", "--count", before+"..HEAD"))
}

// TestVerifyAll_scope: specs must be selected in exactly one way.
func TestVerifyAll_scope(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.commit("one", map[string]string{".chant/specs/" + idOf(1) + ".md": file("status: completed\n", asked)})
	for name, c := range map[string]struct {
		in    VerifyAllInput
		code  engine.Code
		words string
	}{
		"nothing":              {VerifyAllInput{}, engine.Usage, "which specs"},
		"ids and all":          {VerifyAllInput{IDs: []string{"1"}, All: true}, engine.Usage, "exclude each other"},
		"all and a range":      {VerifyAllInput{All: true, Changed: "HEAD"}, engine.Usage, "exclude each other"},
		"labels and a range":   {VerifyAllInput{Labels: []string{"x"}, Changed: "HEAD"}, engine.Usage, "exclude each other"},
		"three ways":           {VerifyAllInput{All: true, Labels: []string{"x"}, Changed: "HEAD"}, engine.Usage, "exclude each other"},
		"labels of all":        {VerifyAllInput{All: true, Labels: []string{"x"}}, "", ""},
		"a commit without ids": {VerifyAllInput{All: true, At: "HEAD"}, engine.Usage, "--at goes with the ids"},
		"no such spec":         {VerifyAllInput{IDs: []string{"nowhere"}}, engine.NotFound, "nowhere"},
		"no such commit":       {VerifyAllInput{IDs: []string{idOf(1)}, At: "nowhere"}, engine.NotFound, `no commit "nowhere"`},
		"not in that commit":   {VerifyAllInput{IDs: []string{idOf(1)}, At: "HEAD~1"}, engine.NotFound, "has no spec"},
		"no such range":        {VerifyAllInput{Changed: "nowhere..HEAD"}, engine.NotFound, `no commit "nowhere"`},
		"a judge that cannot":  {VerifyAllInput{IDs: []string{idOf(1)}, Agent: "shell"}, engine.Usage, "cannot judge"},
	} {
		_, err := VerifyAll(t.Context(), h.p, c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.words), "%s: %v", name, err)
	}
}

// TestVerify counts boxes or runs commands, and changes nothing.
func TestVerify(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.commit("one", map[string]string{".chant/specs/" + idOf(1) + ".md": file("status: completed\n", "# A\n\n## Acceptance Criteria\n\n- [x] one `$ test -f there.txt`\n- [x] two\n")})
	before := h.rev("HEAD")
	enginetest.Write(t, h.dir, "there.txt", "not committed\n")
	for name, c := range map[string]struct {
		in       VerifyInput
		verified bool
		checked  int
		status   criteria.Status
	}{
		"boxes":    {VerifyInput{ID: "001"}, true, 2, ""},
		"commands": {VerifyInput{ID: "001", Run: true}, false, 1, criteria.Failed},
	} {
		r, err := Verify(t.Context(), h.p, c.in)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.verified, r.Verified, "%s", name)
		assert.Equal(t, c.checked, r.Criteria.Checked, "%s", name)
		assert.Equal(t, c.status, r.Status, "%s", name)
		assert.Equal(t, idOf(1), r.SpecID, "%s", name)
	}
	_, err := Verify(t.Context(), h.p, VerifyInput{ID: "002"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "no such spec")
	assert.Equal(t, before, h.rev("HEAD"), "a verification has made the commit")
}
