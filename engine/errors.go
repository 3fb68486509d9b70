package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/format/agentfile"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/layout"
	"chant/gitops/lockfile"
	"chant/markdown"
	"chant/providers"
)

// Code classifies errors by what their reader can do about them.
type Code string

// The codes, in the order of their exit codes.
const (
	Internal   Code = "internal"   // a bug of chant, or a failing machine
	Usage      Code = "usage"      // wrong flags or arguments
	NotFound   Code = "not_found"  // no such spec, run, provider, repository
	Invalid    Code = "invalid"    // a file or value has the wrong format
	State      Code = "state"      // the state machine forbids this event now
	Blocked    Code = "blocked"    // unmet dependency or approval
	Conflict   Code = "conflict"   // merge conflict, dirty tree, held lock, concurrent write
	Agent      Code = "agent"      // the agent CLI is missing, failed, timed out
	Unverified Code = "unverified" // a criterion is unchecked, failed or tampered with
	Canceled   Code = "canceled"   // stopped by a signal or the client
)

// ErrNotInitialized is the cause of the error of Open without a project.
var ErrNotInitialized = store.ErrNotInitialized

// Error is the only error type that entry points receive.
type Error struct {
	Code    Code      `json:"code"`
	Message string    `json:"message"`
	Next    next.Step `json:"hint,omitzero"` // the one next step
	Err     error     `json:"-"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Fail creates an error.
func Fail(code Code, step next.Step, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Next: step}
}

// Wrap converts an error of any package below into an *Error; an *Error stays as it is. id is the spec
// in question, "" for none.
func Wrap(err error, id string) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	// The order matters: a cancellation or a full disk is the cause of whatever failed for it.
	for _, try := range []func(error, string) *Error{fromContext, fromDisk, fromSpec, fromRun, fromStore, fromKeys, fromGit, fromProvider} {
		if e := try(err, id); e != nil {
			e.Err = err
			return e
		}
	}
	return &Error{Code: Internal, Message: err.Error(), Err: err}
}

// Done returns the result of an operation, with its error as an *Error.
func Done[T any](result T, err error, id string) (T, error) { return result, Wrap(err, id) }

func fromContext(err error, id string) *Error {
	// A deadline is an error of the operation that set it.
	if !errors.Is(err, context.Canceled) {
		return nil
	}
	var step next.Step
	if id != "" {
		step = next.Work.On(id)
	}
	return Fail(Canceled, step, "stopped")
}

// fromDisk recognises that no space is left or that a place cannot be used, whatever failed for it: nothing else has to be
// done about that.
func fromDisk(err error, _ string) *Error {
	path, full := disk.FullIn(err)
	git, _ := errors.AsType[*gitops.GitError](err)
	at, _ := errors.AsType[*fs.PathError](err)
	// A rename names two paths; the new one is where something is written.
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		at = &fs.PathError{Op: link.Op, Path: link.New, Err: link.Err}
	}
	switch {
	case full && path == "":
		return Fail(Conflict, next.Shell("df -h"), "no space left: %s", err)
	case full && !layout.RoomForFile(path):
		return Fail(Conflict, next.Shell("df -i %q", path), "no room for another file (inode) is left on the file system of %q", path)
	case full:
		return Fail(Conflict, next.Shell("df -h %q", path), "no space left on the file system of %q", path)
	case git != nil && (disk.SaysFull(git.Stderr) || git.DiskFull):
		return Fail(Conflict, next.Shell("df -h %q", git.Dir), "no space left on the file system of %q: %s", git.Dir, git)
	// In parentheses ssh lists methods: then a server has refused the user, not the file system.
	case git != nil && strings.Contains(git.Stderr, "Permission denied") && !strings.Contains(git.Stderr, "Permission denied (") && !git.Unreachable():
		return Fail(Conflict, next.Shell("ls -la %q", git.Dir), "%s: your user may not write there", git)
	case at == nil:
		return nil
	// A wrong TMPDIR fails everywhere, and the path of the file would not show why.
	case inTemp(at.Path) && filepath.Clean(os.TempDir()) != "/tmp":
		return Fail(Conflict, next.Shell("export TMPDIR=/tmp"), "TMPDIR is %q, where no temporary file can be made: %s", os.TempDir(), at.Err)
	case errors.Is(at, fs.ErrPermission) || errors.Is(at, syscall.EROFS):
		return Fail(Conflict, next.Shell("ls -ld %q", disk.NearestExisting(at.Path)), "your user may not %s %q: %s", systemCallText(at.Op), at.Path, at.Err)
	}
	return nil
}

// systemCallText names for people what a call of the system does.
func systemCallText(op string) string {
	switch {
	case strings.HasPrefix(op, "mkdir"):
		return "make"
	case strings.HasPrefix(op, "rename"), strings.HasPrefix(op, "write"), strings.HasPrefix(op, "chmod"):
		return "change"
	case strings.HasPrefix(op, "unlink"), strings.HasPrefix(op, "remove"):
		return "remove"
	}
	return "open"
}

// inTemp reports whether a path is the folder for temporary files, or something that chant has made directly in it.
func inTemp(path string) bool {
	temp := filepath.Clean(os.TempDir())
	return path != "" && (filepath.Clean(path) == temp || filepath.Dir(path) == temp && strings.HasPrefix(filepath.Base(path), "chant-"))
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
		return Fail(Invalid, next.List.On(), "%s", bad)
	case errors.As(err, &missing):
		return Fail(NotFound, next.List.On(), "%s", missing)
	case errors.As(err, &ambiguous):
		return Fail(Usage, next.Show.On(ambiguous.Candidates[0]), "%s", ambiguous)
	case errors.As(err, &state):
		return Fail(State, allowedStep(state, id), "%s: %s", quoteID(id), state)
	case errors.As(err, &syntax):
		return Fail(Invalid, EditStep(syntax.Path), "%s", syntax)
	}
	return nil
}

// EditStep is the step to edit a broken file; specs have a command for it.
func EditStep(file string) next.Step {
	if strings.Contains(file, store.SpecsDir+"/") {
		return next.Edit.On(strings.TrimSuffix(path.Base(file), ".md"))
	}
	return next.EditFile(file)
}

func quoteID(id string) string {
	if id == "" {
		return "spec"
	}
	return fmt.Sprintf("spec %q", id)
}

// allowedStep is the next step from a status.
func allowedStep(e *spec.StateError, id string) next.Step {
	switch e.From {
	case spec.Completed, spec.InProgress:
		return next.Show.On(id)
	case spec.Cancelled:
		return next.Reset.On(id)
	}
	return next.Work.On(id)
}

func fromRun(err error, id string) *Error {
	var f *journal.Failure
	if !errors.As(err, &f) {
		return nil
	}
	code, step := Conflict, next.Diagnose.On(id)
	switch f.Kind {
	case spec.ReasonAgent:
		code, step = Agent, next.Log.On(id)
	case spec.ReasonUnverified, spec.ReasonMergedTree, spec.ReasonNothing, spec.ReasonNoCriteria, spec.ReasonSpoiled, spec.ReasonRepository:
		code = Unverified
	case spec.ReasonTampered, spec.ReasonWeakened:
		code, step = Unverified, next.Finalize.On(id).Flag("accept-changes")
	case spec.ReasonOutput:
		code, step = Unverified, next.Work.On(id)
	case spec.ReasonSchema:
		code, step = Invalid, next.Edit.On(id)
	case spec.ReasonStrayed:
		step = next.Reset.On(id)
	case spec.ReasonSetup:
		code, step = Invalid, next.EditFile(store.ConfigPath)
	case spec.ReasonInTheWay:
		step = next.Shell("git status")
	case spec.ReasonMoved, spec.ReasonQueue:
		step = next.Merge.On(id)
	case spec.ReasonForeign, spec.ReasonChanged:
		code, step = Unverified, next.Finalize.On(id)
	case spec.ReasonTargetGone:
		step = next.EditFile(store.ConfigPath)
	case spec.ReasonWithdrawn, spec.ReasonUnapproved, spec.ReasonSpecChanged, spec.ReasonRed:
		code = Blocked
	case spec.ReasonQuestion:
		code, step = Blocked, next.Answer.On(id)
	}
	return Fail(code, f.Next.Or(step), "%s", f)
}

func fromStore(err error, id string) *Error {
	var (
		changed *store.ChangedError
		exists  *store.ExistsError
		file    *local.FileError
		broken  *agentfile.FileError
		absent  *store.AbsentError
		gone    *local.GoneError
		unborn  *store.UnbornError
		newer   *local.FormatError
	)
	switch {
	case errors.As(err, &newer):
		return Fail(Invalid, next.Guide.On("upgrade"), "%s", newer)
	case errors.As(err, &gone):
		return Fail(Conflict, next.Step{}, "%s", gone)
	case errors.As(err, &broken):
		return Fail(Invalid, EditStep(broken.Name), "%s", broken)
	case errors.As(err, &file):
		return Fail(Invalid, next.Shell("ls -l %q", file.Path), "%s", file)
	case errors.As(err, &unborn):
		return Fail(State, next.Shell("git checkout --track %s", unborn.Remote[0]), "%s", unborn)
	case errors.As(err, &absent) && absent.Why == store.Skipped:
		return Fail(State, next.Shell("git update-index --no-skip-worktree -- %q && git restore -- %[1]q", absent.Path), "%s", absent)
	case errors.As(err, &absent) && absent.Why == store.Sparse:
		return Fail(State, next.Shell("git sparse-checkout add %s", absent.Path), "%s", absent)
	case errors.As(err, &absent):
		return Fail(State, next.Shell("git restore %s", absent.Path), "%s", absent)
	case errors.Is(err, store.ErrNotInitialized):
		return Fail(NotFound, next.Init.On(), "%s", store.ErrNotInitialized)
	case errors.As(err, &changed):
		return Fail(Conflict, next.Show.On(id), "%s", changed)
	case errors.As(err, &exists):
		return Fail(Conflict, next.List.On(), "%s", exists)
	}
	return nil
}

func fromGit(err error, id string) *Error {
	var (
		locked   *lockfile.HeldError
		conflict *gitops.ConflictError
		version  *gitops.VersionError
		git      *gitops.GitError
		object   *gitops.MissingError
		replaced *gitops.ReplacedError
		ref      *gitops.BrokenRefError
		large    *gitops.TooLargeError
		owner    *gitops.OwnerError
		partial  *gitops.UnfetchedError
	)
	switch {
	case errors.As(err, &owner):
		return Fail(State, next.Shell("git config --global --add safe.directory %q", owner.Top), "%s", owner)
	case errors.As(err, &ref):
		return Fail(Invalid, next.Shell("rm %q", ref.File), "%s; the journal of the run, or git's reflog of it, has its last commit", ref)
	case errors.As(err, &large):
		return Fail(Invalid, next.Shell("ls -lsh %q", filepath.Join(large.Top, filepath.FromSlash(large.Path))), "%s; move or remove it", large)
	case errors.As(err, &partial):
		return Fail(Conflict, next.Shell("git fetch"), "%s", partial)
	case errors.As(err, &object):
		return Fail(Invalid, next.Shell("git fsck --connectivity-only"), "git's object %q is missing%s; %s", object.Hash, neededBy(id), damage)
	case errors.As(err, &replaced):
		return Fail(Invalid, next.Shell("git fsck --connectivity-only"), "%s%s; the agent of a run can write to objects that are in no pack: fetch them from a clone", replaced, neededBy(id))
	case errors.As(err, &git) && git.Damaged():
		return Fail(Invalid, next.Shell("git fsck --connectivity-only"), "git's objects are damaged%s: %s; %s", neededBy(id), git, damage)
	case errors.As(err, &locked):
		return heldError(locked, id)
	case errors.As(err, &conflict):
		return Fail(Conflict, next.Shell("%s", cmp.Or(conflict.Aside, "git status")), "%s", conflict)
	case errors.Is(err, gitops.ErrChanged):
		return Fail(Conflict, next.Shell("git status"), "%s", err)
	case errors.Is(err, gitops.ErrNotRepository):
		return Fail(NotFound, next.Shell("git init"), "%s", err)
	case errors.Is(err, gitops.ErrBare):
		return Fail(NotFound, next.Shell("git worktree add ../work && cd ../work"), "%s", err)
	case errors.Is(err, gitops.ErrUnborn):
		return Fail(State, next.Shell(`git commit --allow-empty -m "Begin"`), "%s", err)
	case errors.Is(err, gitops.ErrNoIdentity):
		return Fail(State, next.Shell(`git config user.name "Your Name" && git config user.email you@example.com`), "%s", gitops.ErrNoIdentity)
	case errors.As(err, &version):
		return Fail(NotFound, next.Shell("git --version"), "%s", version)
	// The lock's file is named where git names it, since git's message alone suggests removing any.
	case errors.As(err, &git) && git.LockFile() != "":
		return Fail(Conflict, next.Shell("ls -l %q", git.LockFile()), "%s", git)
	case errors.As(err, &git) && git.Locked():
		return Fail(Conflict, next.Shell("ls -l .git/*.lock"), "%s", git)
	case errors.As(err, &git) && git.SettingsFile() != "":
		return Fail(Invalid, next.EditFile(git.SettingsFile()), "git cannot read its settings: %s", git)
	case errors.As(err, &git) && git.Unsigned():
		return Fail(State, next.Shell("git config --show-origin --get-regexp 'gpg|sign'"), "git cannot sign commits, as its settings have it do: %s", git)
	case errors.As(err, &git):
		return Fail(Internal, next.Shell("git status"), "%s", git)
	}
	return nil
}

// damage says what may have damaged git's objects, and what to do.
const damage = "a command, or the agent of a run, may have deleted objects that were in no pack; fetch them from a clone"

// neededBy names the spec for which an object was read.
func neededBy(id string) string {
	if id == "" {
		return ""
	}
	return fmt.Sprintf(", which spec %q needs", id)
}

// heldError is the error for a lock that another process holds, without its path where the lock is that of a run.
func heldError(held *lockfile.HeldError, id string) *Error {
	// The path of a run's lock says nothing to a person; who works does.
	if h := held.Holder; id != "" && RoleOf(h) == lockfile.Works {
		return Fail(Conflict, lockStep(id), "%q is being worked by process %d on %q since %s", id, h.PID, h.Host, h.Since.Format(time.RFC3339))
	}
	return Fail(Conflict, lockStep(id), "%s", held)
}

func lockStep(id string) next.Step {
	if id == "" {
		return next.Status.On()
	}
	return next.Log.On(id).Flag("follow")
}

func fromProvider(err error, id string) *Error {
	var (
		missing *providers.MissingError
		config  *providers.ConfigError
		format  *providers.FormatError
	)
	switch {
	case errors.As(err, &format):
		return Fail(Agent, next.Shell("file %q", format.Binary), "%s", format)
	case errors.As(err, &missing):
		return Fail(Agent, next.Guide.On("agents"), "%s", missing)
	case errors.As(err, &config):
		// A provider called shell has its script in the spec.
		if config.Provider == "shell" {
			return Fail(Invalid, next.Edit.On(id), "%s", config)
		}
		if config.Settings {
			return Fail(Invalid, next.EditFile(store.ConfigPath), "%s", config)
		}
		return Fail(Invalid, next.EditFile(store.ProvidersDir+"/"+config.Provider+".md"), "%s", config)
	}
	return nil
}
