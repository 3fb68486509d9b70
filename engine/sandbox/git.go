package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/checktree"
	"chant/engine/realpath"
	"chant/providers/wall"
)

// Variables by which a command that an agent has asked for knows its repository, whatever the files in the agent's
// worktree say.
const (
	HomeKey = "CHANT_RUN_HOME"
	TreeKey = "CHANT_RUN_TREE"
)

// Git calls start, which starts git in a folder. In a worktree of a run or of a check git is behind the wall of the
// agent, since files there can name programs that git runs, such as those of a nested repository's settings.
func (s *Sandbox) Git(dir string, start func() error) error {
	tree := s.treeOf(realpath.Of(dir))
	if tree == "" || !s.State().InForce {
		return start()
	}
	p := wall.Policy{Write: append(s.gitPaths(tree), tree), Hide: s.hidden()}
	if lfs := filepath.Join(s.Repo.CommonDir(), "lfs"); exists(lfs) {
		p.Write = append(p.Write, lfs)
	}
	if err := makeGitDirs(append(s.looseDirs(), s.branchDirs()...)); err != nil {
		return err
	}
	return wall.Around(p, start)
}

// treeOf returns the worktree of a run or of a check that contains a folder, "" if none does.
func (s *Sandbox) treeOf(dir string) string {
	tops := []string{s.treeDir()}
	for _, checks := range checktree.CheckDirs(s.Repo, s.Environ) {
		tops = append(tops, realpath.Of(checks))
	}
	for _, top := range tops {
		if rest, below := strings.CutPrefix(dir, top+string(filepath.Separator)); below {
			name, _, _ := strings.Cut(rest, string(filepath.Separator))
			return filepath.Join(top, name)
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// makeGitDirs creates folders of git: a path that does not exist cannot be allowed.
func makeGitDirs(dirs []string) error {
	for _, dir := range dirs {
		err := os.Mkdir(dir, 0o755)
		if err == nil || errors.Is(err, fs.ErrExist) {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return nil
}
