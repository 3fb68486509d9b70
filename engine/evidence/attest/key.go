package attest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"golang.org/x/crypto/ssh"
)

// Key is a public Ed25519 key.
type Key struct{ public ed25519.PublicKey }

// NewKey returns a key. Error: it has the wrong length.
func NewKey(public ed25519.PublicKey) (Key, error) {
	if len(public) != ed25519.PublicKeySize {
		return Key{}, fmt.Errorf("a public Ed25519 key has %d bytes, not %d", ed25519.PublicKeySize, len(public))
	}
	return Key{public}, nil
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return len(k.public) == 0 }

// Equal reports whether two keys are the same.
func (k Key) Equal(other Key) bool { return bytes.Equal(k.public, other.public) }

// Is reports whether this is the key with these bytes.
func (k Key) Is(public ed25519.PublicKey) bool { return bytes.Equal(k.public, public) }

// ID is the fingerprint of the key as OpenSSH shows it, SHA256:….
func (k Key) ID() string {
	public, err := ssh.NewPublicKey(k.public)
	if err != nil {
		return ""
	}
	return ssh.FingerprintSHA256(public)
}

// SSH returns the key as the SSH agent knows it.
func (k Key) SSH() (ssh.PublicKey, error) { return ssh.NewPublicKey(k.public) }

// PEM returns the key as a PEM file in PKIX form, which OpenSSL, cosign and Node read.
func (k Key) PEM() []byte {
	raw, err := x509.MarshalPKIXPublicKey(k.public)
	if err != nil {
		// Only other kinds of keys fail.
		return nil
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: raw})
}

// ErrPrivate says that a file has a private key where a public one is wanted.
var ErrPrivate = errors.New("this is a private key; use the public one")

// ParsePublic reads a public key: a PEM file in PKIX form, or a line of OpenSSH such as ~/.ssh/id_ed25519.pub has.
// Errors: ErrPrivate, *KindError, or what is wrong with the file.
func ParsePublic(text []byte) (Key, error) {
	block, rest := pem.Decode(text)
	if block == nil {
		return parseSSH(text)
	}
	if bytes.HasSuffix([]byte(block.Type), []byte("PRIVATE KEY")) {
		return Key{}, ErrPrivate
	}
	// Text after the first key could be a second one that nothing would check.
	if block.Type != "PUBLIC KEY" || len(bytes.TrimSpace(rest)) > 0 {
		return Key{}, fmt.Errorf("a PEM file of type %.40q is not one public key", block.Type)
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return Key{}, fmt.Errorf("the public key cannot be read: %w", err)
	}
	ed, ok := public.(ed25519.PublicKey)
	if !ok {
		return Key{}, &KindError{fmt.Sprintf("%T", public)}
	}
	return NewKey(ed)
}

func parseSSH(text []byte) (Key, error) {
	public, _, _, rest, err := ssh.ParseAuthorizedKey(text)
	if err != nil {
		return Key{}, errors.New("this is neither a PEM file with a public key nor a public key of OpenSSH")
	}
	if len(bytes.TrimSpace(rest)) > 0 {
		return Key{}, errors.New("the file has more than one key")
	}
	return FromSSH(public)
}

// FromSSH returns a key of OpenSSH. Errors: *KindError.
func FromSSH(public ssh.PublicKey) (Key, error) {
	if public.Type() != ssh.KeyAlgoED25519 {
		return Key{}, &KindError{public.Type()}
	}
	general, ok := public.(ssh.CryptoPublicKey)
	if !ok {
		return Key{}, &KindError{public.Type()}
	}
	ed, ok := general.CryptoPublicKey().(ed25519.PublicKey)
	if !ok {
		return Key{}, &KindError{public.Type()}
	}
	return NewKey(ed)
}

// KindError says that a key is of another kind than Ed25519.
type KindError struct{ Kind string }

// Error names the kind.
func (e *KindError) Error() string {
	return fmt.Sprintf("a key of the kind %q cannot be used (use Ed25519: ssh-keygen -t ed25519)", e.Kind)
}

// EncodePrivate returns a private key as a PEM file in PKCS #8 form.
func EncodePrivate(key ed25519.PrivateKey) ([]byte, error) {
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), nil
}

// ParsePrivate reads a private key: PEM in PKCS #8 form, or a file of OpenSSH that is not encrypted. Errors: *KindError;
// *EncryptedError; or what is wrong with the file.
func ParsePrivate(text []byte) (ed25519.PrivateKey, error) {
	private, err := ssh.ParseRawPrivateKey(text)
	if locked, ok := errors.AsType[*ssh.PassphraseMissingError](err); ok {
		out := &EncryptedError{}
		// Files in the old format of OpenSSH do not have it.
		if locked.PublicKey != nil {
			out.Key, err = FromSSH(locked.PublicKey)
			if err != nil {
				return nil, err
			}
		}
		return nil, out
	}
	if err != nil {
		return nil, fmt.Errorf("the private key cannot be read: %w", err)
	}
	// The library returns either, by the format of the file.
	switch key := private.(type) {
	case ed25519.PrivateKey:
		return key, nil
	case *ed25519.PrivateKey:
		return *key, nil
	}
	return nil, &KindError{fmt.Sprintf("%T", private)}
}

// EncryptedError says that a private key is encrypted. Key is its public key, zero if the file does not have it.
type EncryptedError struct{ Key Key }

// Error says what the file is.
func (e *EncryptedError) Error() string { return "the private key is encrypted" }
