package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/format/report"
	"chant/engine/run/attempt"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/engine/verify/linter"
	"chant/gitops"
)

// CIInput selects the commits that a CI job checks.
type CIInput struct {
	Range string `json:"range,omitempty" jsonschema:"Commits that the job is about: A..B, A...B, or A for A..HEAD (default: what the CI system says)"`
}

// CIResult is the result of a job.
type CIResult struct {
	System   string                 `json:"system"`            // github, gitlab or shell
	Range    string                 `json:"range,omitempty"`   // "" if every completed spec was verified
	Empty    string                 `json:"empty,omitempty"`   // the range of the job if it has no commit; every completed spec is verified then
	Evidence string                 `json:"evidence"`          // where evidence of completions was searched
	Summary  string                 `json:"summary,omitempty"` // file for a summary in Markdown, which the CI system shows
	Lint     linter.LintResult      `json:"lint"`
	Verified verify.VerifyAllResult `json:"verified"`
	Weakened []criteria.Weakened    `json:"weakened"` // checks that the work in the range weakens
	Drift    verify.DriftResult     `json:"drift"`
	Remote   *RemoteTarget          `json:"remote,omitempty"` // nil if the remote's target has nothing that the target lacks
}

// RemoteTarget is what the remote's target has before the target here: others, and agents, can push there.
type RemoteTarget struct {
	Branch   string                 `json:"branch"` // origin/main
	Range    string                 `json:"range"`
	Verified verify.VerifyAllResult `json:"verified"` // its notices name the commits that chant has not verified
}

// CI makes the checks of a CI job. It lints all specs, verifies the completed specs that the range changes, or all
// completed specs without a range or with an empty one, and reports drift. It fetches the evidence of the remote into a
// ref of its own and changes nothing else. In a person's clone it also verifies what the remote's target has and the target
// lacks. Findings are in the result; Verdict turns them into an error. Errors:
// NotFound if commits of the range are missing, as in a shallow clone.
func CI(ctx context.Context, p *engine.Project, in CIInput) (CIResult, error) {
	result, err := runCI(ctx, p, in)
	return engine.Done(result, err, "")
}

