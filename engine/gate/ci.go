package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"chant/engine"
	"chant/engine/ci"
	"chant/engine/linter"
	"chant/engine/next"
	"chant/engine/run/attempt"
	"chant/engine/verify"
	"chant/gitops"
)

// CIInput says what a CI job is about.
type CIInput struct {
	Range string `json:"range,omitempty" jsonschema:"Commits that the job is about: A..B, A...B, or A for A..HEAD (default: what the CI system says)"`
}

// CIResult is what a job finds.
type CIResult struct {
	System   string                 `json:"system"`            // github, gitlab or shell
	Range    string                 `json:"range,omitempty"`   // "" when every completed spec was verified
	Empty    string                 `json:"empty,omitempty"`   // the range that the job is about, which brings no commit: then every one is
	Evidence string                 `json:"evidence"`          // where that of completions was looked for
	Summary  string                 `json:"summary,omitempty"` // file to which the system wants Markdown added
	Lint     linter.LintResult      `json:"lint"`
	Verified verify.VerifyAllResult `json:"verified"`
	Drift    verify.DriftResult     `json:"drift"`
}

// CI checks specs as a CI job does: all of them are linted, the completed ones that the
// range changes are verified, all of them where there is no range or nothing in it, and
// of drift it tells. Evidence that the remote keeps is
// fetched beside this repository's own; nothing else here changes. What is found is in
// the result; Verdict makes an error of it. Errors: NotFound when the commits of the
// range are not here, as in a shallow clone.
func CI(ctx context.Context, p *engine.Project, in CIInput) (CIResult, error) {
	result, err := runCI(ctx, p, in)
	return engine.Done(result, err, "")
}

func runCI(ctx context.Context, p *engine.Project, in CIInput) (CIResult, error) {
	job := ciJob(p)
	r := CIResult{System: job.System, Summary: job.Summary}
	var err error
	if r.Range, err = ciRange(ctx, p, in, job); err != nil {
		return r, err
	}
	if in.Range == "" && r.Range != "" {
		if empty, err := bringsNothing(ctx, p, r.Range); err != nil {
			return r, err
		} else if empty {
			r.Range, r.Empty = "", r.Range
		}
	}
	if r.Evidence, err = fetchEvidence(ctx, p); err != nil {
		return r, err
	}
	if r.Lint, err = linter.Lint(ctx, p, linter.LintInput{Limit: math.MaxInt}); err != nil {
		return r, err
	}
	scope := verify.VerifyAllInput{Changed: r.Range, All: r.Range == "", NoWrite: true}
	r.Verified, err = verify.VerifyAll(ctx, p, scope)
	if unreadable(err) && r.Lint.Failed > 0 {
		err = nil // lint has told of it, and the job ends with that
	}
	if err != nil {
		return r, ifShallow(p, err, job)
	}
	r.Drift, err = verify.DriftOf(ctx, p, verify.DriftInput{Limit: math.MaxInt})
	return r, err
}

// unreadable reports whether a spec that cannot be read is in the way.
func unreadable(err error) bool {
	var known *engine.Error
	return errors.As(err, &known) && known.Code == engine.Invalid
}

// ciJob reads what the system says of the job.
func ciJob(p *engine.Project) ci.Job {
	job := ci.Read(p.Environ, nil)
	if job.Event == "" {
		return job
	}
	event, err := os.ReadFile(job.Event)
	if err != nil {
		engine.Warn(p, "", fmt.Sprintf("what the system says of the event cannot be read: %s", err))
		return job
	}
	return ci.Read(p.Environ, event)
}

