package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chant/engine"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/prompt"
	"chant/engine/run"
	"chant/engine/run/judge"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
)

// VerifyInput selects the spec to verify, and whether to run its commands.
type VerifyInput struct {
	ID  string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Run bool   `json:"run,omitempty" jsonschema:"Run the commands of criteria; otherwise boxes are counted"`
}

// VerifyResult is the result of verifying one spec.
type VerifyResult struct {
	SpecID      string              `json:"spec_id"`
	Verified    bool                `json:"verified"`
	Criteria    CriteriaCount       `json:"criteria"`
	Unchecked   []string            `json:"unchecked_items"`
	Notes       string              `json:"verification_notes"`
	Status      criteria.Status     `json:"verification_status,omitempty"` // this and the fields below are empty if boxes were only counted
	Verdict     criteria.Conclusion `json:"verdict,omitempty"`             // what holds proves something if it did not hold before the work
	Strength    *criteria.Strength  `json:"strength,omitempty"`            // which wrong versions of its work the criteria notice, as it was recorded; null if that was not measured
	Path        string              `json:"path,omitempty"`
	At          time.Time           `json:"at,omitzero"`
	Commit      string              `json:"commit,omitempty"` // what was checked; empty for an uncommitted tree
	Tree        string              `json:"tree,omitempty"`
	Environment map[string]string   `json:"environment,omitempty"` // the variables of verify.env
	Verdicts    []criteria.Verdict  `json:"evidence,omitempty"`
	Forged      []string            `json:"forged,omitempty"`      // why its completion is not trusted
	Loosened    []string            `json:"loosened,omitempty"`    // which of its criteria and commands were weakened after completion
	Recorded    *RecordedEvidence   `json:"recorded,omitempty"`    // the evidence recorded at completion
	Signature   *attest.Signature   `json:"signature,omitempty"`   // of the evidence of its completion
	HeldOut     string              `json:"held_out,omitempty"`    // what became of its held-out criteria since they were verified
	NotWritten  string              `json:"not_written,omitempty"` // why this result was not written into the spec although it differs from its own
	Flagged     bool                `json:"flagged,omitempty"`     // verification moved it from completed to needs_attention
	Invalid     string              `json:"invalid,omitempty"`     // why its file cannot be read, with path and line; nothing else is known then

	Reworded   []Rewording `json:"reworded,omitempty"`    // what has changed of it since its evidence was recorded
	NotRenewed string      `json:"not_renewed,omitempty"` // why that gets no evidence of its own although it holds
	Renewed    string      `json:"renewed,omitempty"`     // the commit with evidence for its present wording, if that is new

	Weakened   []criteria.Weakened `json:"weakened"`             // checks that its work weakens
	Uncompared string              `json:"uncompared,omitempty"` // what of the work was not compared for that

	NoEvidence bool `json:"-"` // the first reason in Forged is that no evidence was found

	report   criteria.Report
	accepted []string // what people have accepted, as the commits of the work name it
	required bool     // the project requires that there is something to verify
	foreign  bool     // it was completed by another program
}

// CriteriaCount is the number of criteria that passed and that did not.
type CriteriaCount struct {
	Total     int `json:"total"`
	Checked   int `json:"checked"`
	Unchecked int `json:"unchecked"`
}

// Verify checks the criteria of a spec and changes nothing. Commands run in a clean worktree of the tip of the run's
// branch, or of the target if there is no such branch. Inside the run's own worktree they run there. The result of a
// command is reused if it has run before in the same tree.
func Verify(ctx context.Context, p *engine.Project, in VerifyInput) (VerifyResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return VerifyResult{}, engine.Wrap(err, in.ID)
	}
	if !in.Run {
		return countBoxes(s), nil
	}
	result, err := VerifyByRunning(ctx, p, s)
	return engine.Done(result, err, s.ID)
}

func countBoxes(s *spec.File) VerifyResult {
	r := VerifyResult{SpecID: s.ID, Unchecked: []string{}, Weakened: []criteria.Weakened{}}
	for _, c := range s.Criteria() {
		r.count(c.Checked, c.Text)
	}
	return r.conclude()
}

