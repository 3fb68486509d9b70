package verify

import (
	"context"
	"errors"
	"fmt"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
)

// checkSignature checks the signature of evidence with the keys that are trusted. A commit that is missing here, as
// after a squash, is known by its hash, which covers its tree.
func (r *RecordedEvidence) checkSignature(ctx context.Context, p *engine.Project, trusted []attest.Trusted) error {
	idle, err := usesNoKeys(ctx, p, trusted)
	if err != nil {
		return err
	}
	if r.Signature.Idle = idle; r.attestation == nil {
		// This is evidence of an earlier version.
		return nil
	}
	tree := ""
	// After a squash the commit may be missing here; its hash, which covers the tree, still identifies it.
	at, err := p.Repo.ReadCommit(ctx, r.Commit)
	if err == nil {
		tree = at.Tree
	} else if !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	r.Signature = r.attestation.Check(ctx, r.Commit, tree, trusted)
	r.Signature.Idle = idle
	return nil
}

// usesNoKeys reports whether the project uses no keys: none is trusted, neither now nor where the evidence is looked at, and
// none is required.
func usesNoKeys(ctx context.Context, p *engine.Project, trusted []attest.Trusted) (bool, error) {
	if len(trusted) > 0 || p.Config.Evidence.Signed {
		return false, nil
	}
	now, err := readTrusted(ctx, p)
	return len(now) == 0, err
}

// signatureFindings returns the reasons for which the signature of evidence contradicts a completion: it is wrong, or the
// project requires one of a trusted key.
func (r *RecordedEvidence) signatureFindings(required bool) []string {
	found := r.Signature
	// An earlier commit may require a signature.
	found.Idle = false
	switch state := found.State; {
	case state == attest.Forged:
		return []string{fmt.Sprintf("the evidence of commit %.7s is not as it was signed: %s", r.Commit, r.Signature.Why)}
	case required && state != attest.Signed:
		return []string{fmt.Sprintf("the evidence of commit %.7s is %s, and evidence.signed requires a key of %s", r.Commit, found, store.KeysDir)}
	}
	return nil
}

// readTrusted returns the keys that the target trusts or, without a target, the commit that is checked out.
func readTrusted(ctx context.Context, p *engine.Project) ([]attest.Trusted, error) {
	name := "HEAD"
	if target, err := engine.Target(ctx, p); err == nil {
		name = "refs/heads/" + target
	}
	commit, err := p.Repo.Resolve(ctx, name)
	if errors.Is(err, gitops.ErrNotFound) {
		// There is no commit yet.
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return engine.TrustedKeys(ctx, p, commit)
}

// trust is what decides about signatures: the keys that are trusted, and whether the project requires one.
type trust struct {
	keys     []attest.Trusted
	required bool
}

// trustFor returns the trust for a spec: as it is before the range that completes the spec, so that the range cannot
// change it, or as it is now.
func (e *evidences) trustFor(ctx context.Context, sub subject) (t trust, err error) {
	before := ""
	if sub.changes != nil {
		before = sub.changes.from
	}
	if known, ok := e.trusts[before]; ok {
		return known, nil
	}
	if before == "" {
		t.required = e.p.Config.Evidence.Signed
		t.keys, err = readTrusted(ctx, e.p)
	} else if t.keys, err = engine.TrustedKeys(ctx, e.p, before); err == nil {
		t.required, err = requiresSignature(ctx, e.p, before)
	}
	if err != nil {
		return trust{}, err
	}
	if e.trusts == nil {
		e.trusts = map[string]trust{}
	}
	e.trusts[before] = t
	return t, nil
}

// requiresSignature reports whether the settings of a commit require signed evidence.
func requiresSignature(ctx context.Context, p *engine.Project, commit string) (bool, error) {
	src, err := p.Repo.ReadFile(ctx, commit, store.ConfigPath)
	if errors.Is(err, gitops.ErrNotFound) {
		return p.Config.Evidence.Signed, nil
	}
	if err != nil {
		return false, err
	}
	c := config.DefaultConfig(engine.Home(p))
	err = c.Read(src, engine.Home(p))
	return c.Evidence.Signed, err
}

// signatureOf checks the signature of the evidence of a completed spec that no range selected, and returns the reasons
// against its completion. The signature is nil if there is no evidence.
func signatureOf(ctx context.Context, e *evidences, sub subject) (*attest.Signature, forgeryFindings, error) {
	h, err := journal.ReadHistory(e.p.Store, sub.s.ID)
	if err != nil {
		return nil, forgeryFindings{}, err
	}
	t, err := e.trustFor(ctx, sub)
	if err != nil {
		return nil, forgeryFindings{}, err
	}
	found, err := e.find(ctx, sub.s.ID, commitsOf(h)...)
	if err != nil {
		return nil, forgeryFindings{}, err
	}
	if found == nil {
		if !t.required || !criteria.PlanFor(sub.s, sub.s, sub.checks).Any() {
			return nil, forgeryFindings{}, nil
		}
		return nil, found.findingsAbout(sub.s), nil
	}
	err = found.checkSignature(ctx, e.p, t.keys)
	return &found.Signature, forgeryFindings{why: found.signatureFindings(t.required), recorded: found}, err
}
