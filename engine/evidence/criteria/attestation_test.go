package criteria

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"strings"
	"testing"

	"chant/engine/evidence/attest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// quill is a Signer.
type quill struct{ private ed25519.PrivateKey }

func (q quill) Key() attest.Key {
	key, err := attest.NewKey(q.private.Public().(ed25519.PublicKey))
	if err != nil {
		panic(err)
	}
	return key
}

func (q quill) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(q.private, data), nil
}

// TestAttest: a report comes back from its note as it was, and the statement sums it up as a test-result.
func TestAttest(t *testing.T) {
	t.Parallel()
	by := quill{ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	held := Verdict{ID: "a", Number: 1, Text: "a", How: ByRunning, Holds: true, Evidence: []Evidence{{Command: "true", SHA256: "e3", Seconds: 0.5}}}
	flaky := Verdict{ID: "b", Number: 2, Text: "b", How: ByRunning, Holds: true, Flaky: true}
	open := Verdict{ID: "c", Number: 3, Text: "c", How: ByBox, Why: "its box is open"}
	failed := Verdict{ID: "d", Number: 4, Text: "d", How: ByRunning, Why: "it exited with 1"}
	for name, tc := range map[string]struct {
		verdicts []Verdict
		want     attest.Result
		lists    [3][]string // passed, warned, failed
	}{
		"passed":  {[]Verdict{held}, attest.Passed, [3][]string{{"1. a"}, nil, nil}},
		"flaky":   {[]Verdict{held, flaky}, attest.Passed, [3][]string{{"1. a"}, {"2. b"}, nil}},
		"open":    {[]Verdict{held, open}, attest.Warned, [3][]string{{"1. a"}, {"3. c"}, nil}},
		"failed":  {[]Verdict{held, open, failed}, attest.Failed, [3][]string{{"1. a"}, {"3. c"}, {"4. d"}}},
		"nothing": {nil, attest.Warned, [3][]string{}},
	} {
		r := Report{SpecID: "001", Tree: "t", Plan: "p", Verified: Holds(tc.verdicts), Criteria: tc.verdicts}
		about := Circumstances{Commit: "c", Tree: "ct", Start: "s", SpecPath: ".chant/specs/001.md", SpecHash: "h", Git: "2.50", Chant: "1", Outside: map[string]string{".env": "x"}, Sandbox: "landlock"}
		for _, signer := range []attest.Signer{by, nil} {
			text, err := r.Attest(t.Context(), about, signer)
			assert.NoError(t, err)
			note, err := ReadNote(text)
			assert.NoError(t, err, "%s", name)
			assert.Equal(t, "001", note.SpecID, "%s", name)
			assert.Equal(t, "c", note.Commit, "%s", name)
			assert.Equal(t, "t", note.Tree, "%s", name)
			assert.Equal(t, len(tc.verdicts), len(note.Criteria), "%s", name)
			assert.Equal(t, r.Verified, note.Verified, "%s", name)
			p, d := note.Attestation.Statement.Predicate, note.Attestation.Statement.Predicate.Chant
			assert.Equal(t, tc.want, p.Result, "%s", name)
			assert.Equal(t, tc.lists[0], p.PassedTests, "%s", name)
			assert.Equal(t, tc.lists[1], p.WarnedTests, "%s", name)
			assert.Equal(t, tc.lists[2], p.FailedTests, "%s", name)
			assert.Equal(t, "s", d.Start, "%s", name)
			assert.Equal(t, "p", d.Plan, "%s", name)
			assert.Equal(t, "t", d.Tested, "%s", name)
			assert.Equal(t, "2.50", d.Git, "%s", name)
			assert.Equal(t, "1", d.Chant, "%s", name)
			assert.Equal(t, "x", d.Outside[".env"], "%s", name)
			assert.Equal(t, "landlock", d.Sandbox, "%s", name)
			assert.Equal(t, 2, len(p.Configuration), "%s", name)
			want := attest.Unsigned
			if signer != nil {
				want = attest.Signed
			}
			got := note.Attestation.Check(t.Context(), "c", "ct", []attest.Trusted{{Name: "own", Key: by.Key()}})
			assert.Equal(t, want, got.State, "%s: %s", name, got)
		}
	}
}

// TestReadNote reads the notes of earlier versions, and finds out which were edited or do not belong together.
func TestReadNote(t *testing.T) {
	t.Parallel()
	r := Report{SpecID: "001", Criteria: []Verdict{}}
	old, err := r.Encode()
	assert.NoError(t, err)
	note, err := ReadNote(old)
	assert.NoError(t, err, "an old note")
	assert.Equal(t, "001", note.SpecID, "an old note")
	assert.True(t, note.Attestation == nil, "an old note: %+v, %v", note, err)
	text, err := r.Attest(t.Context(), Circumstances{Commit: "c", Tree: "t"}, nil)
	assert.NoError(t, err)
	edited := strings.Replace(string(text), `"verified": false`, `"verified": true`, 1)
	note, err = ReadNote([]byte(edited))
	assert.IsError(t, err, ErrEdited, "an edited note")
	assert.Equal(t, "001", note.SpecID, "an edited note")
	other := strings.Replace(string(text), `"spec_id": "001"`, `"spec_id": "002"`, 1)
	note, err = ReadNote([]byte(other))
	assert.Error(t, err, "a statement about another spec")
	assert.Equal(t, "", note.SpecID, "a statement about another spec")
	_, err = ReadNote([]byte("hello"))
	assert.Error(t, err, "a text that is no evidence was read")
}

// TestDigest: a plan has the same digest as long as it checks the same in the same way, whatever its boxes are.
func TestDigest(t *testing.T) {
	t.Parallel()
	plan := func(text string, checks spec.Checks) string {
		t.Helper()
		s, err := spec.Parse("001", "001.md", []byte("---\nstatus: pending\n---\n# A\n\n## Acceptance Criteria\n\n"+text))
		assert.NoError(t, err)
		digest, err := PlanFor(s, s, checks).Digest()
		assert.NoError(t, err)
		return digest
	}
	same := plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{})
	assert.Equal(t, same, plan("- [x] a `$ true`\n- [x] b\n", spec.Checks{}), "boxes change the digest")
	for name, got := range map[string]string{
		"another command":  plan("- [ ] a `$ false`\n- [ ] b\n", spec.Checks{}),
		"a criterion less": plan("- [ ] a `$ true`\n", spec.Checks{}),
		"a further one":    plan("- [ ] a `$ true`\n- [ ] b\n- [ ] c\n", spec.Checks{}),
		"of the project":   plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{Commands: []spec.Command{{Run: "make"}}}),
		"a variable":       plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{CommandOptions: spec.CommandOptions{Env: map[string]string{"A": "1"}}}),
		"another folder":   plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{CommandOptions: spec.CommandOptions{Dir: "sub"}}),
	} {
		assert.NotEqual(t, same, got, "%s does not change the digest", name)
	}
}

// FuzzReadNote: no text of a note makes reading it panic, and what is read can be written.
func FuzzReadNote(f *testing.F) {
	text, err := Report{SpecID: "001"}.Attest(f.Context(), Circumstances{Commit: "c", Tree: "t"}, nil)
	assert.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"spec_id":"001"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		note, err := ReadNote(text)
		if err != nil {
			return
		}
		_, err = json.Marshal(note.Report)
		assert.NoError(t, err, "%q", text)
	})
}