func (r *VerifyResult) count(holds bool, text string) {
	r.Criteria.Total++
	if holds {
		r.Criteria.Checked++
		return
	}
	r.Criteria.Unchecked++
	r.Unchecked = append(r.Unchecked, "- [ ] "+text)
}

func (r VerifyResult) conclude() VerifyResult {
	r.Verified = r.Criteria.Total > 0 && r.Criteria.Unchecked == 0
	switch {
	case r.Criteria.Total == 0:
		r.Notes = string(criteria.Nothing)
	case r.Verified:
		r.Notes = "All acceptance criteria met"
	default:
		r.Notes = fmt.Sprintf("%d criteria not yet checked", r.Criteria.Unchecked)
	}
	return r
}

// VerifyByRunning verifies one spec by running commands, in the tree that Verify describes.
func VerifyByRunning(ctx context.Context, p *engine.Project, s *spec.File) (VerifyResult, error) {
	r, err := NewJudging(p, s, nil)
	if err != nil {
		return VerifyResult{}, err
	}
	if p.Store.RunOf() == s.ID {
		report, err := r.Judge.CheckHere(ctx, p.Repo.Dir(), s)
		return resultOf(s, report, err)
	}
	// An agent could have any command run as a criterion.
	if err := engine.MayInside(p, "verify", s.ID); err != nil {
		return VerifyResult{}, err
	}
	commit, err := commitToVerify(ctx, p, s)
	if err != nil {
		return VerifyResult{}, err
	}
	report, err := r.Judge.CheckAt(ctx, commit, s)
	result, err := resultOf(s, report, err)
	if err != nil || s.Status != spec.Completed {
		return result, err
	}
	h, err := journal.ReadHistory(p.Store, s.ID)
	if err != nil {
		return result, err
	}
	recorded, err := newestEvidence(ctx, p, s.ID, commitsOf(h)...)
	if err == nil {
		err = result.addHeldOut(p, recorded)
	}
	result.carryProof(recorded)
	return result, err
}

// carryProof gives the result the strength, and the verdicts the proof, that the evidence of the completion recorded: what
// the commands do without the work, or with wrong versions of it, was found out then.
func (r *VerifyResult) carryProof(recorded *RecordedEvidence) {
	if recorded == nil || recorded.Edited {
		return
	}
	r.Strength = recorded.KnownStrength()
	if r.Verdict == "" {
		return
	}
	// What was added or reworded since has no proof, although the others have.
	based := slices.ContainsFunc(recorded.Criteria, func(v criteria.Verdict) bool { return v.Proof != "" })
	for i := range r.Verdicts {
		if based && r.Verdicts[i].How == criteria.ByRunning {
			r.Verdicts[i].Proof = criteria.UnknownProof
		}
	}
	for _, was := range recorded.Criteria {
		at := slices.IndexFunc(r.Verdicts, func(v criteria.Verdict) bool { return v.ID == was.ID })
		if at < 0 || was.Proof == "" {
			continue
		}
		r.Verdicts[at].Added = was.Added
		if was.Proof == criteria.RedTests {
			// It failed when it was written, and the spec that makes it pass has landed with it.
			was.Proof = criteria.FailToPass
		}
		if r.Verdicts[at].Proof = was.Proof; !r.Verdicts[at].Holds {
			r.Verdicts[at].Proof = criteria.UnknownProof
		}
	}
	r.Verdict = criteria.Conclude(r.Verdicts, based)
}

