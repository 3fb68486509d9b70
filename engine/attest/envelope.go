package attest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// Signer signs statements with the key that it names.
type Signer interface {
	Key() Key
	// Sign returns the Ed25519 signature of data.
	Sign(ctx context.Context, data []byte) ([]byte, error)
}

// ErrNotEnvelope says that a text is not an envelope at all, such as evidence of an earlier version.
var ErrNotEnvelope = errors.New("this is not a DSSE envelope")

// maxEnvelope is more than the largest envelope that is read, in bytes.
const maxEnvelope = 64 << 20

// Seal returns the envelope of a statement: signed, or without a signature if there is no signer.
func Seal(ctx context.Context, s Statement, by Signer) ([]byte, error) {
	if by != nil {
		s.Predicate.Chant.Signer = by.Key().public
	}
	payload, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	if by == nil {
		return encode(&dsse.Envelope{PayloadType: PayloadType, Payload: base64.StdEncoding.EncodeToString(payload), Signatures: []dsse.Signature{}})
	}
	signing, err := dsse.NewEnvelopeSigner(dsseSigner{by})
	if err != nil {
		return nil, err
	}
	e, err := signing.SignPayload(ctx, PayloadType, payload)
	if err != nil {
		return nil, err
	}
	return encode(e)
}

// encode is the only form in which envelopes are written and read.
func encode(e *dsse.Envelope) ([]byte, error) {
	text, err := json.Marshal(e)
	return append(text, '\n'), err
}

// Attestation is an envelope that was read. Whether it can be trusted is what Check returns.
type Attestation struct {
	Statement Statement
	Text      []byte // the envelope

	envelope dsse.Envelope
	altered  string // why the envelope is not as it was written, "" if it may be
}

// Read reads an envelope. Errors: ErrNotEnvelope; any other error if its statement cannot be read.
func Read(text []byte) (*Attestation, error) {
	a := &Attestation{Text: text}
	if len(text) > maxEnvelope || json.Unmarshal(text, &a.envelope) != nil || a.envelope.PayloadType == "" || a.envelope.Payload == "" {
		return nil, ErrNotEnvelope
	}
	payload, err := base64.StdEncoding.Strict().DecodeString(a.envelope.Payload)
	if err != nil {
		return nil, fmt.Errorf("the payload of the envelope cannot be decoded: %w", err)
	}
	if a.Statement, err = parseStatement(payload); err != nil {
		return nil, err
	}
	again, err := encode(&a.envelope)
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(bytes.TrimSpace(again), bytes.TrimSpace(text)):
		a.altered = "the envelope is not written as chant writes it"
	case a.envelope.PayloadType != PayloadType:
		a.altered = fmt.Sprintf("the envelope has the type %.80q", a.envelope.PayloadType)
	case len(a.envelope.Signatures) > 1:
		a.altered = fmt.Sprintf("the envelope has %d signatures", len(a.envelope.Signatures))
	case len(a.envelope.Signatures) == 1 && !isBase64(a.envelope.Signatures[0].Sig):
		a.altered = "the signature is not written as chant writes it"
	}
	return a, nil
}

// isBase64 reports whether a text is base64 in the only form that stands for its bytes.
func isBase64(text string) bool {
	_, err := base64.StdEncoding.Strict().DecodeString(text)
	return err == nil
}

// dsseSigner is a Signer as the library wants it.
type dsseSigner struct{ by Signer }

// Sign implements dsse.Signer.
func (s dsseSigner) Sign(ctx context.Context, data []byte) ([]byte, error) {
	return s.by.Sign(ctx, data)
}

// KeyID implements dsse.Signer.
func (s dsseSigner) KeyID() (string, error) { return s.by.Key().ID(), nil }
