package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"chant/engine/ci"
	"chant/engine/run"
	"chant/gitops"
)

// CIInput says what a CI job is about.
type CIInput struct {
	Range string `json:"range,omitempty" jsonschema:"Commits that the job is about: A..B, A...B, or A for A..HEAD (default: what the CI system says)"`
}

// CIResult is what a job finds.
type CIResult struct {
	System   string          `json:"system"`            // github, gitlab or shell
	Range    string          `json:"range,omitempty"`   // "" when every completed spec was verified
	Empty    string          `json:"empty,omitempty"`   // the range that the job is about, which brings no commit: then every one is
	Evidence string          `json:"evidence"`          // where that of completions was looked for
	Summary  string          `json:"summary,omitempty"` // file to which the system wants Markdown added
	Lint     LintResult      `json:"lint"`
	Verified VerifyAllResult `json:"verified"`
	Drift    DriftResult     `json:"drift"`
}

// CI checks specs as a CI job does: all of them are linted, the completed ones that the
// range changes are verified, all of them where there is no range or nothing in it, and
// of drift it tells. Evidence that the remote keeps is
// fetched beside this repository's own; nothing else here changes. What is found is in
// the result; Verdict makes an error of it. Errors: NotFound when the commits of the
// range are not here, as in a shallow clone.
func (e *Engine) CI(ctx context.Context, in CIInput) (CIResult, error) {
	result, err := e.ci(ctx, in)
	return done(result, err, "")
}

func (e *Engine) ci(ctx context.Context, in CIInput) (CIResult, error) {
	job := e.ciJob()
	r := CIResult{System: job.System, Summary: job.Summary}
	var err error
	if r.Range, err = e.ciRange(ctx, in, job); err != nil {
		return r, err
	}
	if in.Range == "" && r.Range != "" {
		if empty, err := e.bringsNothing(ctx, r.Range); err != nil {
			return r, err
		} else if empty {
			r.Range, r.Empty = "", r.Range
		}
	}
	if r.Evidence, err = e.fetchEvidence(ctx); err != nil {
		return r, err
	}
	if r.Lint, err = e.Lint(ctx, LintInput{Limit: math.MaxInt}); err != nil {
		return r, err
	}
	scope := VerifyAllInput{Changed: r.Range, All: r.Range == "", NoWrite: true}
	r.Verified, err = e.VerifyAll(ctx, scope)
	if unreadable(err) && r.Lint.Failed > 0 {
		err = nil // lint has told of it, and the job ends with that
	}
	if err != nil {
		return r, e.ifShallow(err, job)
	}
	r.Drift, err = e.drift(ctx, DriftInput{Limit: math.MaxInt})
	return r, err
}

// unreadable reports whether a spec that cannot be read is in the way.
func unreadable(err error) bool {
	var known *Error
	return errors.As(err, &known) && known.Code == Invalid
}

// ciJob reads what the system says of the job.
func (e *Engine) ciJob() ci.Job {
	job := ci.Read(e.Environ, nil)
	if job.Event == "" {
		return job
	}
	event, err := os.ReadFile(job.Event)
	if err != nil {
		e.warn("", fmt.Sprintf("what the system says of the event cannot be read: %s", err))
		return job
	}
	return ci.Read(e.Environ, event)
}

// ciRange is the range that the job is about, "" for everything. Before a change that
// is gone, as after a push by force, stands the branch that changes lead to.
func (e *Engine) ciRange(ctx context.Context, in CIInput, job ci.Job) (string, error) {
	if in.Range != "" || job.From == "" && job.System != ci.Shell {
		return in.Range, nil
	}
	for _, name := range e.before(ctx, job) {
		_, err := e.repo.Resolve(ctx, name)
		switch {
		case err == nil:
			return name + "..." + job.To, nil
		case !errors.Is(err, gitops.ErrNotFound):
			return "", err
		case e.repo.Shallow():
			return "", tooShallow(name, job)
		}
	}
	return "", nil
}

// bringsNothing reports whether the end of a range A...B is in A already: a job on the
// main branch itself, or of a tag.
func (e *Engine) bringsNothing(ctx context.Context, text string) (bool, error) {
	a, b, _ := strings.Cut(text, "...")
	from, err := e.repo.Resolve(ctx, a)
	if err != nil {
		return false, err
	}
	to, err := e.repo.Resolve(ctx, b)
	if err != nil {
		return false, err
	}
	return e.repo.IsAncestor(ctx, to, from)
}

// before are the names of what may stand before the change, the best one first.
func (e *Engine) before(ctx context.Context, job ci.Job) []string {
	var names []string
	if job.From != "" {
		names = append(names, job.From)
	}
	if job.Default != "" {
		names = append(names, "origin/"+job.Default)
	}
	if job.System != ci.Shell {
		return names
	}
	if name := e.config.Defaults.MainBranch; name != "" && name != currentBranch { // which may have no branch here
		names = append(names, "origin/"+name)
	}
	names = append(names, "origin/HEAD")
	if target, err := e.target(ctx); err == nil {
		names = append(names, target)
	}
	return names
}

func tooShallow(name string, job ci.Job) error {
	return fail(NotFound, "git fetch --unshallow", "there is no commit %q in this clone, whose history is cut off; a job gets all of it with %s", name, job.Depth)
}

// ifShallow says how to have the whole history where a commit was not found for want of it.
func (e *Engine) ifShallow(err error, job ci.Job) error {
	var known *Error
	if errors.As(err, &known) && known.Code == NotFound && e.repo.Shallow() {
		return fail(NotFound, "git fetch --unshallow", "%s; the history of this clone is cut off, a job gets all of it with %s", known.Message, job.Depth)
	}
	return err
}

// fetchEvidence brings the notes of the remote beside our own, and says where evidence
// is looked for. A remote that does not answer is told of and stops nobody: what then has
// no evidence is not believed.
func (e *Engine) fetchEvidence(ctx context.Context) (string, error) {
	const remote = "origin"
	has, err := e.repo.HasRemote(ctx, remote)
	if err != nil || !has {
		return "here alone: there is no remote " + remote, err
	}
	found, err := e.repo.FetchRef(ctx, remote, run.NotesRef, run.NotesRef+"-"+remote)
	var failed *gitops.GitError
	switch {
	case errors.As(err, &failed):
		e.warn("", "evidence could not be fetched: "+failed.Error())
		return "here alone: " + remote + " does not answer", nil
	case err != nil:
		return "", err
	case !found:
		return "here alone: " + remote + " keeps none (git push " + remote + " " + run.NotesRef + ")", nil
	}
	return "here and on " + remote, nil
}

// Verdict is the error that a job ends with: Unverified when a spec that the range
// brings is not what it says, else Invalid when lint finds an error. Drift is told alone.
func (r CIResult) Verdict() error {
	if bad := r.Verified.broken(); len(bad) > 0 {
		err := fail(Unverified, "chant verify "+bad[0].SpecID, "spec %q is not verified: %s", bad[0].SpecID, bad[0].Notes)
		if len(bad) > 1 {
			err.Message = fmt.Sprintf("%d of %d specs are not verified, the first is %q: %s", len(bad), len(r.Verified.Specs), bad[0].SpecID, bad[0].Notes)
		}
		if len(bad[0].Forged) > 0 && bad[0].Recorded == nil {
			err.Hint = "git push origin " + run.NotesRef
		}
		return err
	}
	if r.Lint.Failed > 0 {
		return fail(Invalid, "chant lint", "%s", r.Lint.Errors(""))
	}
	return nil
}
