package guard

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"chant/engine/attest"
	"chant/engine/journal"
	"chant/engine/keyfile"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
)

// requireKey refuses a landing whose evidence could not be signed by a trusted key, if the settings require one. The key
// must be trusted where the branch began, since later changes of the target may be the agent's, and on the target now,
// since a key that was removed is not trusted.
func (g *Guard) requireKey(ctx context.Context, target string) error {
	if !g.Settings.Signed {
		return nil
	}
	own, err := keyfile.Load(g.Environ)
	if err != nil {
		return err
	}
	if own == nil {
		return &journal.Failure{Kind: spec.ReasonUnapproved, Next: next.KeyInit.On(), Message: fmt.Sprintf("spec %q cannot land: evidence.signed is set, and this machine has no key", g.Job.ID)}
	}
	if _, err := own.Signer(); err != nil {
		return &journal.Failure{Kind: spec.ReasonUnapproved, Next: next.KeyList.On(), Message: fmt.Sprintf("spec %q cannot land: evidence.signed is set, and this machine's key cannot sign: %s", g.Job.ID, err)}
	}
	base, err := g.Base(ctx)
	if err != nil {
		return err
	}
	for _, commit := range []string{base, target} {
		trusted, err := g.trustedAt(ctx, commit)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(trusted, func(t attest.Trusted) bool { return t.Key.Equal(own.Public) }) {
			continue
		}
		step := next.KeyTrust.On()
		if commit == base && base != target {
			step = next.Merge.On(g.Job.ID).Flag("rebase") // it may have been trusted since
		}
		return &journal.Failure{Kind: spec.ReasonUnapproved, Next: step, Message: fmt.Sprintf("spec %q cannot land: evidence.signed is set, and commit %.7s of %q does not trust this machine's key %s", g.Job.ID, commit, g.Job.Target, own.Public.ID())}
	}
	return nil
}

// trustedAt returns the keys that a commit trusts, or home if git ignores .chant.
func (g *Guard) trustedAt(ctx context.Context, commit string) ([]attest.Trusted, error) {
	if g.Job.Silent {
		return keyfile.TrustedIn(filepath.Join(g.Store.Home(), filepath.FromSlash(store.KeysDir)))
	}
	return keyfile.TrustedAt(ctx, g.Repo, commit, store.KeysDir)
}
