package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"chant/engine/agentfile"
	"chant/engine/journal"
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

// Fail makes an error of the engine's own.
func Fail(code Code, hint, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Wrap turns whatever a lower room returned into an *Error, once. id is the spec
// in question, "" when there is none.
func Wrap(err error, id string) error {
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

// Done ends an operation: its error becomes an *Error.
func Done[T any](result T, err error, id string) (T, error) { return result, Wrap(err, id) }

func fromContext(err error, id string) *Error {
	if !errors.Is(err, context.Canceled) {
		return nil
	}
	hint := ""
	if id != "" {
		hint = "chant work " + id
	}
	return Fail(Canceled, hint, "stopped")
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
		return Fail(Invalid, "chant list", "%s", bad)
	case errors.As(err, &missing):
		return Fail(NotFound, "chant list", "%s", missing)
	case errors.As(err, &ambiguous):
		return Fail(Usage, "chant show "+ambiguous.Candidates[0], "%s", ambiguous)
	case errors.As(err, &state):
		return Fail(State, allowedHint(state, id), "%s: %s", quoteID(id), state)
	case errors.As(err, &syntax):
		return Fail(Invalid, EditHint(syntax.Path), "%s", syntax)
	}
	return nil
}

// EditHint names the way to a broken file: specs have a command of their own.
func EditHint(file string) string {
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
	var f *journal.Failure
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
	return Fail(code, cmp.Or(f.Next, next), "%s", f)
}

func fromStore(err error, id string) *Error {
	var (
		changed *store.ChangedError
		exists  *store.ExistsError
		file    *store.FileError
		broken  *agentfile.FileError
	)
	switch {
	case errors.As(err, &broken):
		return Fail(Invalid, EditHint(broken.Name), "%s", broken)
	case errors.As(err, &file):
		return Fail(Invalid, fmt.Sprintf("ls -l %q", file.Path), "%s", file)
	case errors.Is(err, store.ErrNotInitialized):
		return Fail(NotFound, "chant init", "%s", store.ErrNotInitialized)
	case errors.As(err, &changed):
		return Fail(Conflict, "chant show "+id, "%s", changed)
	case errors.As(err, &exists):
		return Fail(Conflict, "chant list", "%s", exists)
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
		return Fail(Conflict, lockHint(id), "%s", locked)
	case errors.As(err, &conflict):
		return Fail(Conflict, "git status", "%s", conflict)
	case errors.Is(err, gitops.ErrChanged):
		return Fail(Conflict, "git status", "%s", err)
	case errors.Is(err, gitops.ErrNotRepository):
		return Fail(NotFound, "git init", "%s", err)
	case errors.Is(err, gitops.ErrBare):
		return Fail(NotFound, "git worktree add ../work && cd ../work", "%s", err)
	case errors.Is(err, gitops.ErrUnborn):
		return Fail(State, `git commit --allow-empty -m "Begin"`, "%s", err)
	case errors.Is(err, gitops.ErrNoIdentity):
		return Fail(State, `git config user.name "Your Name" && git config user.email you@example.com`, "%s", gitops.ErrNoIdentity)
	case errors.As(err, &version):
		return Fail(NotFound, "git --version", "%s", version)
	case errors.As(err, &git) && git.Locked():
		return Fail(Conflict, "ls -l .git/*.lock", "%s", git)
	case errors.As(err, &git):
		return Fail(Internal, "git status", "%s", git)
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
		return Fail(Agent, "chant guide agents", "%s", missing)
	case errors.As(err, &config):
		if config.Provider == "shell" { // the spec's script is what is wrong
			return Fail(Invalid, "chant edit "+id, "%s", config)
		}
		if config.Settings {
			return Fail(Invalid, "vi "+store.ConfigPath, "%s", config)
		}
		return Fail(Invalid, "vi "+store.ProvidersDir+"/"+config.Provider+".md", "%s", config)
	}
	return nil
}
