package launch

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"chant/engine/format/agentfile"
	"chant/gitops"
	"chant/gitops/rootdir"
	"chant/providers"
)

// hideConfig hides the config from git where the agent's folder holds nothing else that chant has to respect.
const hideConfig = "# While an agent works, chant keeps its MCP config here.\n*\n"

// placeConfig writes the MCP config of a CLI that reads it from the worktree alone, beside the servers that the project
// has there, and returns what takes it away again, before anything is committed. Nothing is written below a link.
func (l *Launcher) placeConfig(ctx context.Context, launch providers.Launch) (remove func() error, err error) {
	none := func() error { return nil }
	file := launch.TreeConfig
	if file == nil {
		return none, nil
	}
	// Writing through a link of the project could change a file outside of the worktree.
	for at := file.Path; at != "."; at = path.Dir(at) {
		if info, err := os.Lstat(filepath.Join(l.Folder(l.Trees.Tree), filepath.FromSlash(at))); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return none, l.Log.Line(warningPrefix + at + " is a link: " + l.Job.Provider + " gets no MCP server of chant")
		}
	}
	have, err := l.Store.ReadTree(l.Trees.Tree, file.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return l.placeNew(file)
	}
	if err != nil {
		return nil, err
	}
	was, err := l.Repo.ReadFile(ctx, "refs/heads/"+l.Job.Branch, file.Path)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return nil, err
	}
	whole, err := agentfile.MergeJSON(file.Path, was, file.Content)
	// A killed process may have left its own version, with the same servers.
	if err != nil || !bytes.Equal(have, whole) {
		was = have
		if whole, err = agentfile.MergeJSON(file.Path, have, file.Content); err != nil {
			return none, l.Log.Line(warningPrefix + err.Error() + ": " + l.Job.Provider + " gets no MCP server of chant")
		}
	}
	if err := l.Store.Put(l.Trees.Tree, file.Path, whole); err != nil {
		return nil, err
	}
	return func() error { return l.putBack(file.Path, whole, was) }, nil
}

// placeNew writes the config where the project has none.
func (l *Launcher) placeNew(file *providers.TreeFile) (remove func() error, err error) {
	// An agent that commits everything would commit the config, so git does not see the folder.
	ignore := path.Dir(file.Path) + "/.gitignore"
	_, err = os.Lstat(filepath.Join(l.Folder(l.Trees.Tree), filepath.FromSlash(ignore)))
	hides := errors.Is(err, fs.ErrNotExist)
	if hides {
		if err := l.Store.Put(l.Trees.Tree, ignore, []byte(hideConfig)); err != nil {
			return nil, err
		}
	}
	if err := l.Store.Put(l.Trees.Tree, file.Path, file.Content); err != nil {
		return nil, err
	}
	return func() error {
		err := l.putBack(file.Path, file.Content, nil)
		if hides {
			err = errors.Join(err, l.putBack(ignore, []byte(hideConfig), nil))
		}
		for at := path.Dir(file.Path); at != "."; at = path.Dir(at) {
			// Only an empty folder can be removed.
			_ = rootdir.In(l.Trees.Tree, func(root *os.Root) error { return root.Remove(filepath.FromSlash(l.Repo.FromTop(at))) })
		}
		return err
	}, nil
}

// putBack gives a file the content that it had before, nil for none, unless the agent has changed or removed it.
func (l *Launcher) putBack(name string, ours, was []byte) error {
	have, err := l.Store.ReadTree(l.Trees.Tree, name)
	// What the agent has changed stays, as part of its work.
	if err != nil || !bytes.Equal(have, ours) {
		return nil
	}
	if was == nil {
		return rootdir.RemoveEach(l.Trees.Tree, l.Repo.FromTop(name))
	}
	return l.Store.Put(l.Trees.Tree, name, was)
}
