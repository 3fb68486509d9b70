package inputs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"
)

// manifest is what a package.json says of a package and of its workspace.
type manifest struct {
	Name       string            `json:"name"`
	Workspaces json.RawMessage   `json:"workspaces"` // a list, or a mapping with the list packages
	Scripts    map[string]string `json:"scripts"`
	Normal     map[string]string `json:"dependencies"`
	Dev        map[string]string `json:"devDependencies"`
	Peer       map[string]string `json:"peerDependencies"`
	Optional   map[string]string `json:"optionalDependencies"`
}

func deriveWorkspace(files fs.FS, dir string, args []string, found set) (why string) {
	names, why := workspaceNames(args)
	if why != "" {
		return why
	}
	var patterns []string
	top, ok := findAbove(dir, func(at string) bool {
		patterns = workspacePatterns(files, at)
		return patterns != nil
	})
	if !ok {
		return "there is no workspace"
	}
	folders, packages, why := workspacePackages(files, top, patterns)
	if why != "" {
		return why
	}
	var open []string
	for _, name := range names {
		at, known := folders[name]
		if !known {
			at = path.Join(dir, name)
		}
		open = append(open, at)
	}
	if names == nil {
		open = []string{dir}
	}
	if why := found.add(top, "*"); why != "" {
		return why
	}
	named := len(open)
	for i := 0; i < len(open); i++ {
		at := open[i]
		m, known := packages[at]
		if !known {
			return fmt.Sprintf("folder %q is not a package of the workspace", at)
		}
		if why := found.add(at, "**"); why != "" {
			return why
		}
		for _, name := range slices.Sorted(maps.Keys(m.Scripts)) {
			if i < named && strings.Contains(m.Scripts[name], "..") {
				return fmt.Sprintf("script %q of %s leaves its folder", name, path.Join(at, "package.json"))
			}
		}
		for _, list := range []map[string]string{m.Normal, m.Dev, m.Peer, m.Optional} {
			for name, version := range list {
				kind, place, _ := strings.Cut(version, ":")
				next, member := folders[name]
				if kind == "file" || kind == "link" || kind == "portal" {
					next, member = path.Join(at, place), true
				} else if kind == "workspace" && !member {
					return fmt.Sprintf("package %q is not in the workspace", name)
				}
				if member && !slices.Contains(open, next) {
					open = append(open, next)
				}
			}
		}
	}
	return leavesPackages(files, top, open)
}

// upwards finds the paths in a file that lead out of its folder, and the quoted ".." of one that is joined from parts.
var upwards = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\"'`]\\.\\.[\"'`]|(?:\\.\\./)+[^\\s\"'`()]*") })

// leavesPackages returns why a file of the packages may read one that lies in none of them, nor directly at the top.
func leavesPackages(files fs.FS, top string, packages []string) (why string) {
	inside := func(at string) bool {
		return path.Dir(at) == top || slices.ContainsFunc(packages, func(dir string) bool {
			return at == dir || strings.HasPrefix(at, dir+"/") || dir == "." && fs.ValidPath(at)
		})
	}
	for _, dir := range packages {
		err := fs.WalkDir(files, dir, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "node_modules":
				return fs.SkipDir
			case d.IsDir() || path.Ext(at) == ".md":
				return nil
			}
			src, err := fs.ReadFile(files, at)
			for _, found := range upwards().FindAllString(string(src), -1) {
				// It is not known how far up the parts lead.
				if joined := !strings.HasPrefix(found, "."); joined || !inside(path.Join(path.Dir(at), found)) {
					why = fmt.Sprintf("%s leads to %q", at, found)
					return fs.SkipAll
				}
			}
			return err
		})
		if err != nil {
			return fmt.Sprintf("a file below %q cannot be read", dir)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// workspaceNames returns the packages that the arguments name, by name or path; nil if they name none.
func workspaceNames(args []string) (names []string, why string) {
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch {
		case strings.Contains(args[i], "../"):
			return nil, fmt.Sprintf("its argument %q leaves its folder", args[i])
		case slices.Contains(args[:i], "--"):
		case slices.Contains([]string{"-w", "--workspace", "--filter", "-F"}, name) || name == "workspace" && i == 0:
			if !joined && i+1 < len(args) {
				i++
				value = args[i]
			}
			// pnpm has a language for these.
			if value == "" || strings.ContainsAny(value, "*![]{}^") || strings.Contains(value, "...") {
				return nil, fmt.Sprintf("%q does not name one package", value)
			}
			names = append(names, value)
		case strings.HasPrefix(args[i], "-") && !slices.Contains([]string{"--", "-s", "--silent", "--if-present"}, args[i]):
			return nil, fmt.Sprintf("its flag %q may change which files count", args[i])
		}
	}
	return names, ""
}

// workspacePatterns returns the globs of the packages of a workspace whose top is a folder, nil if it is none.
func workspacePatterns(files fs.FS, top string) (out []string) {
	var pnpm struct{ Packages []string }
	if src, err := fs.ReadFile(files, path.Join(top, "pnpm-workspace.yaml")); err == nil && yaml.Unmarshal(src, &pnpm) == nil {
		return pnpm.Packages
	}
	m, err := readManifest(files, top)
	if err != nil || m.Workspaces == nil {
		return nil
	}
	if json.Unmarshal(m.Workspaces, &out) != nil {
		var form struct{ Packages []string }
		if json.Unmarshal(m.Workspaces, &form) == nil {
			out = form.Packages
		}
	}
	return out
}

// workspacePackages reads the packages of a workspace: their folders by name, and what they say by folder.
func workspacePackages(files fs.FS, top string, patterns []string) (folders map[string]string, packages map[string]manifest, why string) {
	folders, packages = map[string]string{}, map[string]manifest{}
	for _, pattern := range patterns {
		// Packages that are left out are members here, which only adds inputs.
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		found, err := doublestar.Glob(files, path.Join(top, pattern, "package.json"))
		if err != nil {
			return nil, nil, fmt.Sprintf("%q is not a glob", pattern)
		}
		for _, file := range found {
			at := path.Dir(file)
			m, err := readManifest(files, at)
			if err != nil {
				return nil, nil, fmt.Sprintf("%s cannot be read", file)
			}
			folders[m.Name], packages[at] = at, m
		}
	}
	return folders, packages, ""
}

func readManifest(files fs.FS, dir string) (m manifest, err error) {
	src, err := fs.ReadFile(files, path.Join(dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(src, &m)
	}
	return m, err
}
