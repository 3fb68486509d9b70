package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FilesOf returns the files of a project in a folder of its repository, slash-separated from the top: those of FilesIn for a
// project at the top, "". Projects of one repository have no journal, lock or number in common.
func FilesOf(common, home, folder string) Files {
	f := FilesIn(common, home)
	if folder != "" {
		f.state = filepath.Join(f.state, projectsDir, ProjectKey(folder))
	}
	return f
}

// projectsDir has a folder for each project that is not at the top of its repository.
const projectsDir = "projects"

// State is the folder of what a project keeps in git's common directory.
func (l Files) State() string { return l.state }

// EachProject returns the files of all projects of the repository that have state on this machine. They are for reading
// what is in git's common directory: their home is that of l.
func (l Files) EachProject() []Files {
	all := []Files{FilesIn(l.common, l.home)}
	entries, err := os.ReadDir(filepath.Join(all[0].state, projectsDir))
	if err != nil {
		return all
	}
	for _, e := range entries {
		one := all[0]
		one.state = filepath.Join(all[0].state, projectsDir, e.Name())
		all = append(all, one)
	}
	return all
}

// ProjectKey names the folder of a project in one part of a path and of a ref: services/api is services+api.
func ProjectKey(folder string) string {
	var out strings.Builder
	for i := range len(folder) {
		c := folder[i]
		switch {
		case c == '/':
			out.WriteByte('+')
		// Git allows no ref with two dots, or with a dot or .lock at an end.
		case c == '.' && (i == 0 || folder[i-1] == '.' || folder[i-1] == '/' || i == len(folder)-1 || folder[i:] == ".lock"),
			c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z'):
			fmt.Fprintf(&out, "%%%02X", c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// BranchPrefix begins the branches of the runs of a project in a folder, by what the settings name: chant/ is
// chant-services+api/ for services/api. In a folder of their own, no agent of another project can write them.
func BranchPrefix(named, folder string) string {
	if folder == "" {
		return named
	}
	return strings.TrimSuffix(named, "/") + "-" + ProjectKey(folder) + "/"
}
