package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/format/agentfile"
	"chant/engine/spec/next"
)

// agentEdit is the planned edit of one file that agents read.
type agentEdit struct {
	name       string // below home, links followed
	have       []byte // the present content, nil if there is no file
	want       []byte
	owned      bool // the file has uncommitted changes of a person
	executable bool
}

func (e *agentEdit) changes() bool { return e.have == nil || !bytes.Equal(e.have, e.want) }

// maxAgentFile is the largest size of an existing file that is read, in bytes.
const maxAgentFile = 1 << 20

// editOf returns the edit of a file: the one planned already, or a new one.
func (i *initializer) editOf(name string) (*agentEdit, error) {
	name, err := followLinks(i.repo.Home(), name)
	if err != nil {
		return nil, err
	}
	// Agents share files, and each adds to what the others have planned.
	for _, e := range i.edits {
		if e.name == name {
			return e, nil
		}
	}
	e := &agentEdit{name: name}
	info, err := os.Stat(i.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		i.edits = append(i.edits, e)
		return e, nil
	case err != nil || !info.Mode().IsRegular():
		// A folder or a pipe has the name of the file.
		return nil, engine.Fail(engine.Conflict, next.Shell("ls -ld %s", name), "%q is in the way: it cannot be read as a file", name)
	// A file of this size is not one of instructions, and would be in the memory as a whole.
	case info.Size() > maxAgentFile:
		return nil, engine.Fail(engine.Invalid, next.Shell("ls -l %s", name), "%q is too large: %d bytes, at most %d are read", name, info.Size(), maxAgentFile)
	}
	if e.have, err = os.ReadFile(i.path(name)); err != nil {
		return nil, engine.Fail(engine.Conflict, next.Shell("ls -ld %s", name), "%q cannot be read: %s", name, err)
	}
	if err := agentfile.CheckText(name, e.have); err != nil {
		return nil, err
	}
	// It must stay executable when it is committed.
	e.want, e.executable = e.have, info.Mode()&0o111 != 0
	i.edits = append(i.edits, e)
	return e, nil
}

// followLinks returns the path below home to which a name leads. CLAUDE.md is often a link to AGENTS.md, and committing
// a file under its name would replace the link. Error: Conflict for a broken link, or one that leaves the repository.
func followLinks(home, name string) (string, error) {
	top, err := filepath.EvalSymlinks(home)
	if err != nil {
		return "", err
	}
	missing := ""
	for at := filepath.Join(top, filepath.FromSlash(name)); ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		// A file that does not exist yet is made below the folder that does.
		if err != nil && !engine.Exists(at) && at != top {
			missing = filepath.Join(filepath.Base(at), missing)
			continue
		}
		below, relErr := filepath.Rel(top, filepath.Join(real, missing))
		if err != nil || relErr != nil || !filepath.IsLocal(below) {
			return "", engine.Fail(engine.Conflict, next.Shell("ls -l %s", name), "%q is a link that leads to nothing in this repository", name)
		}
		return filepath.ToSlash(below), nil
	}
}

// restore undoes a write after its commit failed.
func (e *agentEdit) restore(home string) error {
	full := filepath.Join(home, filepath.FromSlash(e.name))
	// It was there before, so its content is put back.
	if e.have != nil {
		return os.WriteFile(full, e.have, 0o644)
	}
	if err := os.Remove(full); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// path returns the full path of a name below home.
func (i *initializer) path(name string) string {
	return filepath.Join(i.repo.Home(), filepath.FromSlash(name))
}