func runCI(ctx context.Context, p *engine.Project, in CIInput) (CIResult, error) {
	job := ciJob(p)
	r := CIResult{System: job.System, Summary: job.Summary, Weakened: []criteria.Weakened{}}
	var err error
	if r.Range, err = ciRange(ctx, p, in, job); err != nil {
		return r, err
	}
	// A job on the main branch or for a tag has nothing of its own to check.
	if in.Range == "" && r.Range != "" {
		if empty, err := isEmptyRange(ctx, p, r.Range); err != nil {
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
	if isUnreadable(err) && r.Lint.Failed > 0 {
		// Lint has reported it, and Verdict returns that.
		err = nil
	}
	if err != nil {
		return r, explainShallow(p, err, job)
	}
	r.Weakened = append(r.Weakened, r.Verified.Weakened...)
	// Only in a person's clone: a CI machine checks out the remote itself.
	if r.Drift, err = verify.DriftOf(ctx, p, verify.DriftInput{Limit: math.MaxInt}); err == nil && in.Range == "" && job.System == report.Shell {
		r.Remote, err = remoteTarget(ctx, p)
	}
	return r, err
}

// remoteTarget verifies what the remote's target, as it was last fetched, has before the target; nil if that is nothing.
func remoteTarget(ctx context.Context, p *engine.Project) (*RemoteTarget, error) {
	target, err := engine.Target(ctx, p)
	if err != nil {
		return nil, nil //nolint:nilerr // without a target there is none to compare with
	}
	branch := remote + "/" + target
	// As it was last fetched, since this must not change what others fetch.
	there, err := p.Repo.Resolve(ctx, "refs/remotes/"+branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	here, err := p.Repo.Resolve(ctx, "refs/heads/"+target)
	if err != nil {
		return nil, err
	}
	// The target has everything that the remote has.
	if known, err := p.Repo.IsAncestor(ctx, there, here); known || err != nil {
		return nil, err
	}
	r := &RemoteTarget{Branch: branch, Range: target + "..." + branch}
	r.Verified, err = verify.VerifyAll(ctx, p, verify.VerifyAllInput{Changed: here + "..." + there, Beside: true, NoWrite: true})
	return r, err
}

// remote is where others push to and CI clones from.
const remote = "origin"

// isUnreadable reports whether an error is that a spec cannot be read.
func isUnreadable(err error) bool {
	var known *engine.Error
	return errors.As(err, &known) && known.Code == engine.Invalid
}

// ciJob reads the description of the job that the CI system provides.
func ciJob(p *engine.Project) report.Job {
	job := report.Read(p.Environ, nil)
	// A job can run without a description of its event, as on GitLab.
	if job.Event == "" {
		return job
	}
	event, err := os.ReadFile(job.Event)
	if err != nil {
		engine.Warn(p, "", fmt.Sprintf("the CI system's description of the event cannot be read: %s", err))
		return job
	}
	return report.Read(p.Environ, event)
}

// ciRange returns the range of the job, "" for everything. If the commit before the change no longer exists, as after a
// forced push, the range begins at the target branch.
func ciRange(ctx context.Context, p *engine.Project, in CIInput, job report.Job) (string, error) {
	if in.Range != "" || job.From == "" && job.System != report.Shell {
		return in.Range, nil
	}
	// The first that exists: a clone in CI may lack each of them.
	for _, name := range baseCandidates(ctx, p, job) {
		_, err := p.Repo.Resolve(ctx, name)
		switch {
		case err == nil:
			return name + "..." + job.To, nil
		case !errors.Is(err, gitops.ErrNotFound):
			return "", err
		// In a full clone the next candidate is tried, since a forced push can have removed the commit.
		case p.Repo.Shallow():
			return "", shallowError(name, job)
		}
	}
	return "", nil
}

// isEmptyRange reports whether A already contains the end of a range A...B, as in a job on the main branch or for a
// tag.
func isEmptyRange(ctx context.Context, p *engine.Project, text string) (bool, error) {
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

// baseCandidates lists the revisions at which the range may begin, the best one first.
func baseCandidates(ctx context.Context, p *engine.Project, job report.Job) []string {
	var names []string
	if job.From != "" {
		names = append(names, job.From)
	}
	if job.Default != "" {
		names = append(names, "origin/"+job.Default)
	}
	if job.System != report.Shell {
		return names
	}
	// A clone in CI may lack the local branch.
	if name := p.Config.Defaults.MainBranch; name != "" && name != engine.CurrentBranch {
		names = append(names, "origin/"+name)
	}
	names = append(names, "origin/HEAD")
	if target, err := engine.Target(ctx, p); err == nil {
		names = append(names, target)
	}
	return names
}

func shallowError(name string, job report.Job) error {
	return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), "there is no commit %q in this clone, whose history is cut off; a job gets all of it with %s", name, job.Depth)
}

// explainShallow adds how to fetch the whole history to an error about a missing commit in a shallow clone.
func explainShallow(p *engine.Project, err error, job report.Job) error {
	var known *engine.Error
	// Any other error has another cause than a history that was cut off.
	if errors.As(err, &known) && known.Code == engine.NotFound && p.Repo.Shallow() {
		return engine.Fail(engine.NotFound, next.Shell("git fetch --unshallow"), "%s; the history of this clone is cut off, a job gets all of it with %s", known.Message, job.Depth)
	}
	return err
}

// fetchEvidence fetches the notes of the remote into a ref next to our own, and describes where evidence is searched.
// If the remote does not answer, it only warns: completions without evidence are then reported as forged.
func fetchEvidence(ctx context.Context, p *engine.Project) (string, error) {
	has, err := p.Repo.HasRemote(ctx, remote)
	if err != nil || !has {
		return "only here: there is no remote " + remote, err
	}
	// Into another ref, since fetching into our own could replace evidence of this clone.
	found, err := p.Repo.FetchRef(ctx, remote, attempt.NotesRef, attempt.NotesRef+"-"+remote)
	var failed *gitops.GitError
	switch {
	// A job without a network can still verify what is here.
	case errors.As(err, &failed):
		engine.Warn(p, "", "evidence could not be fetched: "+failed.Error())
		return "only here: " + remote + " does not answer", nil
	case err != nil:
		return "", err
	case !found:
		return "only here: " + remote + " has none (git push " + remote + " " + attempt.NotesRef + ")", nil
	}
	return "here and on " + remote, nil
}

// Verdict returns the error with which a job ends: Unverified if a spec in the range did not pass, or else Invalid if
// lint has found an error. Drift alone does not fail a job.
func (r CIResult) Verdict() error { return r.verdict(true) }

// BriefVerdict is Verdict without what is wrong with the specs, for where that is printed beside it.
func (r CIResult) BriefVerdict() error { return r.verdict(false) }

func (r CIResult) verdict(reasons bool) error {
	bad, all := r.Verified.Broken(), len(r.Verified.Specs)
	// What others have pushed counts like what the range changes.
	if r.Remote != nil {
		bad, all = slices.Concat(bad, r.Remote.Verified.Broken()), all+len(r.Remote.Verified.Specs)
	}
	if len(bad) > 0 {
		err := engine.Fail(engine.Unverified, next.Verify.On(bad[0].SpecID), "spec %q is not verified: %s", bad[0].SpecID, bad[0].Notes)
		switch {
		case !reasons:
			err.Message = fmt.Sprintf("%d of %d specs not verified", len(bad), all)
		case len(bad) > 1:
			err.Message = fmt.Sprintf("%d of %d specs are not verified, the first is %q: %s", len(bad), all, bad[0].SpecID, bad[0].Notes)
		}
		// What was done before chant came is not verified by its rules.
		if r.Range == "" && r.Verified.BrokenBefore() {
			err.Message += "; no verification was recorded when it was completed: name the day from which chant verifies as verify.since"
			err.Next = next.EditFile(store.ConfigPath)
		}
		// The evidence exists, but was never pushed.
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
