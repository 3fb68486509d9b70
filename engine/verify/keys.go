package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// KeyInitInput says which key to use.
type KeyInitInput struct {
	SSH string `json:"ssh,omitempty" jsonschema:"Path of a private Ed25519 key of OpenSSH to use instead of a new key"`
}

// KeyInitResult is the key of this machine.
type KeyInitResult struct {
	ID     string `json:"id"`     // fingerprint
	Type   string `json:"type"`   // ed25519
	Kind   string `json:"kind"`   // chant or OpenSSH
	Path   string `json:"path"`   // of the private key
	Public string `json:"public"` // the public key, PEM

	Next next.Advice `json:"next,omitzero"`
}

// InitKey makes the key with which this machine signs evidence, or uses one of OpenSSH. It replaces nothing and trusts
// nothing. Errors: Conflict if there is a key, Invalid for a key that cannot be used, State if only an SSH agent could
// sign with it and none does, State inside a run.
func InitKey(ctx context.Context, p *engine.Project, in KeyInitInput) (KeyInitResult, error) {
	result, err := initKey(ctx, p, in)
	return engine.Done(result, err, "")
}

func initKey(ctx context.Context, p *engine.Project, in KeyInitInput) (KeyInitResult, error) {
	if err := engine.MayInside(p, "key", ""); err != nil {
		return KeyInitResult{}, err
	}
	var own *keyfile.Own
	var err error
	if in.SSH == "" {
		own, err = keyfile.Create(p.Environ, p.Rand)
	} else {
		own, err = keyfile.CreateSSH(p.Environ, p.Rand, in.SSH)
	}
	if err != nil {
		return KeyInitResult{}, withAdvice(err)
	}
	// A run whose agent works now would otherwise be charged with the new key.
	if err := journal.RecordOwn(p.Store, map[string]string{journal.MachineKey: own.Public.ID()}, p.Now()); err != nil {
		return KeyInitResult{}, err
	}
	return KeyInitResult{
		ID: own.Public.ID(), Type: typeName, Kind: own.Kind(), Path: own.Path(), Public: string(own.Public.PEM()),
		Next: next.KeyTrust.On().Because("evidence counts where the project trusts its key"),
	}, ctx.Err()
}

// typeName is the type of all keys.
const typeName = "ed25519"

// withAdvice adds to the error about a key of another kind how to make one that can be used.
func withAdvice(err error) error {
	if kind, ok := errors.AsType[*attest.KindError](err); ok {
		return engine.Fail(engine.Invalid, next.KeyInit.On(), "%s", kind)
	}
	if errors.Is(err, attest.ErrPrivate) {
		return engine.Fail(engine.Usage, next.KeyTrust.Help(), "%s", err)
	}
	return err
}

// KeyListInput has no fields.
type KeyListInput struct{}

// KeyListResult lists this machine's key first, then the other trusted ones by name.
type KeyListResult struct {
	Keys []KnownKey `json:"keys"`
	engine.Page
}

// KnownKey is one key.
type KnownKey struct {
	Name    string `json:"name,omitempty"` // "" for this machine's key while it is not trusted
	ID      string `json:"id"`
	Type    string `json:"type"`
	Trusted bool   `json:"trusted"`          // by the branch that is checked out
	Own     bool   `json:"own"`              // of this machine
	Signs   bool   `json:"signs"`            // this machine can sign with it now
	Kind    string `json:"kind,omitempty"`   // of this machine's key: chant or OpenSSH
	Path    string `json:"path,omitempty"`   // of this machine's private key
	Why     string `json:"reason,omitempty"` // why this machine's key cannot sign
}

// ListKeys lists the key of this machine and the keys that the commit in home trusts. Errors: Invalid for a file that is not a
// key.
func ListKeys(ctx context.Context, p *engine.Project, _ KeyListInput) (KeyListResult, error) {
	result, err := listKeys(ctx, p)
	return engine.Done(result, withAdvice(err), "")
}

func listKeys(ctx context.Context, p *engine.Project) (KeyListResult, error) {
	r := KeyListResult{Keys: []KnownKey{}}
	own, err := engine.OwnKey(p)
	if err != nil {
		return r, err
	}
	trusted, err := trustedInHome(ctx, p)
	if err != nil {
		return r, err
	}
	if own != nil {
		r.Keys = append(r.Keys, describeOwn(own, trusted))
	}
	for _, t := range trusted {
		if own == nil || !t.Key.Equal(own.Public) {
			r.Keys = append(r.Keys, KnownKey{Name: t.Name, ID: t.Key.ID(), Type: typeName, Trusted: true})
		}
	}
	r.Page = engine.Whole(len(r.Keys))
	return r, nil
}

// describeOwn describes this machine's key; its name is the one under which it is trusted.
func describeOwn(own *keyfile.Own, trusted []attest.Trusted) KnownKey {
	k := KnownKey{ID: own.Public.ID(), Type: typeName, Own: true, Kind: own.Kind(), Path: own.Path()}
	for _, t := range trusted {
		if t.Key.Equal(own.Public) {
			k.Name, k.Trusted = t.Name, true
			break
		}
	}
	if _, err := own.Signer(); err != nil {
		k.Why = err.Error()
	}
	k.Signs = k.Why == ""
	return k
}

// trustedInHome returns the keys that the commit in home trusts.
func trustedInHome(ctx context.Context, p *engine.Project) ([]attest.Trusted, error) {
	head, err := p.Repo.Head(ctx, engine.Home(p))
	if err != nil {
		return nil, err
	}
	return engine.TrustedKeys(ctx, p, head.Hash)
}

