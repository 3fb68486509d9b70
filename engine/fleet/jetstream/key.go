package jetstream

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
)

// Key returns the public key of the nkey whose seed is in a file. A missing file is created, with a new seed that only
// its owner can read. The seed never leaves the file: a server gets the public key, and signatures.
func Key(file string) (public string, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = createKey(file)
	}
	if err != nil {
		return "", err
	}
	pair, err := nkeys.ParseDecoratedUserNKey(text)
	if err != nil {
		return "", fmt.Errorf("%q has no seed of a user", file)
	}
	return pair.PublicKey()
}

// createKey writes a new seed, unless another process was faster.
func createKey(file string) ([]byte, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".seed-*") // with mode 0600
	if err != nil {
		return nil, err
	}
	_, err = temp.Write(append(seed, '\n'))
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Link(temp.Name(), file)
	}
	err = errors.Join(err, os.Remove(temp.Name()))
	if errors.Is(err, fs.ErrExist) {
		return os.ReadFile(file)
	}
	return append(seed, '\n'), err
}
