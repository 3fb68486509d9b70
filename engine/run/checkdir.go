package run

import "chant/engine/checktree"

// checkDir is the folder for a check tree that is to be made: the first that can be written and
// below which tools find nothing of other projects. Without any such folder it is the first that
// can be written; misleading then names what tools may find.
func (r *Run) checkDir() (dir, misleading string, err error) {
	return checktree.ChooseDir(checktree.CheckDirs(r.Repo, r.Environ))
}
