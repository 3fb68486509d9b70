package criteria

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"chant/engine/evidence/attest"
)

// Circumstances are what a statement says about a report beside the report itself.
type Circumstances struct {
	Commit, Tree string            // what the evidence is about
	Start        string            // the commit whose criteria count, "" if a person's text counts
	SpecPath     string            // of the spec's file
	SpecHash     string            // SHA-256 of the spec's file whose criteria count, in hex
	Git, Chant   string            // versions
	Outside      map[string]string // SHA-256 of files that were copied or linked into the tree from elsewhere, by path
	Sandbox      string            // the sandbox in force, "" for none
	Caches       string            // of tools: shared or own; "" without a sandbox
	Network      string            // what agents may connect to, as in the settings; "" without a sandbox
}

// Attest returns the text of a note: the report as a signed statement about a commit. Without a signer it is unsigned.
func (r Report) Attest(ctx context.Context, c Circumstances, by attest.Signer) ([]byte, error) {
	r.Commit = c.Commit
	seal, err := r.seal()
	if err != nil {
		return nil, err
	}
	r.Seal = seal
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	p := attest.Predicate{
		Result: resultOf(r.Criteria), Configuration: c.configuration(),
		Chant: attest.Detail{
			SpecID: r.SpecID, Start: c.Start, Plan: r.Plan, Tested: r.Tree, Git: c.Git, Chant: c.Chant,
			Outside: c.Outside, Sandbox: c.Sandbox, Caches: c.Caches, Network: c.Network, Report: raw,
		},
	}
	for _, v := range r.Criteria {
		name := fmt.Sprintf("%d. %s", v.Number, v.Text)
		switch {
		case v.Holds && !v.Flaky:
			p.PassedTests = append(p.PassedTests, name)
		case v.Holds || v.IsUndecided():
			p.WarnedTests = append(p.WarnedTests, name)
		default:
			p.FailedTests = append(p.FailedTests, name)
		}
	}
	return attest.Seal(ctx, attest.NewStatement(c.Commit, c.Tree, p), by)
}

// configuration describes what the criteria were read from.
func (c Circumstances) configuration() []attest.Resource {
	// The predicate requires a list, so nil would not do.
	out := []attest.Resource{}
	if c.SpecHash != "" {
		out = append(out, attest.Resource{Name: c.SpecPath, Digest: map[string]string{"sha256": c.SpecHash}})
	}
	if c.Start != "" {
		out = append(out, attest.Resource{Name: "start commit", Digest: map[string]string{attest.GitCommit: c.Start}})
	}
	return out
}

// resultOf is the result of all criteria as a test-result has it. Nothing to verify is a warning.
func resultOf(verdicts []Verdict) attest.Result {
	switch Sum(verdicts) {
	case Passed:
		return attest.Passed
	case Failed:
		return attest.Failed
	}
	return attest.Warned
}

// Note is the evidence of a git note. Attestation is nil for evidence of earlier versions, which is not signed.
type Note struct {
	Report
	Attestation *attest.Attestation
}

// ReadNote reads the evidence of a git note. It returns the note and ErrEdited if the seal of its report does not match,
// and another error if the text is not evidence.
func ReadNote(text []byte) (Note, error) {
	a, err := attest.Read(text)
	if errors.Is(err, attest.ErrOther) {
		r, err := Decode(text)
		return Note{Report: r}, err
	}
	if err != nil {
		return Note{}, err
	}
	r, err := Decode(a.Statement.Predicate.Chant.Report)
	// The statement is signed, and the report in it must be about the same spec.
	if r.SpecID != a.Statement.Predicate.Chant.SpecID {
		return Note{}, fmt.Errorf("the statement is about spec %.80q, and its report about %.80q", a.Statement.Predicate.Chant.SpecID, r.SpecID)
	}
	return Note{Report: r, Attestation: a}, err
}

// Digest identifies what a plan checks and how, without the boxes as they are now: SHA-256 in hex.
func (p Plan) Digest() (string, error) {
	type item struct {
		ID     string
		Text   string
		Source Source
		Steps  []Step
	}
	form := struct {
		Items     []item
		Variables map[string]string
		Parallel  bool
	}{Variables: p.Variables, Parallel: p.Parallel}
	for _, i := range p.Items {
		form.Items = append(form.Items, item{i.ID, i.Text, i.Source, i.Steps})
	}
	raw, err := json.Marshal(form)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), err
}
