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
	"os"
	"path/filepath"
	"slices"

	"chant/gitops/layout"
)

// Replaced lists, of these objects, those that have a file of their own whose content is not theirs. Git does not notice
// when it reads such a file. Objects in packs are left out.
func (o *Store) Replaced(ctx context.Context, hashes []string) ([]string, error) {
	all, err := o.Loose()
	if err != nil {
		return nil, err
	}
	var wrong []string
	for _, name := range hashes {
		if _, loose := slices.BinarySearch(all, name); !loose {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := layout.ReadPlain(o.loosePath(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // packed meanwhile
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

// Loose lists the names of all objects with files of their own, sorted.
func (o *Store) Loose() ([]string, error) {
	top := filepath.Join(o.site.Common, "objects")
	var out []string
	for i := range 256 {
		begin := fmt.Sprintf("%02x", i)
		entries, err := os.ReadDir(filepath.Join(top, begin))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if name := begin + entry.Name(); len(name) == 2*o.site.Format.HashSize { // else a file that git is writing
				out = append(out, name)
			}
		}
	}
	return out, nil
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
