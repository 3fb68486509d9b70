package keys

import (
	"context"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/keyfile"
)

// ListInput has no fields.
type ListInput struct{}

// ListResult lists this machine's key first, then the other trusted ones by name.
type ListResult struct {
	Keys []Key `json:"keys"`
}

// Key is one key.
type Key struct {
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

// List lists the key of this machine and the keys that the commit in home trusts. Errors: Invalid for a file that is not a
// key.
func List(ctx context.Context, p *engine.Project, _ ListInput) (ListResult, error) {
	result, err := list(ctx, p)
	return engine.Done(result, withAdvice(err), "")
}

func list(ctx context.Context, p *engine.Project) (ListResult, error) {
	r := ListResult{Keys: []Key{}}
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
			r.Keys = append(r.Keys, Key{Name: t.Name, ID: t.Key.ID(), Type: typeName, Trusted: true})
		}
	}
	return r, nil
}

// describeOwn describes this machine's key; its name is the one under which it is trusted.
func describeOwn(own *keyfile.Own, trusted []attest.Trusted) Key {
	k := Key{ID: own.Public.ID(), Type: typeName, Own: true, Kind: own.Kind(), Path: own.Path()}
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
