package gitops

import (
	"context"
	"slices"
	"strings"

	"chant/gitops/gitexec"
)

// Config is the value that git sees for key, "" when it is unset.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	return r.config.Get(ctx, key)
}

// SignsByGnuPG reports whether git signs commits with gpg or gpgsm.
func (r *Repo) SignsByGnuPG(ctx context.Context) (bool, error) {
	how, err := r.config.Summary(ctx)
	if err != nil || !how.Sign {
		return false, err
	}
	format, err := r.config.Get(ctx, "gpg.format")
	return format != "ssh", err
}

// People lists everybody who wrote or committed what branches, tags and HEAD hold,
// each once as "Name <mail>". Branches that begin with a prefix are left out.
func (r *Repo) People(ctx context.Context, without string) ([]string, error) {
	args := []string{"log", "--no-show-signature", "--no-notes", "--no-color", "--no-patch", "--encoding=UTF-8", "--format=%an <%ae>%n%cn <%ce>"}
	for _, each := range [][2]string{{"--branches", without}, {"--remotes", "*/" + without}} {
		if without != "" {
			// --exclude counts for the next option alone, so it is given again for each.
			args = append(args, "--exclude="+each[1]+"*")
		}
		args = append(args, each[0])
	}
	args = append(args, "--tags")
	// Without a commit yet, git would refuse the name HEAD.
	if _, err := r.Resolve(ctx, "HEAD"); err == nil {
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
