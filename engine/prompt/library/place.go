package library

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"chant/engine"
	"chant/engine/store/disk"
)

// AgentsDir is the folder with a folder for each agent, and configDir the one with the settings of all of them.
const (
	AgentsDir = ".agent"
	configDir = AgentsDir + "/" + DefaultAgent + "/config"
)

// DefaultAgent is the agent whose commands are meant where none is named.
const DefaultAgent = "climpt"

// place is a folder below which the files of agents are: the project, or the home folder of the user.
type place struct {
	dir    string
	prefix string // of names in messages, "" for the project
}

// name is how messages name a file of the place.
func (pl place) name(file string) string { return pl.prefix + file }

// shelf reads files of agents.
type shelf struct {
	places []place
	odd    []string // folders with names that cannot be words of commands, as messages name them
}

// projectDir is the folder of the project. Without a project it is the nearest folder above the caller's that has agents, or the
// caller's own.
func projectDir(p *engine.Project) string {
	if p.Folder == "" {
		return engine.Home(p)
	}
	for above := p.Folder; ; above = filepath.Dir(above) {
		if engine.Exists(filepath.Join(above, AgentsDir)) {
			return above
		}
		if filepath.Dir(above) == above {
			return p.Folder
		}
	}
}

func newShelf(p *engine.Project) *shelf {
	s := &shelf{places: []place{{dir: projectDir(p)}}}
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	// The same folder twice would report each warning twice.
	if dir := engine.Variable(p, variable); filepath.IsAbs(dir) && !disk.SamePlace(dir, projectDir(p)) {
		s.places = append(s.places, place{dir, "~/"})
	}
	return s
}

// read reads a file of a place. Errors: fs.ErrNotExist; others for a link that leads out of the place and for what is
// not a regular file.
func (s *shelf) read(pl place, file string) ([]byte, error) {
	full := pathIn(pl, file)
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, errAway
	}
	info, err := os.Stat(full)
	if err != nil {
		// To call a dangling link missing would let another file take its place.
		if _, err := os.Lstat(full); err == nil {
			return nil, errors.New("is a link to nothing")
		}
		return nil, fs.ErrNotExist
	}
	// Behind a link could be any file of the user, and its text would be sent to a model.
	if err := checkInside(pl, file); err != nil {
		return nil, err
	}
	// Reading a pipe could take forever.
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	return os.ReadFile(full)
}

// readEntry is read for a file of a folder that was listed.
func (s *shelf) readEntry(pl place, dir string, entry fs.DirEntry) ([]byte, error) {
	file := dir + "/" + entry.Name()
	// What is listed as a regular file is no link, so that the checks of read can be left out for it.
	if !entry.Type().IsRegular() {
		return s.read(pl, file)
	}
	return os.ReadFile(pathIn(pl, file))
}

// pathIn is the path of a file of a place.
func pathIn(pl place, file string) string { return filepath.Join(pl.dir, filepath.FromSlash(file)) }

var errAway = errors.New("leads out of the project")

// checkInside refuses a file that is outside of its place.
func checkInside(pl place, file string) error {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return errAway
	}
	// A link that leads out would send a file of the user to a model.
	if _, err := disk.RealBelow(pl.dir, file); err != nil {
		if errors.Is(err, disk.ErrOutside) {
			return errors.New("is a link that leads out of the project")
		}
		return err
	}
	return nil
}

// list returns the names in a folder of a place in order, none for a folder that is missing or that is a link out of
// the place.
func (s *shelf) list(pl place, dir string, link bool) ([]fs.DirEntry, error) {
	// Without a link no check is needed, which takes longer than everything else.
	if link && checkInside(pl, dir) != nil {
		return nil, nil
	}
	entries, err := os.ReadDir(pathIn(pl, dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pl.name(dir), err)
	}
	return entries, nil
}

// cleanPath returns a path of the settings as it is below its place.
func cleanPath(parts ...string) string {
	for i, part := range parts {
		// Settings that were written on Windows have backslashes.
		parts[i] = strings.ReplaceAll(part, `\`, "/")
	}
	return path.Clean(path.Join(parts...))
}
