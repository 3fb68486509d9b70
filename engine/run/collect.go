package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/guard"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/gitops/layout"
	"chant/providers"
	"chant/text"
)

// maxReason is how much of an agent's reason is kept, in columns.
const maxReason = 500

// collectStep carries out the step, and returns the commit that the branch then has.
func (r *Run) collectStep(ctx context.Context) (string, error) {
	err := r.collect(ctx)
	if large, ok := errors.AsType[*gitops.TooLargeError](err); ok {
		err = &journal.Failure{Kind: spec.ReasonAgent, Message: "what the agent left cannot be committed: " + large.Error()}
	}
	if err != nil {
		return "", err
	}
	return r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
}

// collect commits everything that the agent made to the branch, and checks it.
func (r *Run) collect(ctx context.Context) error {
	if err := r.commitWork(ctx); err != nil {
		return err
	}
	// Only now, since a stop for deleted files must not lose what is left.
	if r.Launcher.Deleted != nil {
		return r.Launcher.Deleted
	}
	if err := r.checkPlaces(ctx); err != nil {
		return err
	}
	agent := r.Launcher.Agent
	if agent != nil && !agent.OK {
		f := &journal.Failure{Kind: spec.ReasonAgent, Message: r.addRefusals(agent.Reason)}
		if agent.TimedOut {
			// Without more time, another attempt would end in the same way.
			f.Next = next.Work.On(r.Job.ID).Set("timeout", text.Duration(2*r.Settings.Timeout))
		}
		return f
	}
	// After the agent's failure, which explains more than the changes of an agent that gave up.
	if err := r.Guard.CheckUntampered(ctx); err != nil {
		return err
	}
	if err := guard.ReportDropped(ctx, r.Guard); err != nil {
		return err
	}
	// An agent that resolves conflicts has no output of the spec.
	if !r.Trees.HasBegunCatchUp() {
		if err := r.Briefing.RequireOutput(ctx, agent); err != nil {
			return err
		}
	}
	if now, err := r.OwnSpec(ctx); agent != nil && err == nil && now.Status == spec.Failed {
		return gaveUpFailure(now.Fields.Reason)
	}
	return r.checkWork(ctx)
}

// commitWork commits what is uncommitted in the worktree, before any check: whatever those find, the agent's work is kept.
func (r *Run) commitWork(ctx context.Context) error {
	// A process that was killed may have removed the worktree already.
	if r.Trees.Tree == "" {
		if err := r.Trees.NeedTree(ctx); err != nil {
			return err
		}
	}
	// Git would look for a repository further up, and commit to the wrong one.
	if !r.Whole(r.Trees.Tree) {
		return r.brokenTreeFailure()
	}
	if stuck, err := r.Trees.FindUnfinished(ctx); err != nil {
		return err
	} else if stuck != nil {
		return stuck
	}
	return r.Trees.CommitLeftovers(ctx)
}

// checkPlaces checks that the work is on the run's branch, and that the agent has changed nothing outside of that.
func (r *Run) checkPlaces(ctx context.Context) error {
	if err := r.Trees.OnBranch(ctx); err != nil {
		return err
	}
	if err := r.Guard.BranchIntact(ctx); err != nil {
		return err
	}
	// Before the agent's own failure: a hook that a failed agent has left works on.
	if err := r.Guard.FindSideEffects(ctx); err != nil {
		return err
	}
	return r.Guard.CheckSideEffects()
}

// gaveUpFailure is the failure of a run whose agent says that it could not do it, with its reason where it gives one.
func gaveUpFailure(reason string) *journal.Failure {
	said := "the agent says that it could not do it"
	if reason != "" {
		said += ": " + text.Clip(text.Printable(text.OneLine(reason)), maxReason)
	}
	return &journal.Failure{Kind: spec.ReasonAgent, Message: said}
}

// brokenTreeFailure is the failure of a worktree that git no longer knows as the run's.
func (r *Run) brokenTreeFailure() *journal.Failure {
	if _, err := os.Lstat(r.Trees.Tree); errors.Is(err, fs.ErrNotExist) {
		return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree %q was removed during the run; what is committed on %q is kept", r.Trees.Tree, r.Job.Branch)}
	}
	// Behind the wall, an agent can empty the folder but not remove it.
	if left, err := os.ReadDir(r.Trees.Tree); err == nil && len(left) == 0 {
		return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree %q was emptied during the run; what is committed on %q is kept", r.Trees.Tree, r.Job.Branch)}
	}
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree %q was broken during the run: its .git is gone or leads elsewhere", r.Trees.Tree)}
}

// checkWork checks that there is something to land. Ticked boxes are not work; text written into the spec is, for specs
// whose result is text. A replay may change nothing: what was done before may turn out to be right.
func (r *Run) checkWork(ctx context.Context) error {
	base, err := r.Base(ctx)
	if err != nil {
		return err
	}
	changes, err := r.Repo.Diff(ctx, base, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	start, err := r.Trusted(ctx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !strings.HasPrefix(c.Path, store.Dir+"/") && !start.Adopted().Has(c.Path) {
			return nil
		}
	}
	// Changing nothing is a valid answer here, which the criteria judge.
	if start.Fields.Replays > 0 || start.Adopted().OnlyChecks() {
		return nil
	}
	if now, err := r.OwnSpec(ctx); err == nil && (prose(now) != prose(start) || now.Adopted().Text() != start.Adopted().Text()) {
		return nil
	}
	if r.Asked {
		return &journal.Failure{Kind: spec.ReasonNothing, Message: fmt.Sprintf("nothing was done yet: branch %q has neither a commit nor a change", r.Job.Branch)}
	}
	ignored, err := r.onlyIgnored(ctx)
	if err != nil {
		return err
	}
	return &journal.Failure{Kind: spec.ReasonAgent, Message: r.addRefusals("the agent ended without a commit or a change" + ignored)}
}

// onlyIgnored adds to a reason the files that the agent has written and that git ignores, which never become a commit.
func (r *Run) onlyIgnored(ctx context.Context) (string, error) {
	began := r.Launcher.Began()
	if began.IsZero() {
		return "", nil
	}
	written, err := r.Repo.IgnoredSince(ctx, r.Trees.Tree, began)
	written = slices.DeleteFunc(written, func(path string) bool { return strings.HasPrefix(path, store.Dir+"/") })
	if err != nil || len(written) == 0 {
		return "", err
	}
	more := ""
	if n := len(written) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("; it wrote only files that git ignores: %q%s", written[0], more), nil
}

// addRefusals adds to a reason what the wall has refused to the agent, and where no space was left for it.
func (r *Run) addRefusals(why string) string {
	// An agent without space often ends without saying so.
	for _, dir := range []string{r.Trees.Tree, r.Store.Home(), providers.Variable(r.Environ, "TMPDIR")} {
		if layout.Full(dir) {
			why += fmt.Sprintf("; no space left on the file system of %q", dir)
			break
		}
	}
	if said := r.Sandbox().Explain(r.Launcher.Refused, "sandbox.write"); said != "" {
		why += "; " + said
	}
	return why
}

// prose is the body without the state of its boxes.
func prose(s *spec.File) string {
	text := string(s.Doc.Body())
	return strings.TrimSpace(strings.NewReplacer("[x]", "[ ]", "[X]", "[ ]").Replace(text))
}
