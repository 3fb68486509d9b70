package gitops

import (
	"context"
	"path/filepath"

	"chant/gitops/gitexec"
)

// Staged returns the files below a folder that the index of the worktree whose top is dir
// adds or changes, as they stand in it. index is another index file, such as the one that
// git names to a hook, "" for the worktree's own. It takes no lock and reads nothing from
// disk where nothing is staged.
func (r *Repo) Staged(ctx context.Context, dir, index, folder string) ([]File, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	c := gitexec.Call{Dir: p.Top, Args: []string{
		"diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--diff-filter=AMT", "--", ":(top,literal)" + folder,
	}}
	if index != "" {
		if !filepath.IsAbs(index) { // as git has it for a hook: from the top
			index = filepath.Join(p.Top, index)
		}
		c.Env = []string{"GIT_INDEX_FILE=" + index}
	}
	out, err := r.git.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	var files []File
	fields := gitexec.Records(out) // ":oldmode newmode oldhash newhash status" and a path, each time
	for i := 0; i+1 < len(fields); i += 2 {
		mode, hash, ok := after(fields[i])
		if !ok || mode == modeSubmodule {
			continue
		}
		content, err := r.ReadBlob(ctx, hash)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: fields[i+1], Content: content})
	}
	return files, nil
}
