package gitops

import (
	"context"
	"strconv"
	"time"

	"chant/gitops/gitexec"
)

// Commit is one commit. Subject is the first line of Message; Trailers are the
// "Key: value" lines that end it (the last of a repeated key counts); Author is
// "Name <mail>" and When is the time of the commit itself, which a rebase renews.
type Commit struct {
	Hash     string
	Parents  []string
	Tree     string
	Subject  string
	Message  string
	Trailers map[string]string
	Author   string
	When     time.Time
}

// Change is one path that differs: Status is 'A', 'M', 'D' or 'T'. A rename is a D and an A.
// Gitlink says that the path is now a commit of another repository, not a file, and Link
// that it is a symbolic link.
type Change struct {
	Status  byte
	Path    string
	Gitlink bool
	Link    bool
}

// ReadCommit reads the commit that rev names, without a process for what Resolve needs
// none for. Errors: ErrNotFound.
func (r *Repo) ReadCommit(ctx context.Context, rev string) (Commit, error) {
	hash, err := r.Resolve(ctx, rev)
	if err != nil {
		return Commit{}, err
	}
	_, raw, err := r.objects.read(ctx, hash)
	if err != nil {
		return Commit{}, err
	}
	return parseCommit(hash, raw), nil
}

// Log lists the commits reachable from to and not from from ("" for all), newest first.
func (r *Repo) Log(ctx context.Context, from, to string) ([]Commit, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	args := []string{tip}
	if from != "" {
		base, err := r.Resolve(ctx, from)
		if err != nil {
			return nil, err
		}
		args = append(args, "^"+base)
	}
	return r.log(ctx, args...)
}

// Saying lists the commits reachable from to in whose message a line matches a POSIX
// extended regular expression, children before their parents.
func (r *Repo) Saying(ctx context.Context, to, pattern string) ([]Commit, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	return r.log(ctx, "--topo-order", "--extended-regexp", "--grep="+pattern, tip)
}

// Touching lists the commits on the first-parent line of to in which one of the paths
// is another than in the commit before, newest first. Paths may be globs.
func (r *Repo) Touching(ctx context.Context, to string, paths ...string) ([]Commit, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	return r.log(ctx, append([]string{"--first-parent", "-m", tip, "--"}, paths...)...)
}

// log runs "git log" with these arguments and reads what it prints.
func (r *Repo) log(ctx context.Context, args ...string) ([]Commit, error) {
	args = append([]string{"log", "-z", "--no-show-signature", "--no-notes", "--no-color", "--no-patch",
		"--encoding=UTF-8", "--format=%H%n%P%n%T%n%an <%ae>%n%ct%n%B"}, args...)
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: args})
	if err != nil {
		return nil, err
	}
	var commits []Commit
	for _, record := range gitexec.Records(out) {
		commits = append(commits, parseRecord(record))
	}
	return commits, nil
}

// Graph draws the last commits of the branch in home, one line each, as git does.
func (r *Repo) Graph(ctx context.Context, commits int) (string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"log", "--graph", "--oneline", "--no-color", "--no-show-signature", "-n", strconv.Itoa(commits)}})
	return string(out), err
}
