package attest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// pen is a Signer with a key made from one byte.
type pen struct{ private ed25519.PrivateKey }

func newPen(seed byte) pen {
	return pen{ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))}
}

func (p pen) Key() Key { return Key{p.private.Public().(ed25519.PublicKey)} }

func (p pen) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(p.private, data), nil
}

const (
	commit = "1111111111111111111111111111111111111111"
	tree   = "2222222222222222222222222222222222222222"
	tested = "3333333333333333333333333333333333333333"
)

// evidence is the statement about commit.
func evidence() Statement {
	return NewStatement(commit, tree, Predicate{
		Result: Passed, Configuration: []Resource{}, PassedTests: []string{"1. a"},
		Chant: Detail{SpecID: "001", Tested: tested, Report: json.RawMessage(`{"spec_id":"001"}`)},
	})
}

func sealed(t testing.TB, by Signer) []byte {
	t.Helper()
	text, err := Seal(t.Context(), evidence(), by)
	assert.NoError(t, err)
	return text
}

// TestCheck: a signature counts for a trusted key and for the commit and the tree that were signed.
func TestCheck(t *testing.T) {
	t.Parallel()
	ada, eve := newPen(1), newPen(2)
	trusted := []Trusted{{"eve", eve.Key()}, {"ada", ada.Key()}}
	edit := func(by Signer, change func(e map[string]any)) []byte {
		e := map[string]any{}
		assert.NoError(t, json.Unmarshal(sealed(t, by), &e))
		change(e)
		return asEnvelope(t, e)
	}
	for name, tc := range map[string]struct {
		text         []byte
		commit, tree string
		trusted      []Trusted
		want         State
		says         string
	}{
		"signed":                  {sealed(t, ada), commit, tree, trusted, Signed, `SIGNED by "ada"`},
		"the commit is not here":  {sealed(t, ada), commit, "", trusted, Signed, `SIGNED by "ada"`},
		"the tree that ran":       {sealed(t, ada), commit, tested, trusted, Signed, `SIGNED by "ada"`},
		"unsigned":                {sealed(t, nil), commit, tree, trusted, Unsigned, "UNSIGNED"},
		"out of its envelope":     {payloadOf(t, sealed(t, ada)), commit, tree, trusted, Forged, "its signature was removed"},
		"no key is trusted":       {sealed(t, ada), commit, tree, nil, UnknownKey, "UNKNOWN KEY " + ada.Key().ID()},
		"another key is trusted":  {sealed(t, ada), commit, tree, trusted[:1], UnknownKey, "UNKNOWN KEY " + ada.Key().ID()},
		"another commit":          {sealed(t, ada), tree, tree, trusted, Forged, "FORGED: it is not about commit 2222222 and its tree"},
		"another tree":            {sealed(t, ada), commit, commit, trusted, Forged, "FORGED: it is not about"},
		"the signature is gone":   {edit(ada, func(e map[string]any) { e["signatures"] = []any{} }), commit, tree, trusted, Forged, "its signature was removed"},
		"signed twice":            {edit(ada, func(e map[string]any) { s := e["signatures"].([]any); e["signatures"] = append(s, s[0]) }), commit, tree, trusted, Forged, "2 signatures"},
		"another key is named":    {edit(ada, func(e map[string]any) { sig(e)["keyid"] = eve.Key().ID() }), commit, tree, trusted, Forged, "does not match its content"},
		"a key that is not known": {edit(ada, func(e map[string]any) { sig(e)["keyid"] = "SHA256:x" }), commit, tree, trusted, Forged, "names the key"},
		"another's signature":     {edit(ada, func(e map[string]any) { sig(e)["sig"] = base64.StdEncoding.EncodeToString(make([]byte, 64)) }), commit, tree, trusted, Forged, "does not match its content"},
		"another type of payload": {edit(ada, func(e map[string]any) { e["payloadType"] = "text/plain" }), commit, tree, trusted, Forged, `the type "text/plain"`},
		"a further member":        {bytes.Replace(sealed(t, ada), []byte("{"), []byte(`{"x":1,`), 1), commit, tree, trusted, Forged, "not written as chant writes it"},
		"white space":             {bytes.Replace(sealed(t, ada), []byte(":"), []byte(": "), 1), commit, tree, trusted, Forged, "not written as chant writes it"},
	} {
		a, err := Read(tc.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := a.Check(t.Context(), tc.commit, tc.tree, tc.trusted)
		assert.Equal(t, tc.want, got.State, "%s", name)
		assert.Contains(t, got.String(), tc.says, "%s", name)
	}
}

// payloadOf is the statement in an envelope.
func payloadOf(t *testing.T, text []byte) []byte {
	t.Helper()
	var e struct{ Payload []byte }
	assert.NoError(t, json.Unmarshal(text, &e))
	return e.Payload
}

// sig is the first signature of an envelope.
func sig(e map[string]any) map[string]any { return e["signatures"].([]any)[0].(map[string]any) }

// asEnvelope writes an envelope with its members in the usual order.
func asEnvelope(t *testing.T, e map[string]any) []byte {
	t.Helper()
	var form struct {
		PayloadType string `json:"payloadType"`
		Payload     string `json:"payload"`
		Signatures  []struct {
			KeyID string `json:"keyid"`
			Sig   string `json:"sig"`
		} `json:"signatures"`
	}
	raw, err := json.Marshal(e)
	if err == nil {
		err = json.Unmarshal(raw, &form)
	}
	if err == nil {
		raw, err = json.Marshal(form)
	}
	assert.NoError(t, err)
	return raw
}

// TestCheck_everyByte changes each byte of signed evidence: none of the results is believed.
func TestCheck_everyByte(t *testing.T) {
	t.Parallel()
	ada := newPen(1)
	text := sealed(t, ada)
	for i := range bytes.TrimSpace(text) {
		for _, to := range []byte{text[i] ^ 1, text[i] ^ 0x20} {
			if to == text[i] {
				continue
			}
			changed := bytes.Clone(text)
			changed[i] = to
			a, err := Read(changed)
			if err != nil {
				continue // it is not evidence any more
			}
			got := a.Check(t.Context(), commit, tree, []Trusted{{"ada", ada.Key()}})
			assert.Equal(t, Forged, got.State, "byte %d, %q instead of %q: %s", i, to, text[i], got)
		}
	}
}

func TestRead_refused(t *testing.T) {
	t.Parallel()
	envelope := func(payload string) string {
		return `{"payloadType":"application/vnd.in-toto+json","payload":"` + base64.StdEncoding.EncodeToString([]byte(payload)) + `","signatures":[]}`
	}
	for name, tc := range map[string]struct {
		text  string
		not   bool // evidence of this form
		words string
	}{
		"empty":                     {"", true, ""},
		"evidence of earlier times": {`{"spec_id":"001","seal":"x"}`, true, ""},
		"a list":                    {"[]", true, ""},
		"not base64":                {`{"payloadType":"a","payload":"*","signatures":[]}`, false, "cannot be decoded"},
		"not JSON":                  {envelope("x"), false, "cannot be read"},
		"another statement":         {envelope(`{"_type":"https://in-toto.io/Statement/v0.1"}`), false, "unknown type of statement"},
		"a bare statement":          {`{"_type":"x"}`, false, "unknown type of statement"},
		"another predicate":         {envelope(`{"_type":"https://in-toto.io/Statement/v1","predicateType":"x"}`), false, "unknown type of predicate"},
	} {
		_, err := Read([]byte(tc.text))
		assert.Error(t, err, "%s", name)
		assert.Equal(t, tc.not, errors.Is(err, ErrOther), "%s", name)
		assert.Contains(t, err.Error(), tc.words, "%s", name)
	}
}

// FuzzRead: whatever is read and believed to be signed by a key is what Seal wrote.
func FuzzRead(f *testing.F) {
	ada := newPen(1)
	f.Add(sealed(f, ada))
	f.Add(sealed(f, nil))
	f.Add([]byte(`{"payloadType":"a","payload":"YQ==","signatures":[{"keyid":"x","sig":"YQ=="}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := Read(text)
		if err != nil {
			return
		}
		got := a.Check(t.Context(), commit, tree, []Trusted{{"ada", ada.Key()}})
		assert.False(t, got.State == Signed && !bytes.Equal(bytes.TrimSpace(text), bytes.TrimSpace(sealed(t, ada))), "believed: %q", text)
	})
}
