package keyfile

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/attest"
	"chant/providers"
)

// Own is the key of this machine's user. It holds no secret until it signs.
type Own struct {
	Public attest.Key
	SSH    string // path of the private key of OpenSSH, "" for a key of chant's own

	folder string
	agent  string // socket of the SSH agent, "" for none
}

// Load returns the key of this machine's user, nil if there is none. Errors: *FileError.
func Load(environ []string) (*Own, error) {
	folder := Folder(environ)
	if folder == "" {
		return nil, nil
	}
	path := filepath.Join(folder, PublicName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(path, err)
	}
	own := &Own{folder: folder, agent: providers.Variable(environ, "SSH_AUTH_SOCK")}
	if own.Public, err = attest.ParsePublic(text); err != nil {
		return nil, fileError(path, err)
	}
	// Without a reference the key is chant's own.
	ref, err := readSecret(filepath.Join(folder, sshName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	own.SSH = strings.TrimSpace(string(ref))
	return own, nil
}

// Kind describes where the private key is.
func (o *Own) Kind() string {
	if o.SSH != "" {
		return "OpenSSH"
	}
	return "chant"
}

// Path is the file of the private key.
func (o *Own) Path() string {
	if o.SSH != "" {
		return o.SSH
	}
	return filepath.Join(o.folder, privateName)
}

// Signer returns what signs with the key. Errors: *FileError; *UnavailableError if only an SSH agent could sign, and
// none does.
func (o *Own) Signer() (attest.Signer, error) {
	private, err := o.private()
	if err == nil {
		return signer{o.Public, private}, nil
	}
	locked, encrypted := errors.AsType[*attest.EncryptedError](err)
	// The SSH agent is asked only for a file that is encrypted or gone, and for the key that the project knows.
	if o.SSH == "" || !encrypted && !errors.Is(err, fs.ErrNotExist) || encrypted && !locked.Key.IsZero() && !locked.Key.Equal(o.Public) {
		return nil, err
	}
	a := agentSigner{key: o.Public, socket: o.agent}
	if err := a.checkHeld(); err != nil {
		return nil, &UnavailableError{Path: o.SSH, Err: err}
	}
	return a, nil
}

// private reads the private key.
func (o *Own) private() (ed25519.PrivateKey, error) {
	text, err := readSecret(o.Path())
	if err != nil {
		return nil, err
	}
	private, err := attest.ParsePrivate(text)
	if err != nil {
		return nil, fileError(o.Path(), err)
	}
	// The files may come from two different keys, and the evidence would be forged.
	if public, ok := private.Public().(ed25519.PublicKey); !ok || !o.Public.Is(public) {
		return nil, &FileError{Path: o.Path(), Why: "belongs to another public key than " + filepath.Join(o.folder, PublicName)}
	}
	return private, nil
}

// Lines returns the lines by which the text of the private key is found elsewhere, none where its file cannot be read.
func (o *Own) Lines() []string {
	text, err := readSecret(o.Path())
	if err != nil {
		// Signing reports it.
		return nil
	}
	lines := slices.DeleteFunc(strings.Fields(string(text)), func(word string) bool { return len(word) < minLine })
	// Of several, the first is the same in all keys of OpenSSH.
	return lines[min(max(len(lines)-1, 0), 1):]
}

// minLine is the length in bytes from which a word of a key's file is found by chance nowhere else.
const minLine = 40

// JournalSecret returns the secret with which journals are sealed on this machine.
func (o *Own) JournalSecret() ([]byte, error) {
	path := filepath.Join(o.folder, journalName)
	secret, err := readSecret(path)
	// An empty file would make a seal that anyone can make.
	if err == nil && len(secret) < journalBytes {
		err = &FileError{Path: path, Why: fmt.Sprintf("is too short for a secret (%d bytes)", len(secret))}
	}
	return secret, err
}

// signer signs with a key in memory.
type signer struct {
	key     attest.Key
	private ed25519.PrivateKey
}

// Key implements attest.Signer.
func (s signer) Key() attest.Key { return s.key }

// Sign implements attest.Signer.
func (s signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(s.private, data), nil
}
