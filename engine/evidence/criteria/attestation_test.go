package criteria

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"chant/engine/evidence/attest"
	"chant/engine/spec"
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
			if err != nil {
				t.Fatal(err)
			}
			note, err := ReadNote(text)
			if err != nil || note.SpecID != "001" || note.Commit != "c" || note.Tree != "t" || len(note.Criteria) != len(tc.verdicts) || note.Verified != r.Verified {
				t.Fatalf("%s: %+v, %v", name, note, err)
			}
			p, d := note.Attestation.Statement.Predicate, note.Attestation.Statement.Predicate.Chant
			if p.Result != tc.want || !slices.Equal(p.PassedTests, tc.lists[0]) || !slices.Equal(p.WarnedTests, tc.lists[1]) || !slices.Equal(p.FailedTests, tc.lists[2]) {
				t.Errorf("%s: %+v", name, p)
			}
			if d.Start != "s" || d.Plan != "p" || d.Tested != "t" || d.Git != "2.50" || d.Chant != "1" || d.Outside[".env"] != "x" || d.Sandbox != "landlock" || len(p.Configuration) != 2 {
				t.Errorf("%s: %+v", name, d)
			}
			want := attest.Unsigned
			if signer != nil {
				want = attest.Signed
			}
			if got := note.Attestation.Check(t.Context(), "c", "ct", []attest.Trusted{{Name: "own", Key: by.Key()}}); got.State != want {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// TestReadNote reads the notes of earlier versions, and finds out which were edited or do not belong together.
func TestReadNote(t *testing.T) {
	t.Parallel()
	r := Report{SpecID: "001", Criteria: []Verdict{}}
	old, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if note, err := ReadNote(old); err != nil || note.SpecID != "001" || note.Attestation != nil {
		t.Errorf("an old note: %+v, %v", note, err)
	}
	text, err := r.Attest(t.Context(), Circumstances{Commit: "c", Tree: "t"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), `"verified": false`, `"verified": true`, 1)
	if note, err := ReadNote([]byte(edited)); !errors.Is(err, ErrEdited) || note.SpecID != "001" {
		t.Errorf("an edited note: %+v, %v", note, err)
	}
	other := strings.Replace(string(text), `"spec_id": "001"`, `"spec_id": "002"`, 1)
	if note, err := ReadNote([]byte(other)); err == nil || note.SpecID != "" {
		t.Errorf("a statement about another spec: %+v, %v", note, err)
	}
	if _, err := ReadNote([]byte("hello")); err == nil {
		t.Error("a text that is no evidence was read")
	}
}

// TestDigest: a plan has the same digest as long as it checks the same in the same way, whatever its boxes are.
func TestDigest(t *testing.T) {
	t.Parallel()
	plan := func(text string, checks spec.Checks) string {
		t.Helper()
		s, err := spec.Parse("001", "001.md", []byte("---\nstatus: pending\n---\n# A\n\n## Acceptance Criteria\n\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		digest, err := PlanFor(s, s, checks).Digest()
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	same := plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{})
	if got := plan("- [x] a `$ true`\n- [x] b\n", spec.Checks{}); got != same {
		t.Error("boxes change the digest")
	}
	for name, got := range map[string]string{
		"another command":  plan("- [ ] a `$ false`\n- [ ] b\n", spec.Checks{}),
		"a criterion less": plan("- [ ] a `$ true`\n", spec.Checks{}),
		"a further one":    plan("- [ ] a `$ true`\n- [ ] b\n- [ ] c\n", spec.Checks{}),
		"of the project":   plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{Commands: []spec.Command{{Run: "make"}}}),
		"a variable":       plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{CommandOptions: spec.CommandOptions{Env: map[string]string{"A": "1"}}}),
		"another folder":   plan("- [ ] a `$ true`\n- [ ] b\n", spec.Checks{CommandOptions: spec.CommandOptions{Dir: "sub"}}),
	} {
		if got == same {
			t.Errorf("%s does not change the digest", name)
		}
	}
}

// FuzzReadNote: no text of a note makes reading it panic, and what is read can be written.
func FuzzReadNote(f *testing.F) {
	text, err := Report{SpecID: "001"}.Attest(f.Context(), Circumstances{Commit: "c", Tree: "t"}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"spec_id":"001"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		note, err := ReadNote(text)
		if err != nil {
			return
		}
		if _, err := json.Marshal(note.Report); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
