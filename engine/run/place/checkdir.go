package place

import "chant/engine/checktree"

// checkDir is the folder for a check tree that is to be made: the first that can be written and
// below which tools find nothing of other projects. Without any such folder it is the first that
// can be written; misleading then names what tools may find.
func (p *Places) checkDir() (dir, misleading string, err error) {
	return checktree.ChooseDir(checktree.CheckDirs(p.Repo, p.Environ))
}
