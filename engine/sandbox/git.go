package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// Git starts a command, which is git in a folder. In a worktree of a run or of a check, a command that looks into nested
// repositories, whose settings can name programs, or that commits, is behind a wall like that of the agent. So is one
// that moves the branch of a run: the agents of other runs can put links into the folder of such branches.
func (s *Sandbox) Git(dir string, args []string, cmd *exec.Cmd) error {
	command := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if command < 0 || !s.State().InForce {
		return cmd.Start()
	}
	tree := s.treeOf(realpath.Of(dir))
	var p wall.Policy
	switch {
	case tree != "" && slices.Contains([]string{"status", "add", "diff", "diff-files", "diff-index", "submodule", "clean", "stash", "commit"}, args[command]):
		p = wall.Policy{Write: []string{s.Repo.AdminDir(tree), tree}, Hide: s.hidden()}
		if args[command] != "status" { // which writes no objects, and is most of these commands
			p.Plain = append(s.looseDirs(), s.branchDirs()...)
		}
		if lfs := filepath.Join(s.Repo.CommonDir(), "lfs"); exists(lfs) {
			p.Write = append(p.Write, lfs)
		}
	case args[command] == "update-ref" && !slices.Contains(args, "-d") && s.namesRun(args):
		p = wall.Policy{Plain: s.branchDirs()}
		if own, err := s.Repo.GitDir(dir); err == nil && own != s.Repo.CommonDir() { // the reflog of what is checked out there
			p.Write = append(p.Write, own)
		}
	default:
		return cmd.Start()
	}
	if err := makeGitDirs(p.Plain); err != nil {
		return err
	}
	return wall.Around(cmd, p)
}

// namesRun reports whether one of the arguments is the branch of a run.
func (s *Sandbox) namesRun(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "refs/heads/"+s.Store.Branch("")) })
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
