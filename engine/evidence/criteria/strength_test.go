package criteria

import (
	"crypto/ed25519"
	"testing"

	"chant/engine/evidence/attest"

	"github.com/alecthomas/assert/v2"
)

// TestWithStrength: a strength becomes part of what is signed, and nothing else of a note changes.
func TestWithStrength(t *testing.T) {
	t.Parallel()
	by := quill{ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))}
	about := Circumstances{Commit: "c", Tree: "ct", Start: "s", Sandbox: "landlock"}
	survivors := make([]Survivor, maxSurvivors+1)
	survivors[0] = Survivor{Kind: "off_by_one", File: "a.go", Line: 3, Diff: "-1\n+2\n", Spec: "002"}
	whole := Strength{Commit: "c", Killed: 2, Total: maxSurvivors + 3, Survivors: survivors}
	whole.Conclude()
	for name, signer := range map[string]attest.Signer{"signed": by, "unsigned": nil} {
		text, err := Report{SpecID: "001", Criteria: []Verdict{{ID: "a", Holds: true}}}.Attest(t.Context(), about, signer)
		assert.NoError(t, err)
		note, err := ReadNote(text)
		assert.NoError(t, err)
		text, err = note.WithStrength(t.Context(), whole, signer)
		assert.NoError(t, err, "%s", name)
		got, err := ReadNote(text)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, maxSurvivors, len(got.Strength.Survivors), "%s", name)
		assert.Equal(t, survivors[0], got.Strength.Survivors[0], "%s", name)
		assert.Equal(t, "score 2 of 203", got.Strength.Words(), "%s", name)
		assert.Equal(t, "landlock", got.Attestation.Statement.Predicate.Chant.Sandbox, "%s", name)
		assert.Equal(t, note.Criteria, got.Criteria, "%s", name)
		want := attest.Unsigned
		if signer != nil {
			want = attest.Signed
		}
		state := got.Attestation.Check(t.Context(), "c", "ct", []attest.Trusted{{Name: "own", Key: by.Key()}}).State
		assert.Equal(t, want, state, "%s", name)
		_, err = got.WithStrength(t.Context(), Strength{Commit: "c", Sampled: true}, signer)
		assert.IsError(t, err, ErrMoreIsKnown, "%s", name)
		again := survivors[0]
		again.Spec = ""
		text, err = got.WithStrength(t.Context(), Strength{Commit: "d", Sampled: true, Survivors: []Survivor{again}}, signer)
		assert.NoError(t, err, "%s", name)
		got, err = ReadNote(text)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, survivors[0], got.Strength.Survivors[0], "%s", name)
	}
}

func TestStrength_Words(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Strength{
		"score 12 of 14":                                  {Killed: 12, Survivors: make([]Survivor, 1), LeftOut: 1},
		"score 0 of 2, 1 noticed since":                   {Survivors: []Survivor{{Noticed: true}, {}}},
		"score 1 of 1, a sample of 40 wrong versions":     {Killed: 1, Total: 40, Sampled: true},
		"no score: no wrong version was tried to its end": {Unbuilt: 3},
	} {
		s.Conclude()
		assert.Equal(t, want, s.Words())
	}
	assert.Equal(t, `"a\x1b:3 x"`, Survivor{Kind: "x", File: "a\x1b", Line: 3}.Place())
	assert.Equal(t, []string{"-a", `+\x1bb`}, Survivor{Diff: "-a\n+\x1bb\n"}.Lines())
}
