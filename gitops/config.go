package gitops

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
)

// Config is the value that git sees for key, "" when it is unset.
func (r *Repo) Config(ctx context.Context, key string) (string, error) {
	return r.config.Get(ctx, key)
}

// SignsByGnuPG reports whether git signs commits with gpg or gpgsm.
func SignsByGnuPG(ctx context.Context, r *Repo) (bool, error) {
	how, err := r.config.Summary(ctx)
	if err != nil || !how.Sign {
		return false, err
	}
	format, err := r.config.Get(ctx, "gpg.format")
	return format != "ssh", err
}

// SetConfig sets key in the repository's own configuration.
func (r *Repo) SetConfig(ctx context.Context, key, value string) error {
	return r.config.Set(ctx, key, value)
}

// AddConfig adds a value to a key of the repository's own configuration, unless git
// sees it there already; added reports whether it did.
func (r *Repo) AddConfig(ctx context.Context, key, value string) (added bool, err error) {
	return r.config.Add(ctx, key, value)
}

// DropConfig takes a value from the repository's own configuration. That it is not
// there is no error, nor is a section that it leaves empty taken away by hand.
func (r *Repo) DropConfig(ctx context.Context, key, value string) error {
	return r.config.Drop(ctx, key, value)
}

// Identity is "Name <mail>" as git would commit it. ErrNoIdentity when that would be
// made up from the names of the account and the machine.
func (r *Repo) Identity(ctx context.Context) (string, error) {
	return r.config.Identity(ctx)
}

// GitReading is what changes how git works in a repository, beside its objects and refs.
type GitReading = gitconfig.Reading

// HookDigest is the value of a hook in a GitReading.
func HookDigest(content []byte, mode fs.FileMode) string { return gitconfig.HookDigest(content, mode) }

// ReadGit reads what makes git run programs, take one thing for another or reach an address: settings, wherever git
// reads them, hooks, attributes, replaced and borrowed objects, refs that lead to others. tree is a worktree whose own
// settings are read too, "" for none; settings of branches that begin with runs are left out. It starts one process.
func (r *Repo) ReadGit(ctx context.Context, tree, runs string) (GitReading, error) {
	return r.config.Read(ctx, tree, runs)
}

// OtherSettings are the settings that are not among the Programs of ReadGit, with the same keys, except for those that git and its
// extensions write by themselves. Those that are in a file for which left reports true are left out.
func (r *Repo) OtherSettings(ctx context.Context, left func(file string) bool) (map[string]string, error) {
	return r.config.OtherSettings(ctx, left)
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

// SettingsEnv are the variables from which git reads the settings that an environment has for it, and then further ones.
func SettingsEnv(environ []string, further [][2]string) []string {
	return gitexec.SettingsEnv(environ, further)
}

// Lead is what leads git, or a program that git starts, to files.
type Lead = gitconfig.Lead

// Leads lists what settings and hooks lead to, wherever git reads them.
func Leads(ctx context.Context, r *Repo) ([]Lead, error) { return r.config.Leads(ctx) }

// RunsAtLanding reports whether git runs a hook when it writes the files of a checkout or moves its branch.
func RunsAtLanding(hook string) bool { return gitconfig.RunsAtLanding(hook) }
