package gitops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chant/gitops/gitexec"
)

// ErrNoIdentity says that nobody has told git who he is.
var ErrNoIdentity = errors.New("git has no name and mail to commit with, set user.name and user.email")

// Identity is "Name <mail>" as git would commit it. ErrNoIdentity when that would be
// made up from the names of the account and the machine.
func (r *Repo) Identity(ctx context.Context) (string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"}})
	if gitexec.ExitCode(err) != 0 {
		return "", fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	if err != nil {
		return "", err
	}
	end := strings.LastIndexByte(string(out), '>')
	if end < 0 {
		return "", ErrNoIdentity
	}
	return string(out[:end+1]), nil
}

// People lists everybody who wrote or committed what branches, tags and HEAD hold,
// each once as "Name <mail>". Branches that begin with a prefix are left out.
func (r *Repo) People(ctx context.Context, without string) ([]string, error) {
	args := []string{"log", "--no-show-signature", "--no-notes", "--no-color", "--no-patch", "--encoding=UTF-8", "--format=%an <%ae>%n%cn <%ce>"}
	for _, each := range [][2]string{{"--branches", without}, {"--remotes", "*/" + without}} {
		if without != "" {
			args = append(args, "--exclude="+each[1]+"*") // counts for the next option alone
		}
		args = append(args, each[0])
	}
	args = append(args, "--tags")
	if _, err := r.Resolve(ctx, "HEAD"); err == nil { // else there is no commit yet
		args = append(args, "HEAD")
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: append(args, "--")})
	if err != nil {
		return nil, err
	}
	people := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(people)
	return slices.Compact(people), nil
}
