package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// IgnoredFiles lists the files in home that git ignores and that match one of the globs
// (git's: `*`, `?`, `**`), slash-separated from home.
func (r *Repo) IgnoredFiles(ctx context.Context, globs []string) ([]string, error) {
	if len(globs) == 0 {
		return nil, nil
	}
	p, err := r.place(r.home)
	if err != nil {
		return nil, err
	}
	out, err := r.git.run(ctx, call{
		dir: p.top, args: append([]string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"}, globs...),
		env: []string{"GIT_LITERAL_PATHSPECS=0", "GIT_GLOB_PATHSPECS=1"},
	})
	return records(out), err
}

// Exclude makes git ignore one path in every worktree of this repository, by its own
// info/exclude file, unless it is ignored at dir already.
func (r *Repo) Exclude(ctx context.Context, dir, path string) (err error) {
	p, err := r.place(dir)
	if err != nil {
		return err
	}
	_, err = r.git.run(ctx, call{dir: p.top, args: []string{"check-ignore", "-q", "--", path}})
	if err == nil || exitCode(err) != 1 {
		return err
	}
	file := filepath.Join(r.common, "info", "exclude")
	have, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	line := "/" + path + "\n"
	if len(have) > 0 && !strings.HasSuffix(string(have), "\n") {
		line = "\n" + line
	}
	if _, err := f.WriteString(line); err != nil {
		return fmt.Errorf("write %q: %w", file, err)
	}
	return nil
}
