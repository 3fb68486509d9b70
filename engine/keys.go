package engine

import (
	"context"
	"errors"
	"path/filepath"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/heldout"
	"chant/engine/evidence/keyfile"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// OwnKey returns the key with which this machine signs evidence, nil if there is none. Errors: *keyfile.FileError.
func OwnKey(p *Project) (*keyfile.Own, error) { return keyfile.Load(p.Environ) }

// TrustedKeys returns the keys that a commit trusts, or home if git ignores .chant.
func TrustedKeys(ctx context.Context, p *Project, commit string) ([]attest.Trusted, error) {
	onDisk := filepath.Join(Home(p), filepath.FromSlash(store.KeysDir))
	// Without the folder, git need not be asked whether it ignores .chant.
	if Exists(onDisk) {
		tracked, err := p.Store.Tracked(ctx)
		if err != nil {
			return nil, err
		}
		if !tracked {
			return keyfile.TrustedIn(onDisk)
		}
	}
	// A key that lies only in the checkout is in no commit, and is not trusted.
	return keyfile.TrustedAt(ctx, p.Repo, commit, store.KeysDir)
}

// journalSecret returns the secret that seals journals on this machine, nil without a key.
func journalSecret(environ []string) ([]byte, error) {
	own, err := keyfile.Load(environ)
	if own == nil || err != nil {
		return nil, err
	}
	return own.JournalSecret()
}

// fromKeys converts the errors of package keyfile.
func fromKeys(err error, _ string) *Error {
	var (
		file   *keyfile.FileError
		exists *keyfile.ExistsError
		locked *keyfile.UnavailableError
		sealed *heldout.SealedError
	)
	switch {
	case errors.As(err, &sealed):
		return Fail(Blocked, next.Guide.On("proof"), "%s", sealed)
	case errors.Is(err, keyfile.ErrOtherKey):
		return Fail(Blocked, next.Guide.On("proof"), "the held-out criteria that are there cannot be opened: %s", err)
	case errors.As(err, &exists):
		return Fail(Conflict, next.KeyList.On(), "%s", exists)
	case errors.As(err, &locked):
		return Fail(State, next.Shell("ssh-add %q", locked.Path), "%s", locked)
	case errors.As(err, &file):
		return Fail(Invalid, next.KeyList.Help(), "%s", file)
	case errors.Is(err, keyfile.ErrNoFolder):
		return Fail(State, next.Shell("export XDG_CONFIG_HOME=/path/to/a/folder"), "%s", err)
	}
	return nil
}
