package code

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops"
	"chant/providers"
)

const (
	apartDir   = "code"   // in the user's cache folder: a git folder for each folder without a repository
	apartNamed = "folder" // in each of them, the path of that folder
)

// openApart opens the index of a folder that is in no repository: that of the folder itself, or of the nearest one above
// it that has one. With build, an index of its own is made where there is none. Errors: NotFound without an index; Usage
// for a folder in which the user's home folder is.
func openApart(p *engine.Project, asked string, build bool) (*gitops.Repo, error) {
	// A folder that is reached by two names has one index.
	top := disk.RealPath(asked)
	for at := top; ; at = filepath.Dir(at) {
		for _, dir := range apartDirs(p, at) {
			if engine.Exists(filepath.Join(dir, apartNamed)) {
				return gitops.OpenApart(at, dir)
			}
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	if !build {
		return nil, noIndex(asked)
	}
	home := providers.Variable(p.Environ, "HOME")
	// It would index everything that the user has.
	if filepath.Dir(top) == top || home != "" && disk.Within(top, home) {
		return nil, engine.Fail(engine.Usage, next.Code.Help(), "%q contains your home folder; name the folder of one project", asked)
	}
	var failed error
	// The usual cache folder may not be writable, for instance behind the wall of a run.
	for _, dir := range apartDirs(p, top) {
		err := sandbox.MakeUsable(dir)
		if err == nil {
			dropGone(filepath.Dir(dir))
			return makeApart(top, dir)
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// apartDirs lists where the git folder for a folder without a repository may be, the usual place first.
func apartDirs(p *engine.Project, folder string) []string {
	var out []string
	for _, cache := range sandbox.CacheTops(p.Environ) {
		out = append(out, filepath.Join(cache, apartDir, sandbox.FolderKey(folder, folder)))
	}
	return out
}

func makeApart(folder, dir string) (*gitops.Repo, error) {
	repo, err := gitops.OpenApart(folder, dir)
	if err != nil {
		return nil, err
	}
	// The name is written last: a folder without it is not complete, and is left alone.
	return repo, os.WriteFile(filepath.Join(dir, apartNamed), []byte(folder), 0o600)
}

// dropGone removes the indexes of folders that are gone.
func dropGone(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		own := filepath.Join(dir, e.Name())
		folder, err := os.ReadFile(filepath.Join(own, apartNamed))
		if err != nil {
			// Another process is making it.
			continue
		}
		if _, err := os.Lstat(string(folder)); errors.Is(err, fs.ErrNotExist) {
			// What cannot be removed is only a cache, and stays.
			_ = os.RemoveAll(own)
		}
	}
}
