package keyfile

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/evidence/attest"
	"chant/providers"
)

// journalBytes is the length of the secret of journals.
const journalBytes = 32

// ErrNoFolder says that the environment names no folder for keys.
var ErrNoFolder = errors.New("no folder for keys is known (set HOME or XDG_CONFIG_HOME)")

// ExistsError says that this machine has a key already.
type ExistsError struct{ Path string }

// Error names its file.
func (e *ExistsError) Error() string { return fmt.Sprintf("there is a key already: %s", e.Path) }

// Create makes a key for this machine's user. Errors: *ExistsError, *FileError, ErrNoFolder.
func Create(environ []string, random io.Reader) (*Own, error) {
	public, private, err := ed25519.GenerateKey(random)
	if err != nil {
		return nil, err
	}
	key, err := attest.NewKey(public)
	if err != nil {
		return nil, err
	}
	text, err := attest.EncodePrivate(private)
	if err != nil {
		return nil, err
	}
	return writeKey(environ, random, privateName, text, key)
}

// CreateSSH makes a private key of OpenSSH the key of this machine's user, by a reference to its file. If the file is
// encrypted, the SSH agent must have the key. Errors: like Create; *UnavailableError; *FileError for other kinds of keys.
func CreateSSH(environ []string, random io.Reader, path string) (*Own, error) {
	path, err := filepath.Abs(strings.TrimSuffix(path, ".pub"))
	if err != nil {
		return nil, err
	}
	key, err := publicOf(path)
	if err != nil {
		return nil, err
	}
	// Tried first, so that no key is stored that cannot sign.
	trial := &Own{Public: key, SSH: path, folder: Folder(environ), agent: providers.Variable(environ, "SSH_AUTH_SOCK")}
	if _, err := trial.Signer(); err != nil {
		return nil, err
	}
	return writeKey(environ, random, sshName, []byte(path+"\n"), key)
}

// publicOf returns the public key of a private one: from the file beside it, or from the private file.
func publicOf(path string) (attest.Key, error) {
	// Beside it, since an encrypted file may not have it.
	text, err := os.ReadFile(path + ".pub")
	if err == nil {
		key, err := attest.ParsePublic(text)
		if err != nil {
			return key, fileError(path+".pub", err)
		}
		return key, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return attest.Key{}, fileError(path+".pub", err)
	}
	if text, err = readSecret(path); err != nil {
		return attest.Key{}, fileError(path, err)
	}
	private, err := attest.ParsePrivate(text)
	// Newer files of OpenSSH have the public key unencrypted.
	if locked, ok := errors.AsType[*attest.EncryptedError](err); ok && !locked.Key.IsZero() {
		return locked.Key, nil
	}
	if err != nil {
		return attest.Key{}, fileError(path, err)
	}
	public, ok := private.Public().(ed25519.PublicKey)
	if !ok {
		return attest.Key{}, &FileError{Path: path, Why: "has no public key"}
	}
	return attest.NewKey(public)
}

// writeKey writes the files of a key. The public key is last: without it there is no key. A file that is left of an
// interrupted attempt is replaced, since nothing was signed with it.
func writeKey(environ []string, random io.Reader, name string, text []byte, key attest.Key) (*Own, error) {
	folder := Folder(environ)
	if folder == "" {
		return nil, ErrNoFolder
	}
	if path := filepath.Join(folder, PublicName); fileExists(path) {
		return nil, &ExistsError{path}
	}
	secret := make([]byte, journalBytes)
	if _, err := io.ReadFull(random, secret); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fileError(folder, err)
	}
	// An existing folder may be open to others.
	if err := os.Chmod(folder, 0o700); err != nil {
		return nil, fileError(folder, err)
	}
	// Without the public key nothing was signed with these.
	for _, left := range []string{privateName, sshName, journalName} {
		if err := os.Remove(filepath.Join(folder, left)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fileError(folder, err)
		}
	}
	for _, file := range []struct {
		name string
		text []byte
		mode fs.FileMode
		// In this order: the public key makes the others count.
	}{{journalName, secret, 0o600}, {name, text, 0o600}, {PublicName, key.PEM(), 0o644}} {
		if err := writeNew(filepath.Join(folder, file.name), file.text, file.mode); err != nil {
			return nil, err
		}
	}
	return Load(environ)
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
