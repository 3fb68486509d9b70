package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// ignoredIn is IgnoredIn with paths from the top.
func (r *Repo) ignoredIn(ctx context.Context, dir string, paths ...string) (map[string]bool, error) {
	ignored := make(map[string]bool, len(paths))
	if len(paths) == 0 {
		return ignored, nil
	}
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	var stdin bytes.Buffer
	for _, path := range paths {
		ignored[path] = false
		// A colon in front would start one of git's pathspecs.
		stdin.WriteString("./" + path + "\x00")
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"check-ignore", "-z", "--stdin"},
		Stdin: stdin.Bytes()})
	// Git exits with 1 if it ignores none of the paths.
	if err != nil && gitexec.ExitCode(err) != 1 {
		return nil, err
	}
	for _, path := range gitexec.Records(out) {
		ignored[strings.TrimPrefix(path, "./")] = true
	}
	return ignored, nil
}

// IgnoredFiles lists the files in home that git ignores and that match one of the globs
// (git's: `*`, `?`, `**`), both slash-separated from home. It does not look into other
// worktrees and repositories. A glob that is empty, absolute or leads out is an error.
func (r *Repo) IgnoredFiles(ctx context.Context, globs []string) ([]string, error) {
	if len(globs) == 0 {
		return nil, nil
	}
	args := []string{"--exclude-standard", "--"}
	for _, glob := range globs {
		if err := validGlob(glob); err != nil {
			return nil, err
		}
		// After that, no colon has a meaning.
		args = append(args, ":(glob)"+r.FromTop(glob))
	}
	list, err := r.ignoredFiles(ctx, r.site.Home, args...)
	return seen(r, list, err, itself)
}

// ignoredFiles lists the untracked files in the worktree at dir that rules ignore, which args name.
func (r *Repo) ignoredFiles(ctx context.Context, dir string, args ...string) ([]string, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: append([]string{"ls-files", "-z", "--others", "--ignored"}, args...)})
	// A slash at the end means another worktree or repository, which is not looked into.
	return slices.DeleteFunc(gitexec.Records(out), func(path string) bool { return strings.HasSuffix(path, "/") }), err
}

// ignoredSince is IgnoredSince with paths from the top.
func (r *Repo) ignoredSince(ctx context.Context, dir string, since time.Time) ([]string, error) {
	files, err := r.ignoredFiles(ctx, dir, "--exclude-standard")
	return slices.DeleteFunc(files, func(path string) bool {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(path)))
		return err != nil || info.ModTime().Before(since)
	}), err
}

// IgnoredBy lists the files in home that git ignores and that match a file of patterns
// in home, written as in gitignore(5); both slash-separated from home. Tracked files
// never match, other worktrees and repositories are not looked into, and without the
// file of patterns there are none.
func (r *Repo) IgnoredBy(ctx context.Context, patterns string) ([]string, error) {
	file := filepath.Join(r.Home(), filepath.FromSlash(patterns))
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	args := []string{"--exclude-from=" + file}
	// The patterns of a folder say nothing about files outside of it.
	if r.folder != "" {
		args = append(args, "--", ":(literal)"+r.folder)
	}
	matching, err := r.ignoredFiles(ctx, r.site.Home, args...)
	if err != nil {
		return nil, err
	}
	// With --exclude-from, git lists what these patterns match even if it does not ignore it.
	ignored, err := r.ignoredIn(ctx, r.site.Home, matching...)
	if err != nil {
		return nil, err
	}
	matching = slices.DeleteFunc(matching, func(path string) bool { return !ignored[path] })
	return seen(r, matching, nil, itself)
}

func validGlob(glob string) error {
	switch clean := path.Clean(glob); {
	case glob == "":
		return errors.New("an empty pattern matches no file")
	case clean == "..", strings.HasPrefix(clean, "../"), path.IsAbs(glob), filepath.IsAbs(glob):
		return fmt.Errorf("pattern %q leaves the repository", glob)
	case strings.ContainsRune(glob, 0):
		return fmt.Errorf("pattern %q holds a NUL", glob)
	}
	return nil
}

// Exclude makes git ignore one path, slash-separated from the top, in every worktree of
// this repository, by its own info/exclude file, unless it is ignored at dir or stands in
// that file already. What is tracked stays so. Errors: ErrNotRepository.
func (r *Repo) Exclude(ctx context.Context, dir, path string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	path = r.FromTop(path)
	line, err := excludeLine(path)
	if err != nil {
		return err
	}
	_, err = r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"check-ignore", "-q", "--", "./" + path}})
	if gitexec.ExitCode(err) != 1 {
		// Without an error the path is ignored already.
		return err
	}
	file := filepath.Join(r.site.Common, "info", "exclude")
	have, err := layout.ReadPlain(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Split(string(have), "\n"), line) {
		// The path is tracked all the same, or a rule that goes before lets it in again.
		return nil
	}
	// Other programs leave the last line open, and a rule joined to it would change both.
	if len(have) > 0 && !strings.HasSuffix(string(have), "\n") {
		line = "\n" + line
	}
	return appendTo(file, line+"\n")
}

// excludeLine is the rule of gitignore(5) that covers this very path.
func excludeLine(path string) (string, error) {
	if err := layout.ValidPath(strings.TrimSuffix(path, "/")); err != nil {
		return "", err
	}
	if strings.ContainsAny(path, "\r\n") {
		return "", fmt.Errorf("path %q has a line break, which no rule can name", path)
	}
	rule := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
	// Git drops a blank at the end of a rule unless it is quoted.
	if strings.HasSuffix(rule, " ") {
		rule = strings.TrimSuffix(rule, " ") + `\ `
	}
	return "/" + rule, nil
}

// appendTo adds text to a file that others may be adding to, made where missing.
func appendTo(file, text string) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	// Appending in one write keeps what another process adds at the same time.
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.WriteString(text); err != nil {
		return fmt.Errorf("write %q: %w", file, err)
	}
	return nil
}
