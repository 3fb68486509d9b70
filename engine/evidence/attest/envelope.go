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

// ErrOther says that a text is neither an envelope nor a statement, such as evidence of an earlier version.
var ErrOther = errors.New("this is neither a DSSE envelope nor an in-toto statement")

// maxEnvelope is more than the largest envelope that is read, in bytes.
const maxEnvelope = 64 << 20

// Seal returns the signed envelope of a statement or, if there is no signer, the statement itself as text that people can
// read.
func Seal(ctx context.Context, s Statement, by Signer) ([]byte, error) {
	// Without a signature nothing needs a fixed form of bytes.
	if by == nil {
		text, err := json.MarshalIndent(s, "", "  ")
		return append(text, '\n'), err
	}
	// Set before signing, so that the name of the key is signed too.
	s.Predicate.Chant.Signer = by.Key().public
	payload, err := json.Marshal(s)
	if err != nil {
		return nil, err
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

// Attestation is evidence that was read. Whether it can be trusted is what Check returns.
type Attestation struct {
	Statement Statement
	Text      []byte // the envelope, or the statement if it is unsigned

	envelope dsse.Envelope
	altered  string // why the envelope is not as it was written, "" if it may be
}

// Read reads what Seal writes. Errors: ErrOther; any other error if the statement cannot be read.
func Read(text []byte) (*Attestation, error) {
	a := &Attestation{Text: text}
	if len(text) > maxEnvelope || json.Unmarshal(text, &a.envelope) != nil {
		return nil, ErrOther
	}
	if a.envelope.PayloadType == "" || a.envelope.Payload == "" {
		return readUnsigned(a)
	}
	// Strict, since a lax reader accepts several texts for the same bytes.
	payload, err := base64.StdEncoding.Strict().DecodeString(a.envelope.Payload)
	if err != nil {
		return nil, fmt.Errorf("the payload of the envelope cannot be decoded: %w", err)
	}
	if a.Statement, err = parseStatement(payload); err != nil {
		return nil, err
	}
	// The signature covers the payload only: any other byte could be changed unnoticed.
	again, err := encode(&a.envelope)
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(bytes.TrimSpace(again), bytes.TrimSpace(text)):
		a.altered = "the envelope is not written as chant writes it"
	case a.envelope.PayloadType != PayloadType:
		a.altered = fmt.Sprintf("the envelope has the type %.80q", a.envelope.PayloadType)
	// Without a signature Seal writes the statement alone.
	case len(a.envelope.Signatures) == 0:
		a.altered = "its signature was removed"
	case len(a.envelope.Signatures) > 1:
		a.altered = fmt.Sprintf("the envelope has %d signatures", len(a.envelope.Signatures))
	case !isBase64(a.envelope.Signatures[0].Sig):
		a.altered = "the signature is not written as chant writes it"
	}
	return a, nil
}

// readUnsigned reads a statement that is in no envelope.
func readUnsigned(a *Attestation) (*Attestation, error) {
	var kind struct {
		Type string `json:"_type"`
	}
	if err := json.Unmarshal(a.Text, &kind); err != nil || kind.Type == "" {
		return nil, ErrOther
	}
	var err error
	if a.Statement, err = parseStatement(a.Text); err != nil {
		return nil, err
	}
	// A statement names its signer only if it was signed.
	if len(a.Statement.Predicate.Chant.Signer) > 0 {
		a.altered = "its signature was removed"
	}
	return a, nil
}

// isBase64 reports whether a text is base64 in the one form that is valid for its bytes.
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