// ciRange is the range that the job is about, "" for everything. Before a change that
// is gone, as after a push by force, stands the branch that changes lead to.
func ciRange(ctx context.Context, p *engine.Project, in CIInput, job ci.Job) (string, error) {
	if in.Range != "" || job.From == "" && job.System != ci.Shell {
		return in.Range, nil
	}
	for _, name := range before(ctx, p, job) {
		_, err := p.Repo.Resolve(ctx, name)
		switch {
		case err == nil:
			return name + "..." + job.To, nil
		case !errors.Is(err, gitops.ErrNotFound):
			return "", err
		case p.Repo.Shallow():
			return "", tooShallow(name, job)
		}
	}
	return "", nil
}

// bringsNothing reports whether the end of a range A...B is in A already: a job on the
// main branch itself, or of a tag.
func bringsNothing(ctx context.Context, p *engine.Project, text string) (bool, error) {
	a, b, _ := strings.Cut(text, "...")
	from, err := p.Repo.Resolve(ctx, a)
	if err != nil {
		return false, err
	}
	to, err := p.Repo.Resolve(ctx, b)
	if err != nil {
		return false, err
	}
	return p.Repo.IsAncestor(ctx, to, from)
}

// before are the names of what may stand before the change, the best one first.
func before(ctx context.Context, p *engine.Project, job ci.Job) []string {
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
	if name := p.Config.Defaults.MainBranch; name != "" && name != engine.CurrentBranch { // which may have no branch here
		names = append(names, "origin/"+name)
	}
	names = append(names, "origin/HEAD")
	if target, err := engine.Target(ctx, p); err == nil {
		names = append(names, target)
	}
	return names
}

func tooShallow(name string, job ci.Job) error {
	return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), "there is no commit %q in this clone, whose history is cut off; a job gets all of it with %s", name, job.Depth)
}

// ifShallow says how to have the whole history where a commit was not found for want of it.
func ifShallow(p *engine.Project, err error, job ci.Job) error {
	var known *engine.Error
	if errors.As(err, &known) && known.Code == engine.NotFound && p.Repo.Shallow() {
		return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), "%s; the history of this clone is cut off, a job gets all of it with %s", known.Message, job.Depth)
	}
	return err
}

// fetchEvidence brings the notes of the remote beside our own, and says where evidence
// is looked for. A remote that does not answer is told of and stops no one: what then has
// no evidence is not believed.
func fetchEvidence(ctx context.Context, p *engine.Project) (string, error) {
	const remote = "origin"
	has, err := p.Repo.HasRemote(ctx, remote)
	if err != nil || !has {
		return "here alone: there is no remote " + remote, err
	}
	found, err := p.Repo.FetchRef(ctx, remote, attempt.NotesRef, attempt.NotesRef+"-"+remote)
	var failed *gitops.GitError
	switch {
	case errors.As(err, &failed):
		engine.Warn(p, "", "evidence could not be fetched: "+failed.Error())
		return "here alone: " + remote + " does not answer", nil
	case err != nil:
		return "", err
	case !found:
		return "here alone: " + remote + " keeps none (git push " + remote + " " + attempt.NotesRef + ")", nil
	}
	return "here and on " + remote, nil
}

// Verdict is the error that a job ends with: Unverified when a spec that the range
// brings is not what it says, else Invalid when lint finds an error. Drift is told alone.
func (r CIResult) Verdict() error {
	if bad := r.Verified.Broken(); len(bad) > 0 {
		err := engine.Fail(engine.Unverified, next.Verify.On(bad[0].SpecID), "spec %q is not verified: %s", bad[0].SpecID, bad[0].Notes)
		if len(bad) > 1 {
			err.Message = fmt.Sprintf("%d of %d specs are not verified, the first is %q: %s", len(bad), len(r.Verified.Specs), bad[0].SpecID, bad[0].Notes)
		}
		if len(bad[0].Forged) > 0 && bad[0].Recorded == nil {
			err.Next = next.Shell("git push origin %s", attempt.NotesRef)
		}
		return err
	}
	if r.Lint.Failed > 0 {
		return engine.Fail(engine.Invalid, next.Lint.On(), "%s", r.Lint.CountErrors(""))
	}
	return nil
}
