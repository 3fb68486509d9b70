package heldout

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"chant/engine/evidence/keyfile"
	"chant/engine/spec"
	"chant/engine/store"
)

// Section is the held-out criteria of a spec.
type Section struct {
	Text     []byte // as a person has written it
	Criteria []spec.Criterion
	Digest   string // SHA-256 of the encrypted file, "" if the file is plain
}

// SealedError says that the criteria of a spec cannot be opened here.
type SealedError struct {
	ID, Path, Digest string
	Err              error
}

// Error names the file.
func (e *SealedError) Error() string {
	return fmt.Sprintf("the held-out criteria of spec %q are sealed for another machine (%s)", e.ID, e.Path)
}

// Unwrap returns the cause.
func (e *SealedError) Unwrap() error { return e.Err }

// Read reads the held-out criteria of a spec, nil if it has none, and for whoever asks inside a run. Errors: *SealedError;
// *keyfile.FileError.
func Read(s *store.Store, environ []string, id string) (*Section, error) {
	if s.RunOf() != "" {
		return nil, nil
	}
	file, err := s.ReadHeldOut(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := &Section{Text: file}
	if store.IsSealed(file) {
		out.Digest = Digest(file)
		if out.Text, err = open(environ, file); errors.Is(err, keyfile.ErrOtherKey) {
			return nil, &SealedError{id, store.HeldOutPath(id), out.Digest, err}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", store.HeldOutPath(id), err)
		}
	}
	out.Criteria, err = spec.HeldOutCriteria(store.HeldOutPath(id), out.Text)
	return out, err
}

// Digest is the SHA-256 of a file, in hex.
func Digest(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

// open decrypts a file with this machine's key.
func open(environ []string, file []byte) ([]byte, error) {
	own, err := keyfile.Load(environ)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return nil, keyfile.ErrOtherKey
	}
	if can, err := own.Encrypts(); err != nil || !can {
		return nil, errors.Join(err, keyfile.ErrOtherKey)
	}
	return own.Decrypt(file)
}

// Seal returns the file with the criteria of an earlier file, nil for none, and of a section: encrypted if this machine has
// a key that opens it again, else plain.
func Seal(environ []string, have, section []byte) ([]byte, error) {
	text := have
	if store.IsSealed(have) {
		var err error
		if text, err = open(environ, have); err != nil {
			return nil, err
		}
	}
	// A process that was killed may have added it before.
	if !bytes.Contains(text, bytes.TrimSpace(section)) {
		if text = bytes.TrimRight(text, "\r\n"); len(text) > 0 {
			text = append(text, "\n\n"...)
		}
		text = append(text, section...)
	}
	own, err := keyfile.Load(environ)
	if err != nil || own == nil {
		return text, err
	}
	if can, err := own.Encrypts(); err != nil || !can {
		return text, err
	}
	return own.Encrypt(text)
}