// These are the operations on keys that sign evidence: making this machine's key, listing keys, and trusting one.
//
// Rules:
//
//   - A person decides about keys: nothing here works inside a run, apart from listing.
//   - Making a key trusts nothing. A key is trusted once its public file is committed below .chant/keys.

// KeyTrustInput names the key to trust.
type KeyTrustInput struct {
	Name string `json:"name,omitempty" jsonschema:"Name of the key (default: your email address, from git's settings)"`
	File string `json:"key,omitempty" jsonschema:"File with the public key: PEM, or a public key of OpenSSH (default: this machine's key)"`
}

// KeyTrustResult is the key that is trusted now.
type KeyTrustResult struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Path   string `json:"path"`             // of its file in the repository
	Commit string `json:"commit,omitempty"` // "" if the file was there, or git ignores .chant
	Branch string `json:"branch,omitempty"` // on which the commit is
}

// TrustKey adds a public key to the keys whose evidence the project trusts, in one commit on the branch that is checked out.
// Errors: NotFound without a key, Usage for an invalid name or a private key, Invalid for a key that cannot be used,
// Conflict if the name belongs to another key, State inside a run.
func TrustKey(ctx context.Context, p *engine.Project, in KeyTrustInput) (KeyTrustResult, error) {
	result, err := trustKeyFile(ctx, p, in)
	return engine.Done(result, withAdvice(err), "")
}

func trustKeyFile(ctx context.Context, p *engine.Project, in KeyTrustInput) (KeyTrustResult, error) {
	if err := engine.MayInside(p, "key", ""); err != nil {
		return KeyTrustResult{}, err
	}
	key, err := keyToTrust(p, in.File)
	if err != nil {
		return KeyTrustResult{}, err
	}
	name, err := nameFor(ctx, p, in.Name)
	if err != nil {
		return KeyTrustResult{}, err
	}
	r := KeyTrustResult{Name: name, ID: key.ID(), Path: store.KeysDir + "/" + keyfile.FileOf(name)}
	trusted, err := trustedInHome(ctx, p)
	if err != nil {
		return KeyTrustResult{}, err
	}
	for _, t := range trusted {
		switch same := t.Key.Equal(key); {
		case strings.EqualFold(t.Name, name) && !same:
			return KeyTrustResult{}, engine.Fail(engine.Conflict, next.KeyList.On(), "the name %q belongs to another key; remove %s first, or choose another name", t.Name, store.KeysDir+"/"+keyfile.FileOf(t.Name))
		case same:
			r.Name, r.Path = t.Name, store.KeysDir+"/"+keyfile.FileOf(t.Name)
			return r, nil
		}
	}
	// Before the file is there: a run whose agent ends meanwhile would be charged with it.
	if err := journal.RecordOwn(p.Store, map[string]string{r.Path: r.ID}, p.Now()); err != nil {
		return r, err
	}
	return r, commitKey(ctx, p, key, &r)
}

// keyToTrust reads the public key of a file, or returns this machine's.
func keyToTrust(p *engine.Project, file string) (attest.Key, error) {
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return attest.Key{}, &keyfile.FileError{Path: file, Why: withoutPath(err), Err: err}
		}
		key, err := attest.ParsePublic(text)
		if err != nil {
			return key, &keyfile.FileError{Path: file, Why: err.Error(), Err: err}
		}
		return key, nil
	}
	own, err := engine.OwnKey(p)
	if err != nil {
		return attest.Key{}, err
	}
	if own == nil {
		return attest.Key{}, engine.Fail(engine.NotFound, next.KeyInit.On(), "this machine has no key")
	}
	return own.Public, nil
}

// withoutPath is an error without the path that it is about.
func withoutPath(err error) string {
	if at, ok := errors.AsType[*os.PathError](err); ok {
		return at.Err.Error()
	}
	return err.Error()
}

// nameFor returns the name of a key: the given one, or the email address of the person.
func nameFor(ctx context.Context, p *engine.Project, name string) (string, error) {
	if name == "" {
		who, err := p.Repo.Identity(ctx)
		if err != nil && !errors.Is(err, gitops.ErrNoIdentity) {
			return "", err
		}
		_, mail, _ := strings.Cut(who, "<")
		if name = strings.TrimSuffix(strings.TrimSpace(mail), ">"); !keyfile.ValidName(name) {
			return "", engine.Fail(engine.Usage, next.KeyTrust.Help(), "git does not know an email address that can name the key; give a name")
		}
	}
	if !keyfile.ValidName(name) {
		return "", engine.Fail(engine.Usage, next.KeyTrust.Help(), "invalid name %q of a key (use letters, digits and . _ + @ -)", spec.Echo(name))
	}
	return name, nil
}

// commitKey writes the file of a key into home and commits it.
func commitKey(ctx context.Context, p *engine.Project, key attest.Key, r *KeyTrustResult) error {
	tracked, err := p.Store.Tracked(ctx)
	if err != nil {
		return err
	}
	path := filepath.Join(engine.Home(p), filepath.FromSlash(r.Path))
	if err := p.Store.Put(engine.Home(p), r.Path, key.PEM()); err != nil || !tracked {
		return err
	}
	hash, changed, err := p.Repo.CommitFiles(ctx, gitops.CommitOptions{
		Dir: engine.Home(p), Files: []gitops.File{{Path: r.Path, Content: key.PEM()}},
		Message: fmt.Sprintf("chant: trust the key %s\n\n%s\n\nChant-Event: trust\n", r.Name, r.ID),
	})
	if err != nil && hash == "" {
		return errors.Join(err, os.Remove(path))
	}
	if head, headErr := p.Repo.Head(ctx, engine.Home(p)); headErr == nil {
		r.Branch = head.Branch
	}
	if changed {
		r.Commit = hash
	}
	return err
}
