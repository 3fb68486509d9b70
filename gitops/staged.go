package gitops

import (
	"context"
	"path/filepath"
)

// Staged returns the files below a folder that the index of the worktree whose top is dir
// adds or changes, as they stand in it. index is another index file, such as the one that
// git names to a hook, "" for the worktree's own. It takes no lock and reads nothing from
// disk where nothing is staged.
func (r *Repo) Staged(ctx context.Context, dir, index, folder string) ([]File, error) {
	p, err := r.place(dir)
	if err != nil {
		return nil, err
	}
	c := call{dir: p.top, args: []string{
		"diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--diff-filter=AMT", "--", ":(top,literal)" + folder,
	}}
	if index != "" {
		if !filepath.IsAbs(index) { // as git has it for a hook: from the top
			index = filepath.Join(p.top, index)
		}
		c.env = []string{"GIT_INDEX_FILE=" + index}
	}
	out, err := r.git.run(ctx, c)
	if err != nil {
		return nil, err
	}
	var files []File
	fields := records(out) // ":oldmode newmode oldhash newhash status" and a path, each time
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
