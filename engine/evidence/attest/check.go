package attest

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// State says how far a signature can be trusted.
type State string

// The states of signatures.
const (
	Signed     State = "signed"      // by a trusted key
	Unsigned   State = "unsigned"    // there is no signature
	UnknownKey State = "unknown_key" // the key is not trusted
	Forged     State = "forged"      // the signature or the envelope is wrong, or it is about something else
)

// Signature is what is known about the signature of evidence.
type Signature struct {
	State State  `json:"state"`
	By    string `json:"by,omitempty"`  // name of the trusted key
	Key   string `json:"key,omitempty"` // id of the key
	Why   string `json:"why,omitempty"` // of Forged
	// Idle says that the project uses no keys, so that nothing but a forgery is worth a word.
	Idle bool `json:"-"`
	// Sandbox is what kept agents from the key when the evidence was signed, "" for nothing. It is part of what is signed.
	Sandbox string `json:"sandbox,omitempty"`
}

// String describes the signature in a few words, such as `SIGNED by "ada"`. It is "" for one that is idle.
func (s Signature) String() string {
	// In a project without keys, every piece of evidence is unsigned.
	if s.Idle && s.State != Forged {
		return ""
	}
	switch s.State {
	case Signed:
		if s.Sandbox == "" {
			return fmt.Sprintf("SIGNED by %q, without a sandbox", s.By)
		}
		return fmt.Sprintf("SIGNED by %q", s.By)
	case UnknownKey:
		return "UNKNOWN KEY " + s.Key
	case Forged:
		return "FORGED: " + s.Why
	}
	return "UNSIGNED"
}

// AfterComma returns the description as it follows another, "" if there is none.
func (s Signature) AfterComma() string {
	if text := s.String(); text != "" {
		return ", " + text
	}
	return ""
}

// Trusted is a public key that a project trusts.
type Trusted struct {
	Name string
	Key  Key
}

// Check checks the signature of an attestation about a commit and its tree.
func (a *Attestation) Check(ctx context.Context, commit, tree string, trusted []Trusted) Signature {
	if a.altered != "" {
		return Signature{State: Forged, Why: a.altered}
	}
	if len(a.envelope.Signatures) == 0 {
		return Signature{State: Unsigned}
	}
	id := a.envelope.Signatures[0].KeyID
	key, name := a.keyOf(id, trusted)
	if key.IsZero() {
		return Signature{State: Forged, Key: id, Why: fmt.Sprintf("its signature names the key %.80q, and its statement another", id)}
	}
	// Checked before what it says: the content of a wrong signature is worth nothing.
	if err := a.verifyWith(ctx, key); err != nil {
		return Signature{State: Forged, Key: id, Why: "its signature does not match its content"}
	}
	if !a.Statement.IsAbout(commit, tree) {
		return Signature{State: Forged, Key: id, Why: fmt.Sprintf("it is not about commit %.7s and its tree", commit)}
	}
	if name == "" {
		return Signature{State: UnknownKey, Key: id}
	}
	return Signature{State: Signed, By: name, Key: id, Sandbox: a.Statement.Predicate.Chant.Sandbox}
}

// keyOf returns the key with this id and its name: a trusted one, else that of the statement, without a name.
func (a *Attestation) keyOf(id string, trusted []Trusted) (Key, string) {
	for _, t := range trusted {
		if t.Key.ID() == id {
			return t.Key, t.Name
		}
	}
	// A key that is not trusted can still prove that the content was not changed.
	if own := a.Statement.Predicate.Chant.Signer; len(own) == ed25519.PublicKeySize {
		// Otherwise a wrong id would be reported as an unknown key.
		if k := (Key{own}); k.ID() == id {
			return k, ""
		}
	}
	return Key{}, ""
}

func (a *Attestation) verifyWith(ctx context.Context, key Key) error {
	verifier, err := dsse.NewEnvelopeVerifier(dsseVerifier{key})
	if err != nil {
		return err
	}
	_, err = verifier.Verify(ctx, &a.envelope)
	return err
}

// dsseVerifier is a Key as the library wants it.
type dsseVerifier struct{ key Key }

// errSignature is the error of a wrong signature.
var errSignature = errors.New("the signature does not match")

// Verify implements dsse.Verifier.
func (v dsseVerifier) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(v.key.public, data, sig) {
		return errSignature
	}
	return nil
}

// KeyID implements dsse.Verifier.
func (v dsseVerifier) KeyID() (string, error) { return v.key.ID(), nil }

// Public implements dsse.Verifier.
func (v dsseVerifier) Public() crypto.PublicKey { return v.key.public }
