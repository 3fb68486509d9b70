package jetstream

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"

	"chant/engine/fleet"
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
	// Its mode is 0600 from the start.
	temp, err := os.CreateTemp(filepath.Dir(file), ".seed-*")
	if err != nil {
		return nil, err
	}
	_, err = temp.Write(append(seed, '\n'))
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		// A link fails if the file exists, where a rename would replace the key that another process has made.
		err = os.Link(temp.Name(), file)
	}
	err = errors.Join(err, os.Remove(temp.Name()))
	if errors.Is(err, fs.ErrExist) {
		return os.ReadFile(file)
	}
	return append(seed, '\n'), err
}

// Sign returns a signature of a text with the key of the connection, "" if it has none.
func (b *Broker) Sign(text []byte) (string, error) {
	if b.pair == nil {
		return "", nil
	}
	signature, err := b.pair.Sign(text)
	return base64.StdEncoding.EncodeToString(signature), err
}

// Verify checks that a node has signed a text, if the queue has the keys of the nodes. Error: fleet.ErrNotSigned.
func (b *Broker) Verify(ctx context.Context, node string, text []byte, signature string) error {
	found, err := b.readAll(ctx, b.project.KeptStream(), b.project.Any("key"))
	// A server of the team's own has no keys, and then the queue alone says who has taken a spec.
	if err != nil || len(found) == 0 {
		return err
	}
	sum, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		return fleet.ErrNotSigned
	}
	for _, m := range found {
		if m.subject != b.project.Key(node) {
			continue
		}
		public, err := nkeys.FromPublicKey(string(m.data))
		if err == nil {
			err = public.Verify(text, sum)
		}
		if err == nil {
			return nil
		}
	}
	return fleet.ErrNotSigned
}

// Trust makes these the public keys of the nodes. Only hubs may.
func (b *Broker) Trust(ctx context.Context, keys map[string]string) error {
	found, err := b.readAll(ctx, b.project.KeptStream(), b.project.Any("key"))
	if err != nil {
		return err
	}
	has := map[string]string{} // by subject
	for _, m := range found {
		has[m.subject] = string(m.data)
	}
	for node, key := range keys {
		on := b.project.Key(node)
		if has[on] != key {
			if _, err := b.store(ctx, b.project.KeptStream(), on, []byte(key), anySequence); err != nil {
				return err
			}
		}
		delete(has, on)
	}
	for on, key := range has {
		if key == "" {
			continue
		}
		if _, err := b.store(ctx, b.project.KeptStream(), on, nil, anySequence); err != nil {
			return err
		}
	}
	return nil
}
