package revision

import (
	"context"
	"strconv"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// ReadCommit reads the commit that rev names, without a process for what Resolve needs
// none for. Errors: ErrNotFound.
func (r *Reader) ReadCommit(ctx context.Context, rev string) (objectstore.Commit, error) {
	hash, err := r.Resolve(ctx, rev)
	if err != nil {
		return objectstore.Commit{}, err
	}
	_, raw, err := r.Objects.Read(ctx, hash)
	if err != nil {
		return objectstore.Commit{}, err
	}
	return objectstore.ParseCommit(hash, raw), nil
}

// Log lists the commits reachable from to and not from from ("" for all), newest first.
func (r *Reader) Log(ctx context.Context, from, to string) ([]objectstore.Commit, error) {
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
		// A few commits in a line are read without a process.
		if commits, known := r.nearLog(ctx, base, tip); known {
			return commits, nil
		}
		args = append(args, "^"+base)
	}
	return r.log(ctx, args...)
}

// Saying lists the commits reachable from to in whose message a line matches a POSIX
// extended regular expression, children before their parents.
func (r *Reader) Saying(ctx context.Context, to, pattern string) ([]objectstore.Commit, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	// Topological, so that a child never comes after its parent, which dates alone do not ensure.
	return r.log(ctx, "--topo-order", "--extended-regexp", "--grep="+pattern, tip)
}

// Mentioning lists the commits of all refs that add or remove a line of a file in which a POSIX extended regular expression
// matches, in any case, newest first.
func (r *Reader) Mentioning(ctx context.Context, pattern, path string) ([]objectstore.Commit, error) {
	return r.log(ctx, "--all", "--no-textconv", "--regexp-ignore-case", "-G"+pattern, "--", path)
}

// Touching lists the commits on the first-parent line of to in which one of the paths
// is another than in the commit before, newest first. Paths may be globs.
func (r *Reader) Touching(ctx context.Context, to string, paths ...string) ([]objectstore.Commit, error) {
	tip, err := r.Resolve(ctx, to)
	if err != nil {
		return nil, err
	}
	return r.log(ctx, append([]string{"--first-parent", "-m", tip, "--"}, paths...)...)
}

// log runs "git log" with these arguments and reads what it prints.
func (r *Reader) log(ctx context.Context, args ...string) ([]objectstore.Commit, error) {
	// A message may have any bytes but NUL.
	args = append([]string{"log", "-z", "--no-show-signature", "--no-notes", "--no-color", "--no-patch",
		"--encoding=UTF-8", "--format=%H%n%P%n%T%n%an <%ae>%n%ct%n%B"}, args...)
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: args})
	if err != nil {
		return nil, err
	}
	var commits []objectstore.Commit
	for _, record := range gitexec.Records(out) {
		commits = append(commits, objectstore.ParseRecord(record))
	}
	return commits, nil
}

// Graph draws the last commits of the branch in home, one line each, as git does.
func (r *Reader) Graph(ctx context.Context, commits int) (string, error) {
	out, err := r.Git.Run(ctx, gitexec.Call{Dir: r.Site.Home, Args: []string{"log", "--graph", "--oneline", "--no-color", "--no-show-signature", "-n", strconv.Itoa(commits)}})
	return string(out), err
}
