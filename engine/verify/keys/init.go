package keys

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/spec/next"
)

// InitInput says which key to use.
type InitInput struct {
	SSH string `json:"ssh,omitempty" jsonschema:"Path of a private Ed25519 key of OpenSSH to use instead of a new key"`
}

// InitResult is the key of this machine.
type InitResult struct {
	ID     string `json:"id"`     // fingerprint
	Type   string `json:"type"`   // ed25519
	Kind   string `json:"kind"`   // chant or OpenSSH
	Path   string `json:"path"`   // of the private key
	Public string `json:"public"` // the public key, PEM
}

// Init makes the key with which this machine signs evidence, or uses one of OpenSSH. It replaces nothing and trusts
// nothing. Errors: Conflict if there is a key, Invalid for a key that cannot be used, State if only an SSH agent could
// sign with it and none does, State inside a run.
func Init(ctx context.Context, p *engine.Project, in InitInput) (InitResult, error) {
	result, err := initKey(ctx, p, in)
	return engine.Done(result, err, "")
}

func initKey(ctx context.Context, p *engine.Project, in InitInput) (InitResult, error) {
	if err := engine.MayInside(p, "key", ""); err != nil {
		return InitResult{}, err
	}
	var own *keyfile.Own
	var err error
	if in.SSH == "" {
		own, err = keyfile.Create(p.Environ, p.Rand)
	} else {
		own, err = keyfile.CreateSSH(p.Environ, p.Rand, in.SSH)
	}
	if err != nil {
		return InitResult{}, withAdvice(err)
	}
	if err := journal.RecordOwn(p.Store, map[string]string{journal.MachineKey: own.Public.ID()}, p.Now()); err != nil {
		return InitResult{}, err
	}
	return InitResult{ID: own.Public.ID(), Type: typeName, Kind: own.Kind(), Path: own.Path(), Public: string(own.Public.PEM())}, ctx.Err()
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
