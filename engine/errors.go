package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"chant/engine/agents"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/gitops/lockfile"
	"chant/markdown"
	"chant/providers"
)

// Code sorts errors by what their reader can do about them.
type Code string

// The codes, in the order of their exit codes.
const (
	Internal   Code = "internal"   // our bug, or a machine that fails
	Usage      Code = "usage"      // wrong flags or arguments
	NotFound   Code = "not_found"  // no such spec, run, provider, repository
	Invalid    Code = "invalid"    // a file or value breaks the format
	State      Code = "state"      // the machine forbids this event now
	Blocked    Code = "blocked"    // unmet dependency or approval
	Conflict   Code = "conflict"   // merge conflict, dirty tree, held lock, concurrent write
	Agent      Code = "agent"      // the agent CLI is missing, failed, timed out
	Unverified Code = "unverified" // a criterion is unchecked, failed or tampered with
	Canceled   Code = "canceled"   // stopped by a signal or the client
)

// ErrNotInitialized is the cause of the error of Open where there is no project.
var ErrNotInitialized = store.ErrNotInitialized

// Error is the only error type that a door sees.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // one command to run next
	Err     error  `json:"-"`
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// fail makes an error of the engine's own.
func fail(code Code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// wrap turns whatever a lower room returned into an *Error, once. id is the spec
// in question, "" when there is none.
func wrap(err error, id string) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	for _, try := range []func(error, string) *Error{fromContext, fromSpec, fromRun, fromStore, fromGit, fromProvider} {
		if e := try(err, id); e != nil {
			e.Err = err
			return e
		}
	}
	return &Error{Code: Internal, Message: err.Error(), Err: err}
}

// done ends an operation: its error becomes an *Error.
func done[T any](result T, err error, id string) (T, error) { return result, wrap(err, id) }

func fromContext(err error, id string) *Error {
	if !errors.Is(err, context.Canceled) {
		return nil
	}
	hint := ""
	if id != "" {
		hint = "chant work " + id
	}
	return fail(Canceled, hint, "stopped")
}

func fromSpec(err error, id string) *Error {
	var (
		bad       *spec.IDError
		missing   *spec.NotFoundError
		ambiguous *spec.AmbiguousError
		state     *spec.StateError
		syntax    *markdown.SyntaxError
	)
	switch {
	case errors.As(err, &bad):
		return fail(Invalid, "chant list", "%s", bad)
	case errors.As(err, &missing):
		return fail(NotFound, "chant list", "%s", missing)
	case errors.As(err, &ambiguous):
		return fail(Usage, "chant show "+ambiguous.Candidates[0], "%s", ambiguous)
	case errors.As(err, &state):
		return fail(State, allowedHint(state, id), "%s: %s", quoteID(id), state)
	case errors.As(err, &syntax):
		return fail(Invalid, editHint(syntax.Path), "%s", syntax)
	}
	return nil
}

// editHint names the way to a broken file: specs have a command of their own.
func editHint(file string) string {
	if strings.Contains(file, store.SpecsDir+"/") {
		return "chant edit " + strings.TrimSuffix(path.Base(file), ".md")
	}
	return "vi " + file
}

func quoteID(id string) string {
	if id == "" {
		return "spec"
	}
	return fmt.Sprintf("spec %q", id)
}

// allowedHint names the command that leads on from a status.
func allowedHint(e *spec.StateError, id string) string {
	switch e.From {
	case spec.Completed, spec.InProgress:
		return "chant show " + id
	case spec.Cancelled:
		return "chant reset " + id
	}
	return "chant work " + id
}

