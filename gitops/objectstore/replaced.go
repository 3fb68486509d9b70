package objectstore

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"

	"chant/gitops/layout"
)

// Replaced lists, of these objects, those that have a file of their own whose content is not theirs. Git does not notice
// when it reads such a file. Objects in packs are left out.
func (o *Store) Replaced(ctx context.Context, hashes []string) ([]string, error) {
	var wrong []string
	for _, name := range hashes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := layout.ReadPlain(o.loosePath(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // in a pack
		}
		if err != nil {
			return nil, err
		}
		found, ok := decodeLoose(text)
		if !ok || nameOf(found, len(name)) != name {
			wrong = append(wrong, name)
		}
	}
	return wrong, nil
}

// nameOf computes the name of an object; length is that of names in the repository, in hex digits.
func nameOf(found object, length int) string {
	var sum hash.Hash = sha1.New()
	if length == 2*sha256.Size {
		sum = sha256.New()
	}
	fmt.Fprintf(sum, "%s %d\x00", found.kind, len(found.data))
	sum.Write(found.data)
	return hex.EncodeToString(sum.Sum(nil))
}
