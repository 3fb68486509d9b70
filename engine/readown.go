package engine

import (
	"errors"

	"chant/engine/spec/next"
	"chant/engine/store/disk"
)

// ReadOwn reads a file of the project whose text is sent to an agent or committed. Errors: fs.ErrNotExist; Invalid for
// a link that leads out of the repository, which would publish a file of the user.
func ReadOwn(p *Project, path string) ([]byte, error) {
	_, err := disk.RealBelow(Home(p), path)
	if errors.Is(err, disk.ErrOutside) {
		return nil, Fail(Invalid, next.Shell("ls -l %s", path), "%s is a link that leads out of the repository", path)
	}
	if err != nil {
		return nil, err
	}
	return p.Store.ReadTree(Home(p), path)
}
