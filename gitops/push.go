package gitops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// RefUpdate is what a push changes: one ref of a remote.
type RefUpdate struct {
	Ref string // its full name in the remote
	New string // the object that it leads to afterwards, "" = the ref is removed
	// Old is the object to which it must lead before, "" = it must not exist. It is not asked for with Forward, and git does
	// not look at it where the ref leads to New already.
	Old string
	// Forward moves a branch only to a descendant of what it has, as a plain push does.
	Forward bool
}

// PushRefusedError says which updates of a push the remote refused, and why. Nothing was changed.
type PushRefusedError struct {
	Remote string
	Refs   []RefusedRef // in the order of the push
	Said   string       // what the remote said to it, such as the text of a hook, in one line; "" = nothing
	// Stale reports that a ref does not have the expected value: another push was faster.
	Stale bool
}

// RefusedRef is a ref that was not updated, and the reason in the words of git or of the remote.
type RefusedRef struct{ Ref, Why string }

// Error names the first ref that was refused for a reason of its own.
func (e *PushRefusedError) Error() string {
	first := e.Refs[0]
	for _, r := range e.Refs {
		// With --atomic, git reports every ref as refused, most of them only because of the first.
		if !strings.Contains(r.Why, "atomic") {
			first = r
			break
		}
	}
	text := fmt.Sprintf("remote %q refused %q: %s", e.Remote, first.Ref, first.Why)
	if e.Said != "" {
		text += fmt.Sprintf(" (%s)", e.Said)
	}
	return text
}

// Push changes refs of a remote, all or none of them. Errors: *PushRefusedError, a *GitError if the remote cannot be reached,
// ErrSilent if nothing was heard of it for too long; it may have made the changes then.
func (r *Repo) Push(ctx context.Context, remote string, updates ...RefUpdate) error {
	// Tags that lead to the commits are the person's own and are not pushed along.
	args := []string{"push", "--atomic", "--porcelain", "--progress", "--no-follow-tags"}
	var specs []string
	for _, u := range updates {
		if !layout.ValidRef(u.Ref) || !strings.HasPrefix(u.Ref, "refs/") {
			return fmt.Errorf("%q is not a full ref name", u.Ref)
		}
		// The lease makes the remote refuse if another one was faster; a plain push compares histories itself.
		if !u.Forward {
			args = append(args, "--force-with-lease="+u.Ref+":"+u.Old)
		}
		specs = append(specs, u.New+":"+u.Ref)
	}
	call := gitexec.Call{Dir: r.site.Home, Limit: gitexec.RemoteLimit, Remote: true, Write: true, Args: append(append(args, "--", remote), specs...)}
	out, err := r.git.Run(ctx, call)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if refused := refusedRefs(string(out)); len(refused) > 0 {
		at := func(r RefusedRef) int {
			return slices.IndexFunc(updates, func(u RefUpdate) bool { return u.Ref == r.Ref })
		}
		// Git prints the refs in an order of its own.
		slices.SortStableFunc(refused, func(a, b RefusedRef) int { return cmp.Compare(at(a), at(b)) })
		failed := &PushRefusedError{Remote: remote, Refs: refused, Stale: isStale(refused)}
		if git, ok := errors.AsType[*GitError](err); ok {
			failed.Said = remoteMessage(git.Stderr)
		}
		return failed
	}
	return err
}

// Bounds of what is repeated of a remote's words.
const (
	maxMessageLines = 3
	maxMessage      = 300 // characters
)

// remoteMessage returns what a remote said to a push, without its progress.
func remoteMessage(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		// Progress is overwritten in place: only what follows the last carriage return would be seen.
		text, found := strings.CutPrefix(line[strings.LastIndexByte(strings.TrimRight(line, "\r\n"), '\r')+1:], "remote:")
		text = strings.TrimSpace(text)
		if found && text != "" && !strings.HasSuffix(text, "done.") && len(lines) < maxMessageLines {
			lines = append(lines, text)
		}
	}
	// What a remote prints is not ours to trust: it is cut, and may be in any encoding.
	all := []rune(strings.ToValidUTF8(strings.Join(lines, "; "), "?"))
	if len(all) > maxMessage {
		all = append(all[:maxMessage], '…')
	}
	return string(all)
}

// refusedRefs reads the porcelain output of a push: "!", tab, from:to, tab, reason.
func refusedRefs(out string) []RefusedRef {
	var refs []RefusedRef
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) < 3 || fields[0] != "!" {
			continue
		}
		_, ref, _ := strings.Cut(fields[1], ":")
		why := fields[2]
		// The reason is in parentheses, or is all that there is in brackets.
		if _, inside, found := strings.Cut(why, "rejected] ("); found {
			why = strings.TrimSuffix(inside, ")")
		}
		refs = append(refs, RefusedRef{ref, strings.Trim(why, "[]")})
	}
	return refs
}

