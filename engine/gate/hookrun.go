package gate

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"chant/engine"
	"chant/engine/linter"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
)

// HookRunInput is a hook as git has called it.
type HookRunInput struct {
	Name    string   // pre-commit, commit-msg or pre-push
	Args    []string // of git
	Message string   // of the commit, for commit-msg
	Stdin   string   // what git says on its standard input, for pre-push
}

// HookRunResult is what chant has looked at.
type HookRunResult struct {
	Lint     linter.LintResult        `json:"lint"`               // of pre-commit: the specs that are staged
	Verified []verify.VerifyAllResult `json:"verified,omitempty"` // of pre-push: the completed specs that each ref brings
}

// HookRun does what chant does in a hook: before a commit it checks the specs that are
// staged, of a message that begins "chant(<id>):" the trailers, and before a push it
// verifies the completed specs that the push changes; it writes nothing. Errors:
// Invalid and Unverified, with which git stops; Usage for another hook.
func HookRun(ctx context.Context, dir string, o engine.Options, in HookRunInput) (HookRunResult, error) {
	var r HookRunResult
	p, err := open(dir, o)
	if err != nil {
		return r, err
	}
	if !p.Store.Present() {
		return engine.Done(r, unjudged(ctx, p, in), "")
	}
	switch in.Name {
	case "pre-commit":
		r.Lint, err = preCommit(ctx, p)
	case "commit-msg":
		err = commitMsg(ctx, p, in.Message)
	case "pre-push":
		r.Verified, err = prePush(ctx, p, in)
	default:
		err = engine.Fail(engine.Usage, next.Hooks.Help(), "chant has nothing to say in the hook %q", spec.Echo(in.Name))
	}
	return engine.Done(r, err, "")
}

func preCommit(ctx context.Context, p *engine.Project) (linter.LintResult, error) {
	r, err := linter.Lint(ctx, p, linter.LintInput{Staged: true})
	if err == nil && r.Failed > 0 {
		err = engine.Fail(engine.Invalid, next.Lint.On(), "%s", r.CountErrors("staged"))
	}
	return r, err
}

// commitMsg checks what a message that looks like one of chant's says. What stands where
// an id would, and neither is one nor has the form of one, is a scope of people's own.
func commitMsg(ctx context.Context, p *engine.Project, text string) error {
	message := withoutComments(text)
	id := spec.SubjectOf(message)
	if id == "" || !engine.Exists(filepath.Join(p.Repo.Dir(), store.Dir)) { // someone else's chant
		return nil
	}
	ofRun := ""
	if head, err := p.Repo.Head(ctx, p.Repo.Dir()); err == nil {
		ofRun, _ = strings.CutPrefix(head.Branch, p.Config.Defaults.BranchPrefix)
	}
	unknown := known(ctx, p, id)
	var wrong *spec.MessageError
	if _, err := spec.ParseID(id); err != nil && errors.As(unknown, &wrong) {
		return nil
	}
	err := spec.CheckMessage(message, gitops.Trailers(message), ofRun)
	if err == nil {
		err = unknown
	}
	if errors.As(err, &wrong) {
		return engine.Fail(engine.Invalid, next.Shell("git commit --trailer %q --trailer %q", spec.SpecTrailer+": "+id, spec.EventTrailer+": edit"), "%s", wrong)
	}
	return err
}

// known checks that there is a spec of exactly this id, active, archived or on the
// branch of its run.
func known(ctx context.Context, p *engine.Project, id string) error {
	if spec.ValidName(id) == nil {
		if p.Store.Exists(id) {
			return nil
		}
		if _, err := p.Store.At(ctx, "HEAD", id); err == nil {
			return nil
		}
		if branch, err := p.Store.HasBranch(ctx, id); branch || err != nil {
			return err
		}
		if _, _, err := p.Store.RawArchived(id); err == nil {
			return nil
		}
	}
	return &spec.MessageError{ID: id, Why: "but there is no such spec"}
}

// withoutComments is a message as git will commit it: without the lines that it takes
// away itself, and what stands below its scissors.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		if strings.HasPrefix(line, "# ------------------------ >8") {
			break
		}
		if !strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	return strings.Trim(b.String(), "\n") + "\n"
}
