package gate

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/engine/verify"
	"chant/engine/verify/linter"
	"chant/gitops"
)

// HookRunInput is a call of a hook by git.
type HookRunInput struct {
	Name    string   // pre-commit, commit-msg or pre-push
	Args    []string // the arguments from git
	Message string   // the commit message, for commit-msg
	Stdin   string   // git's standard input to the hook, for pre-push
}

// HookRunResult is what chant has checked.
type HookRunResult struct {
	Lint     linter.LintResult        `json:"lint"`               // for pre-commit: the staged specs
	Verified []verify.VerifyAllResult `json:"verified,omitempty"` // for pre-push: the completed specs in each ref
}

// HookRun runs chant's part of a hook: pre-commit lints the staged specs, commit-msg checks the trailers of a message
// that begins with "chant(<id>):", and pre-push verifies the completed specs that the push changes, in each project of the
// repository. It writes nothing. Errors: Invalid and Unverified stop git; Usage for any other hook.
func HookRun(ctx context.Context, dir string, o engine.Options, in HookRunInput) (HookRunResult, error) {
	var r HookRunResult
	p, err := openForHooks(dir, o)
	if err != nil {
		return r, err
	}
	folders, err := store.Folders(ctx, p.Repo)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	r, err = runHook(ctx, p, in)
	for _, folder := range folders {
		// A message is about a spec of one project, and everything else has to hold in each.
		isFine := err == nil && p.Store.Present()
		if folder == "" || in.Name == "commit-msg" && isFine || in.Name != "commit-msg" && err != nil {
			continue
		}
		if p, err = openProjectForHooks(dir, folder, o); err != nil {
			return r, err
		}
		var more HookRunResult
		more, err = runHook(ctx, p, in)
		r.Verified = append(r.Verified, more.Verified...)
		if err != nil || len(folders) == 1 {
			r.Lint = more.Lint
		}
	}
	return r, err
}

// runHook is HookRun for one project.
func runHook(ctx context.Context, p *engine.Project, in HookRunInput) (r HookRunResult, err error) {
	// Git must not be stopped where no project is checked out.
	if !p.Store.Present() {
		return engine.Done(r, warnUnchecked(ctx, p, in), "")
	}
	switch in.Name {
	case "pre-commit":
		r.Lint, err = checkStaged(ctx, p)
	case "commit-msg":
		err = checkCommitMessage(ctx, p, in.Message)
	case "pre-push":
		r.Verified, err = checkPush(ctx, p, in)
	default:
		err = engine.Fail(engine.Usage, next.Hooks.Help(), "unsupported git hook %q (use pre-commit, commit-msg or pre-push)", spec.Echo(in.Name))
	}
	return engine.Done(r, err, "")
}

func checkStaged(ctx context.Context, p *engine.Project) (linter.LintResult, error) {
	r, err := linter.Lint(ctx, p, linter.LintInput{Staged: true})
	if err == nil && r.Failed > 0 {
		err = engine.Fail(engine.Invalid, next.Lint.On(), "%s", r.CountErrors("staged"))
	}
	return r, err
}

// checkCommitMessage checks a message of the form "chant(<id>): …". If the part in parentheses is not an existing spec
// and does not have the form of an id, it is taken for the scope of a conventional commit, and the message is accepted.
func checkCommitMessage(ctx context.Context, p *engine.Project, text string) error {
	written := withoutComments(text)
	id := message.SubjectOf(written)
	// A repository without chant has no rules for messages.
	if id == "" || !engine.Exists(filepath.Join(p.Repo.Dir(), store.Dir)) {
		return nil
	}
	ofRun := ""
	// On a branch of a run, the message must be about its spec.
	if head, err := p.Repo.Head(ctx, p.Repo.Dir()); err == nil {
		ofRun, _ = strings.CutPrefix(head.Branch, p.Config.Defaults.BranchPrefix)
	}
	unknown := checkExists(ctx, p, id)
	var wrong *message.Error
	// It is the scope of a conventional commit.
	if _, err := spec.ParseID(id); err != nil && errors.As(unknown, &wrong) {
		return nil
	}
	err := message.CheckMessage(written, gitops.Trailers(written), ofRun)
	if err == nil {
		err = unknown
	}
	if errors.As(err, &wrong) {
		return engine.Fail(engine.Invalid, next.Shell("git commit --trailer %q --trailer %q", message.SpecTrailer+": "+id, message.EventTrailer+": edit"), "%s", wrong)
	}
	return err
}

// checkExists checks that a spec with exactly this id exists: in the checkout, in HEAD, in the archive or on a run's
// branch.
func checkExists(ctx context.Context, p *engine.Project, id string) error {
	if spec.ValidName(id) == nil {
		if p.Store.Exists(id) {
			return nil
		}
		// A commit may be about a spec that it removes.
		if _, err := p.Store.ReadAt(ctx, "HEAD", id); err == nil {
			return nil
		}
		if branch, err := p.Store.HasBranch(ctx, id); branch || err != nil {
			return err
		}
		if _, _, err := p.Store.RawArchived(id); err == nil {
			return nil
		}
	}
	return &message.Error{ID: id, Why: "but there is no such spec"}
}

// withoutComments returns a message as git will commit it: without comment lines and without the text below the
// scissors line.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		// Git writes the diff below this line with commit --verbose.
		if strings.HasPrefix(line, "# ------------------------ >8") {
			break
		}
		if !strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	return strings.Trim(b.String(), "\n") + "\n"
}