func fromRun(err error, id string) *Error {
	var f *run.Failure
	if !errors.As(err, &f) {
		return nil
	}
	code, next := Conflict, "chant diagnose "+id
	switch f.Kind {
	case spec.ReasonAgent:
		code, next = Agent, "chant log "+id
	case spec.ReasonUnverified, spec.ReasonMergedTree, spec.ReasonNothing, spec.ReasonNoCriteria, spec.ReasonSpoiled, spec.ReasonRepository:
		code = Unverified
	case spec.ReasonTampered:
		code, next = Unverified, "chant finalize "+id+" --accept-changes"
	case spec.ReasonOutput:
		code, next = Unverified, "chant work "+id
	case spec.ReasonSchema:
		code, next = Invalid, "chant edit "+id
	case spec.ReasonStrayed:
		next = "chant reset " + id
	case spec.ReasonSetup:
		code, next = Invalid, "vi "+store.ConfigPath
	case spec.ReasonInTheWay:
		next = "git status"
	case spec.ReasonMoved:
		next = "chant merge " + id
	case spec.ReasonForeign, spec.ReasonChanged:
		code, next = Unverified, "chant finalize "+id
	case spec.ReasonTargetGone:
		next = "vi " + store.ConfigPath
	case spec.ReasonWithdrawn, spec.ReasonUnapproved, spec.ReasonSpecChanged:
		code = Blocked
	}
	return fail(code, cmp.Or(f.Next, next), "%s", f)
}

func fromStore(err error, id string) *Error {
	var (
		changed *store.ChangedError
		exists  *store.ExistsError
		file    *store.FileError
		broken  *agents.FileError
	)
	switch {
	case errors.As(err, &broken):
		return fail(Invalid, editHint(broken.Name), "%s", broken)
	case errors.As(err, &file):
		return fail(Invalid, fmt.Sprintf("ls -l %q", file.Path), "%s", file)
	case errors.Is(err, store.ErrNotInitialized):
		return fail(NotFound, "chant init", "%s", store.ErrNotInitialized)
	case errors.As(err, &changed):
		return fail(Conflict, "chant show "+id, "%s", changed)
	case errors.As(err, &exists):
		return fail(Conflict, "chant list", "%s", exists)
	}
	return nil
}

func fromGit(err error, id string) *Error {
	var (
		locked   *lockfile.HeldError
		conflict *gitops.ConflictError
		version  *gitops.VersionError
		git      *gitops.GitError
	)
	switch {
	case errors.As(err, &locked):
		return fail(Conflict, lockHint(id), "%s", locked)
	case errors.As(err, &conflict):
		return fail(Conflict, "git status", "%s", conflict)
	case errors.Is(err, gitops.ErrChanged):
		return fail(Conflict, "git status", "%s", err)
	case errors.Is(err, gitops.ErrNotRepository):
		return fail(NotFound, "git init", "%s", err)
	case errors.Is(err, gitops.ErrBare):
		return fail(NotFound, "git worktree add ../work && cd ../work", "%s", err)
	case errors.Is(err, gitops.ErrUnborn):
		return fail(State, `git commit --allow-empty -m "Begin"`, "%s", err)
	case errors.Is(err, gitops.ErrNoIdentity):
		return fail(State, `git config user.name "Your Name" && git config user.email you@example.com`, "%s", gitops.ErrNoIdentity)
	case errors.As(err, &version):
		return fail(NotFound, "git --version", "%s", version)
	case errors.As(err, &git) && strings.Contains(git.Stderr, ".lock"):
		return fail(Conflict, "ls -l .git/*.lock", "%s", git)
	case errors.As(err, &git):
		return fail(Internal, "git status", "%s", git)
	}
	return nil
}

func lockHint(id string) string {
	if id == "" {
		return "chant status"
	}
	return "chant log " + id + " --follow"
}

func fromProvider(err error, id string) *Error {
	var (
		missing *providers.MissingError
		config  *providers.ConfigError
	)
	switch {
	case errors.As(err, &missing):
		return fail(Agent, "chant guide agents", "%s", missing)
	case errors.As(err, &config):
		if config.Provider == "shell" { // the spec's script is what is wrong
			return fail(Invalid, "chant edit "+id, "%s", config)
		}
		if config.Settings {
			return fail(Invalid, "vi "+store.ConfigPath, "%s", config)
		}
		return fail(Invalid, "vi "+store.ProvidersDir+"/"+config.Provider+".md", "%s", config)
	}
	return nil
}
