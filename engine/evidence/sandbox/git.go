package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/engine/store/disk"
	"chant/gitops"
	"chant/gitops/rootdir"
	"chant/providers/wall"
)

// Variables by which a command that an agent has asked for knows its repository and its run, whatever the files in the
// agent's worktree say.
const (
	HomeKey = "CHANT_RUN_HOME"
	TreeKey = "CHANT_RUN_TREE"
	SpecKey = "CHANT_RUN_SPEC" // for whose run it acts
)

// Git returns how git starts in a folder. In the worktree of a run or of a check, and below it, everything may be the
// agent's: files, settings, hooks, filters, nested repositories. Git is behind a wall there, which ends with it, cannot
// connect anywhere, and writes only to the tree and, if it is called to write, to what commits there need. Everywhere else
// it is nil: git runs as it is.
func (s *Sandbox) Git(dir string, writes bool) gitops.Starter {
	// Resolved, since a link can lead from the person's checkout into a tree.
	tree := s.treeOf(disk.RealPath(dir))
	if tree == "" {
		return nil
	}
	if !s.State().InForce {
		return func(cmd *exec.Cmd) (func() error, error) { return func() error { return nil }, cmd.Start() }
	}
	p := wall.Policy{Hide: s.hiddenPaths(), Show: []string{tree}, Network: &wall.Network{}}
	var shared []string
	if writes {
		shared = append(s.looseDirs(), s.branchDirs()...)
		p.Write = append([]string{tree}, s.modulesDir(tree)...)
		// Plain: no links and pipes, which would lead git elsewhere or stop it.
		p.Plain = append(slices.Clone(shared), s.Repo.AdminDir(tree))
		// A filter of git-lfs stores its objects there.
		if lfs := filepath.Join(s.Repo.CommonDir(), "lfs"); pathExists(lfs) {
			p.Write = append(p.Write, lfs)
		}
	}
	return func(cmd *exec.Cmd) (func() error, error) {
		// Each time, since git removes folders that are empty.
		if err := makeGitDirs(shared); err != nil {
			return nil, err
		}
		clear, err := func() error { return nil }, error(nil)
		// What signs a commit has temporary files.
		if writes {
			if clear, err = s.prepareSigning(cmd, &p); err != nil {
				return nil, err
			}
		}
		around, err := wall.Start(cmd, p)
		if err != nil {
			return nil, errors.Join(err, clear())
		}
		return func() error { return errors.Join(around.End(), clear()) }, nil
	}
}

// prepareSigning gives a git that may sign commits a folder for temporary files, which the function that it returns removes.
func (s *Sandbox) prepareSigning(cmd *exec.Cmd, p *wall.Policy) (clear func() error, err error) {
	temp, err := os.MkdirTemp("", "chant-git-")
	if err != nil {
		return nil, err
	}
	clear = func() error { return rootdir.Remove(temp) }
	keys, err := s.gnupgFor(temp)
	if err == nil {
		err = keys.make()
	}
	if err != nil {
		return nil, errors.Join(err, clear())
	}
	// Cut, so that starts at the same time do not share one array.
	p.Write = append(p.Write[:len(p.Write):len(p.Write)], disk.RealPath(temp))
	cmd.Env = slices.Concat(cmd.Env, tempEnv(temp), keys.env())
	return clear, nil
}

// treeOf returns the worktree of a run or of a check that contains a folder, "" if none does.
func (s *Sandbox) treeOf(dir string) string {
	tops := []string{s.treeDir()}
	for _, checks := range CheckDirs(s.Repo, s.Environ) {
		tops = append(tops, disk.RealPath(checks))
	}
	for _, top := range tops {
		// With a separator, so that no folder whose name only begins like it counts.
		if rest, below := strings.CutPrefix(dir, top+string(filepath.Separator)); below {
			name, _, _ := strings.Cut(rest, string(filepath.Separator))
			return filepath.Join(top, name)
		}
	}
	return ""
}

// Claims returns what judges the folder in which git keeps what is a worktree's own, by its name and the place at which it
// says that the worktree is. That of a run or of a check says what an agent or a criterion has written there: the worktree of
// a run is where chant has made it, and for others it has no branch but that of the run.
func (s *Sandbox) Claims() func(admin, tree string) gitops.Claim {
	trees := sync.OnceValue(s.treeDir)
	return func(admin, tree string) (c gitops.Claim) {
		for _, name := range s.Repo.RunsOf(admin) {
			switch c.Hostile = true; {
			case isCheck(name):
				c.Right = isCheck(tree)
			// Only at its own place is what it says of the branch worth anything.
			case tree == filepath.Join(trees(), name):
				return gitops.Claim{Hostile: true, Right: true, Branch: s.Store.Branch(name)}
			}
		}
		return c
	}
}

func pathExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
