package place

import "chant/engine/checktree"

// checkDir returns the folder for a new check tree: the first that is writable and below which tools find nothing of
// other projects. If there is none, it is the first that is writable, and misleading names what tools may find.
func (p *Places) checkDir() (dir, misleading string, err error) {
	return checktree.ChooseDir(checktree.CheckDirs(p.Repo, p.Environ))
}
