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

// fewNames is for how many names looking for a file of each takes less time than listing all folders of objects.
const fewNames = 1024

// Replaced lists, of these objects, those that have a file of their own whose content is not theirs. Git does not notice
// when it reads such a file. Objects in packs are left out.
func (o *Store) Replaced(ctx context.Context, hashes []string) ([]string, error) {
	if len(hashes) > fewNames {
		all, err := o.Loose()
		if err != nil {
			return nil, err
		}
		slices.Sort(all)
		hashes = slices.DeleteFunc(slices.Clone(hashes), func(name string) bool {
			_, loose := slices.BinarySearch(all, name)
			return !loose
		})
	}
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

// Loose lists the names of the objects with files of their own, in no order.
func (o *Store) Loose() (names []string, err error) {
	top := filepath.Join(o.site.Common, "objects")
	for i := range 256 {
		begin := fmt.Sprintf("%02x", i)
		entries, err := namesIn(filepath.Join(top, begin))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if name := begin + entry; len(name) == 2*o.site.Format.HashSize { // else a file that git is writing
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// namesIn lists the names in a folder, in no order; none if there is no such folder.
func namesIn(folder string) ([]string, error) {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	return names, errors.Join(err, f.Close())
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
