package keys

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

// TrustInput names the key to trust.
type TrustInput struct {
	Name string `json:"name,omitempty" jsonschema:"Name of the key (default: your email address, from git's settings)"`
	File string `json:"key,omitempty" jsonschema:"File with the public key: PEM, or a public key of OpenSSH (default: this machine's key)"`
}

// TrustResult is the key that is trusted now.
type TrustResult struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Path   string `json:"path"`             // of its file in the repository
	Commit string `json:"commit,omitempty"` // "" if the file was there, or git ignores .chant
	Branch string `json:"branch,omitempty"` // on which the commit is
}

// Trust adds a public key to the keys whose evidence the project trusts, in one commit on the branch that is checked out.
// Errors: NotFound without a key, Usage for an invalid name or a private key, Invalid for a key that cannot be used,
// Conflict if the name belongs to another key, State inside a run.
func Trust(ctx context.Context, p *engine.Project, in TrustInput) (TrustResult, error) {
	result, err := trust(ctx, p, in)
	return engine.Done(result, withAdvice(err), "")
}

func trust(ctx context.Context, p *engine.Project, in TrustInput) (TrustResult, error) {
	if err := engine.MayInside(p, "key", ""); err != nil {
		return TrustResult{}, err
	}
	key, err := keyToTrust(p, in.File)
	if err != nil {
		return TrustResult{}, err
	}
	name, err := nameFor(ctx, p, in.Name)
	if err != nil {
		return TrustResult{}, err
	}
	r := TrustResult{Name: name, ID: key.ID(), Path: store.KeysDir + "/" + keyfile.FileOf(name)}
	trusted, err := trustedInHome(ctx, p)
	if err != nil {
		return TrustResult{}, err
	}
	for _, t := range trusted {
		switch same := t.Key.Equal(key); {
		case strings.EqualFold(t.Name, name) && !same:
			return TrustResult{}, engine.Fail(engine.Conflict, next.KeyList.On(), "the name %q belongs to another key; remove %s first, or choose another name", t.Name, store.KeysDir+"/"+keyfile.FileOf(t.Name))
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
			return attest.Key{}, &keyfile.FileError{Path: file, Why: plain(err), Err: err}
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

// plain is an error without the path that it is about.
func plain(err error) string {
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
func commitKey(ctx context.Context, p *engine.Project, key attest.Key, r *TrustResult) error {
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