// isStale reports whether refs were refused because they do not have the expected value. The words are those of git's
// client and of its receive-pack.
func isStale(refs []RefusedRef) bool {
	for _, r := range refs {
		for _, word := range []string{"stale info", "non-fast-forward", "fetch first", "failed to update ref", "failed to lock", "cannot lock ref", "already exists", "reference already exists", "needs force", "atomic transaction failed"} {
			if strings.Contains(r.Why, word) {
				return true
			}
		}
	}
	return false
}

// FetchRefs brings refs of a remote here: each of specs is "from:to" with full names, or two patterns that end in "/*",
// which replace what is here and remove what the remote no longer has. Errors: a *GitError when there is no such remote, or
// it does not answer, ErrSilent if nothing was heard of it for too long.
func (r *Repo) FetchRefs(ctx context.Context, remote string, specs ...string) error {
	// Neither the person's refspecs nor FETCH_HEAD may change: this fetch is chant's alone.
	args := []string{"fetch", "--quiet", "--progress", "--no-tags", "--prune", "--no-auto-maintenance", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=", "--", remote}
	for _, s := range specs {
		// The plus lets a ref here be replaced, whatever it held.
		args = append(args, "+"+s)
	}
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Limit: gitexec.RemoteLimit, Remote: true, Args: args})
	return err
}

// CheckOutRemote checks out a branch of a remote, such as "origin/main", as a branch of the clone with its name.
func (r *Repo) CheckOutRemote(ctx context.Context, branch string) error {
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Limit: gitexec.LongLimit, Args: []string{"checkout", "--quiet", "--track", branch, "--"}})
	return err
}

// Clone makes a clone of a remote at dir, which must not exist or be empty, with the remote's name and one branch checked
// out; "" means the one that the remote's HEAD names. Errors: a *GitError.
func Clone(ctx context.Context, url, dir, remote, branch string) (*Repo, error) {
	args := []string{"clone", "--quiet", "--progress", "--origin", remote}
	if branch != "" {
		args = append(args, "--branch", branch)
	}
	git := &gitexec.Runner{}
	_, err := git.Run(ctx, gitexec.Call{Limit: gitexec.RemoteLimit, Remote: true, Write: true, Args: append(args, "--", url, dir)})
	if err != nil {
		return nil, err
	}
	// Without this, a clone into a folder inside of another repository could open that one.
	repo, err := Open(dir)
	if errors.Is(err, ErrNotRepository) {
		return nil, fmt.Errorf("clone of %q: %w", url, err)
	}
	return repo, err
}

// ResetTo moves the checked-out branch of home, its index and its files to a commit, whatever they held. Only the
// clones that chant itself makes may be reset.
func (r *Repo) ResetTo(ctx context.Context, commit string) error {
	_, err := r.git.Retry(ctx, gitexec.Call{Dir: r.site.Home, Limit: gitexec.LongLimit, Args: []string{"reset", "--quiet", "--hard", commit}})
	return err
}

// CollectGarbage has git pack the objects that have files of their own, and remove what nothing has led to for long, if it
// finds that there are many (gc.auto). git does that by itself where people use it; none of the other commands here does.
func (r *Repo) CollectGarbage(ctx context.Context) error {
	// In the background it would outlive the command.
	_, err := r.git.Retry(ctx, gitexec.Call{
		Dir: r.site.Home, Limit: gitexec.LongLimit, Settings: []string{"gc.autoDetach=false"}, Args: []string{"gc", "--auto", "--quiet"},
	})
	return err
}

// FetchRef brings one ref of a remote, such as "refs/notes/chant", under a name of its
// own here, whatever that held before; nothing else follows. found is false when the
// remote has no such ref. Errors: a *GitError when there is no such remote, or it does not
// answer.
func (r *Repo) FetchRef(ctx context.Context, remote, from, to string) (found bool, err error) {
	for _, ref := range []string{from, to} {
		if !strings.HasPrefix(ref, "refs/") || !layout.ValidRef(ref) {
			return false, fmt.Errorf("%q is not a full ref name", ref)
		}
	}
	// "git fetch" fails alike for a ref that is missing and for a remote that does not answer.
	if found, err = r.RemoteHas(ctx, remote, from); err != nil || !found {
		return false, err
	}
	err = r.FetchRefs(ctx, remote, from+":"+to)
	return err == nil, err
}

// RemoteHas asks a remote whether it has a ref of this full name. Errors: a *GitError when
// there is no such remote, or it does not answer.
func (r *Repo) RemoteHas(ctx context.Context, remote, ref string) (bool, error) {
	_, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"ls-remote", "--exit-code", "--", remote, ref}})
	// With --exit-code, git exits with 2 if no ref matches.
	if gitexec.ExitCode(err) == 2 {
		return false, nil
	}
	return err == nil, err
}

// Remotes lists the names of the remotes.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"remote"}})
	return strings.Fields(string(out)), err
}

// HasRemote reports whether the repository has a remote of this name.
func (r *Repo) HasRemote(ctx context.Context, name string) (bool, error) {
	url, err := r.Config(ctx, "remote."+name+".url")
	return url != "", err
}
