package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
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
	Lint     LintResult        `json:"lint"`               // of pre-commit: the specs that are staged
	Verified []VerifyAllResult `json:"verified,omitempty"` // of pre-push: the completed specs that each ref brings
}

// HookRun does what chant does in a hook: before a commit it checks the specs that are
// staged, of a message that begins "chant(<id>):" the trailers, and before a push it
// verifies the completed specs that the push changes; it writes nothing. Errors:
// Invalid and Unverified, with which git stops; Usage for another hook.
func (e *Engine) HookRun(ctx context.Context, in HookRunInput) (HookRunResult, error) {
	var r HookRunResult
	var err error
	if !e.store.Present() {
		return done(r, e.unjudged(ctx, in), "")
	}
	switch in.Name {
	case "pre-commit":
		r.Lint, err = e.preCommit(ctx)
	case "commit-msg":
		err = e.commitMsg(ctx, in.Message)
	case "pre-push":
		r.Verified, err = e.prePush(ctx, in)
	default:
		err = fail(Usage, "chant hooks --help", "chant has nothing to say in the hook %q", spec.Echo(in.Name))
	}
	return done(r, err, "")
}

func (e *Engine) preCommit(ctx context.Context) (LintResult, error) {
	r, err := e.Lint(ctx, LintInput{Staged: true})
	if err == nil && r.Failed > 0 {
		err = fail(Invalid, "chant lint", "%s", r.Errors("staged"))
	}
	return r, err
}

// commitMsg checks what a message that looks like one of chant's says. What stands where
// an id would, and neither is one nor has the form of one, is a scope of people's own.
func (e *Engine) commitMsg(ctx context.Context, text string) error {
	message := withoutComments(text)
	id := spec.SubjectOf(message)
	if id == "" || !exists(filepath.Join(e.repo.Dir(), store.Dir)) { // somebody else's chant
		return nil
	}
	ofRun := ""
	if head, err := e.repo.Head(ctx, e.repo.Dir()); err == nil {
		ofRun, _ = strings.CutPrefix(head.Branch, e.config.Defaults.BranchPrefix)
	}
	unknown := e.known(ctx, id)
	var wrong *spec.MessageError
	if _, err := spec.ParseID(id); err != nil && errors.As(unknown, &wrong) {
		return nil
	}
	err := spec.CheckMessage(message, gitops.Trailers(message), ofRun)
	if err == nil {
		err = unknown
	}
	if errors.As(err, &wrong) {
		return fail(Invalid, fmt.Sprintf("git commit --trailer %q --trailer %q", spec.SpecTrailer+": "+id, spec.EventTrailer+": edit"), "%s", wrong)
	}
	return err
}

// known checks that there is a spec of exactly this id, active, archived or on the
// branch of its run.
func (e *Engine) known(ctx context.Context, id string) error {
	if spec.ValidName(id) == nil {
		if e.store.Exists(id) {
			return nil
		}
		if _, err := e.specAt(ctx, "HEAD", id); err == nil {
			return nil
		}
		if branch, err := e.store.HasBranch(ctx, id); branch || err != nil {
			return err
		}
		if _, _, err := e.store.RawArchived(id); err == nil {
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
