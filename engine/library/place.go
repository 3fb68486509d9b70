package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/realpath"
	"chant/engine/stamp"
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

// shelf reads files of agents and keeps what it has looked at, by which it is known later whether anything has changed.
type shelf struct {
	places []place
	now    time.Time // when it began
	seen   []sight
	odd    []string // folders with names that cannot be words of commands, as messages name them
	racy   bool     // a file may change without another stamp
}

// sight is a file or folder at the time when it was looked at. The zero stamp is that of a missing one.
type sight struct {
	path  string
	stamp stamp.Stamp
}

// top is the folder of the project. Without a project it is the nearest folder above the caller's that has agents, or the
// caller's own.
func top(p *engine.Project) string {
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
	s := &shelf{places: []place{{dir: top(p)}}, now: time.Now()}
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	if dir := engine.Variable(p, variable); filepath.IsAbs(dir) && !realpath.Same(dir, top(p)) {
		s.places = append(s.places, place{dir, "~/"})
	}
	return s
}

// look keeps the stamp of a file or folder, and reports whether there is one.
func (s *shelf) look(full string) bool {
	info, err := os.Stat(full)
	if err != nil {
		s.seen = append(s.seen, sight{path: full})
		return false
	}
	st := stamp.Of(info)
	s.racy = s.racy || !st.Settled(s.now)
	s.seen = append(s.seen, sight{full, st})
	return true
}

// read reads a file of a place. Errors: fs.ErrNotExist; others for a link that leads out of the place and for what is
// not a regular file.
func (s *shelf) read(pl place, file string) ([]byte, error) {
	if _, err := s.open(pl, file); err != nil {
		return nil, err
	}
	return os.ReadFile(joined(pl, file))
}

// readEntry is read for a file of a folder that was listed.
func (s *shelf) readEntry(pl place, dir string, entry fs.DirEntry) ([]byte, error) {
	file := dir + "/" + entry.Name()
	if !entry.Type().IsRegular() {
		return s.read(pl, file)
	}
	s.look(joined(pl, file))
	return os.ReadFile(joined(pl, file))
}

// readText is read for a large file, which it does not copy.
func (s *shelf) readText(pl place, file string) (string, error) {
	size, err := s.open(pl, file)
	if err != nil {
		return "", err
	}
	in, err := os.Open(joined(pl, file))
	if err != nil {
		return "", err
	}
	defer in.Close()
	var text strings.Builder
	text.Grow(int(size))
	_, err = io.Copy(&text, in)
	return text.String(), err
}

// open looks at a file that is to be read, and returns its size.
func (s *shelf) open(pl place, file string) (size int64, err error) {
	full := joined(pl, file)
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return 0, errAway
	}
	if !s.look(full) {
		if _, err := os.Lstat(full); err == nil {
			return 0, errors.New("is a link to nothing")
		}
		return 0, fs.ErrNotExist
	}
	if err := checkInside(pl, file); err != nil {
		return 0, err
	}
	info, err := os.Stat(full)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("is not a regular file")
	}
	return info.Size(), nil
}

// joined is the path of a file of a place.
func joined(pl place, file string) string { return filepath.Join(pl.dir, filepath.FromSlash(file)) }

var errAway = errors.New("leads out of the project")

// checkInside refuses a file that is outside of its place: it would send a file of the user to a model.
func checkInside(pl place, file string) error {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return errAway
	}
	if _, err := realpath.Below(pl.dir, file); err != nil {
		if errors.Is(err, realpath.ErrOutside) {
			return errors.New("is a link that leads out of the project")
		}
		return err
	}
	return nil
}

// list returns the names in a folder of a place in order, none for a folder that is missing or that is a link out of
// the place. Without a link no check is needed, which takes longer than everything else.
func (s *shelf) list(pl place, dir string, link bool) ([]fs.DirEntry, error) {
	full := joined(pl, dir)
	if !s.look(full) || link && checkInside(pl, dir) != nil {
		return nil, nil
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pl.name(dir), err)
	}
	return entries, nil
}

// unchanged reports whether everything that was looked at is as it was.
func (s *shelf) unchanged() bool {
	return !s.racy && !slices.ContainsFunc(s.seen, func(was sight) bool {
		info, err := os.Stat(was.path)
		if err != nil {
			return was.stamp != stamp.Stamp{}
		}
		return stamp.Of(info) != was.stamp
	})
}

// clean returns a path of the settings as it is below its place.
func clean(parts ...string) string {
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(part, `\`, "/")
	}
	return path.Clean(path.Join(parts...))
}