// NewJudging returns a run of a spec that only judges it or asks an agent about it. change decides what else its plan
// says, nil for nothing.
func NewJudging(p *engine.Project, s *spec.File, change func(*run.Plan)) (*run.Run, error) {
	h, err := journal.ReadSealed(p.Store, s.ID)
	if err != nil {
		return nil, err
	}
	if s.Branch == "" {
		// A spec without a branch is judged by its own file.
		h.Trusted = nil
	}
	id, err := run.RunID(p)
	plan := run.Plan{Job: journal.Job{ID: s.ID, Title: s.Title, Branch: s.Branch, RunID: id}, Settings: run.SettingsOf(p)}
	if change != nil {
		change(&plan)
	}
	r := run.NewRun(p, plan, h)
	r.Judge.Cache = p.Store.Evidence()
	r.Judge.WithoutSealed = s.Branch == ""
	return r, err
}

// commitToVerify returns the tip of the spec's run branch, or else of its target. Without a target, as on a CI machine
// with a detached HEAD, it returns the checked-out commit.
func commitToVerify(ctx context.Context, p *engine.Project, s *spec.File) (string, error) {
	if s.Branch != "" {
		return p.Repo.Resolve(ctx, "refs/heads/"+s.Branch)
	}
	target, err := run.TargetFor(ctx, p, &s.Spec)
	// A CI machine checks out a commit and no branch.
	if head, headErr := p.Repo.Head(ctx, p.Repo.Home()); err != nil && headErr == nil && head.Branch == "" {
		return head.Hash, nil
	}
	if err != nil {
		return "", err
	}
	return p.Repo.Resolve(ctx, "refs/heads/"+target)
}

// resultOf turns a report into a result. A failure of verification itself, for example because criteria changed the
// tree, is a failed result and not an error.
func resultOf(s *spec.File, report criteria.Report, err error) (VerifyResult, error) {
	r := VerifyResult{
		SpecID: s.ID, Unchecked: []string{}, Path: s.Path, At: report.At, Commit: report.Commit, Tree: report.Tree,
		Environment: report.Environment, Verdicts: report.Criteria, Verdict: report.Conclusion(), Weakened: []criteria.Weakened{},
	}
	r.report = report
	for _, v := range report.Criteria {
		r.count(v.Holds, v.Text)
	}
	r = r.conclude()
	r.Status = criteria.Sum(report.Criteria)
	if r.Criteria.Unchecked > 0 {
		r.Notes = judge.CountUnmet(r.Criteria.Unchecked, r.Criteria.Total)
	}
	var f *journal.Failure
	if errors.As(err, &f) && f.Kind.FailsVerification() {
		r.Verified, r.Status, r.Verdict, r.Notes = false, criteria.Failed, criteria.FailedVerdict, f.Message
		err = nil
	}
	return r, err
}

// checksAt returns the checks of the project in a commit, its rules included.
func checksAt(ctx context.Context, p *engine.Project, commit string) (spec.Checks, error) {
	c, err := configAt(ctx, p, commit)
	switch {
	case err != nil:
		return spec.Checks{}, err
	// Settings of the checkout count with its rules.
	case c == p.Config:
		return prompt.Checks(p)
	}
	return prompt.ChecksAt(ctx, p, commit, c.Verify)
}

// protectedAt returns the globs of protected files in the settings of a commit.
func protectedAt(ctx context.Context, p *engine.Project, commit string) (spec.StringList, error) {
	c, err := configAt(ctx, p, commit)
	if err != nil {
		return nil, err
	}
	return c.Verify.Protect, nil
}

// configAt returns the settings of the project in a commit.
func configAt(ctx context.Context, p *engine.Project, commit string) (*config.Config, error) {
	src, err := p.Repo.ReadFile(ctx, commit, store.ConfigPath)
	if errors.Is(err, gitops.ErrNotFound) {
		// Git ignores .chant, or the commit has no settings yet.
		return p.Config, nil
	}
	if err != nil {
		return nil, err
	}
	c := config.DefaultConfig(engine.Home(p))
	return c, c.Read(src, engine.Home(p))
}

// OnlyWithoutEvidence reports whether the only reason against a completion is that no evidence was found for it.
func (r VerifyResult) OnlyWithoutEvidence() bool {
	return r.NoEvidence && len(r.Forged) == 1 && criteria.Sum(r.Verdicts) == criteria.Passed
}
