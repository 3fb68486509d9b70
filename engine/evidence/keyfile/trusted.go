package keyfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"chant/engine/evidence/attest"
	"chant/gitops"
)

// suffix is that of the files of trusted keys.
const suffix = ".pub"

// nameForm matches the names of trusted keys.
var nameForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_+@-][A-Za-z0-9._+@-]{0,99}$`)
})

// ValidName reports whether a trusted key may have this name.
func ValidName(name string) bool { return nameForm().MatchString(name) }

// FileOf returns the name of the file of a trusted key.
func FileOf(name string) string { return name + suffix }

// TrustedAt returns the keys that a commit trusts, by name: those in its folder dir, slash-separated. Errors: *FileError
// for a file that is not a key; gitops.ErrNotFound for a commit that is missing.
func TrustedAt(ctx context.Context, repo *gitops.Repo, commit, dir string) ([]attest.Trusted, error) {
	entries, err := repo.ReadDir(ctx, commit, dir)
	// A commit without the folder trusts no key.
	if errors.Is(err, gitops.ErrNotFound) {
		if _, err := repo.ReadCommit(ctx, commit); err != nil {
			return nil, err
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []attest.Trusted
	for _, e := range entries {
		out, err = addTrusted(out, dir+"/"+e.Name, e.Name, func() ([]byte, error) { return repo.ReadFile(ctx, commit, dir+"/"+e.Name) })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// TrustedIn returns the keys in a folder on disk, for a project whose .chant git ignores. Errors: *FileError.
func TrustedIn(dir string) ([]attest.Trusted, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(dir, err)
	}
	var out []attest.Trusted
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if out, err = addTrusted(out, path, e.Name(), func() ([]byte, error) { return os.ReadFile(path) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addTrusted adds the key of a file; other files are not keys.
func addTrusted(to []attest.Trusted, path, file string, read func() ([]byte, error)) ([]attest.Trusted, error) {
	name, ok := strings.CutSuffix(file, suffix)
	if !ok {
		return to, nil
	}
	// Otherwise a file would be ignored that was meant to be trusted.
	if !ValidName(name) {
		return nil, &FileError{Path: path, Why: fmt.Sprintf("%q is not a valid name of a key", name)}
	}
	text, err := read()
	if err != nil {
		return nil, fileError(path, err)
	}
	key, err := attest.ParsePublic(text)
	if err != nil {
		return nil, fileError(path, err)
	}
	return append(to, attest.Trusted{Name: name, Key: key}), nil
}
