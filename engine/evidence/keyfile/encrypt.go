package keyfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"chant/engine/evidence/attest"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"
)

// ErrOtherKey says that a text was encrypted for another key.
var ErrOtherKey = errors.New("it is encrypted for the key of another machine")

// Encrypts reports whether texts can be encrypted that the key opens again: not by one that only an SSH agent has, which
// signs and does nothing else. Errors: *FileError.
func (o *Own) Encrypts() (bool, error) {
	_, err := o.private()
	if _, locked := errors.AsType[*attest.EncryptedError](err); o.SSH != "" && (locked || errors.Is(err, fs.ErrNotExist)) {
		return false, nil
	}
	return err == nil, err
}

// Encrypt encrypts a text for the key, as an armored file of age.
func (o *Own) Encrypt(text []byte) ([]byte, error) {
	public, err := o.Public.SSH()
	if err != nil {
		return nil, err
	}
	to, err := agessh.NewEd25519Recipient(public)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	armored := armor.NewWriter(&out)
	w, err := age.Encrypt(armored, to)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = errors.Join(w.Close(), armored.Close())
	}
	return out.Bytes(), err
}

// Decrypt opens what Encrypt has made. Errors: ErrOtherKey; *FileError; what is wrong with the text.
func (o *Own) Decrypt(text []byte) ([]byte, error) {
	private, err := o.private()
	if err != nil {
		return nil, err
	}
	by, err := agessh.NewEd25519Identity(private)
	if err != nil {
		return nil, err
	}
	r, err := age.Decrypt(armor.NewReader(bytes.NewReader(text)), by)
	if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
		return nil, ErrOtherKey
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
