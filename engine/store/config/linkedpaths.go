package config

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
)

// LinkedPaths are paths below the top of a repository that are linked into worktrees, slash-separated and clean.
type LinkedPaths []string

// UnmarshalYAML reads a path or a list of them, as people write them in .gitignore: with "./" or "/" before a path and "/"
// behind it. It returns an error for what could not be linked.
func (l *LinkedPaths) UnmarshalYAML(node *yaml.Node) error {
	paths, lines, err := textsAndLines(node)
	if err != nil {
		return err
	}
	for i, written := range paths {
		line := lines[i]
		// A leading slash means the top of the repository, as in .gitignore.
		clean := path.Clean(strings.TrimPrefix(filepath.ToSlash(written), "/"))
		switch {
		case strings.ContainsAny(written, "*?"):
			return fmt.Errorf("line %d: worktree.link: %q is a pattern: name the files and folders, or copy them by worktree.copy", line, spec.Echo(written))
		case clean == "." || !filepath.IsLocal(filepath.FromSlash(clean)) || strings.HasPrefix(written, "~"):
			return fmt.Errorf("line %d: worktree.link: %q leaves the repository", line, spec.Echo(written))
		}
		*l = append(*l, clean)
	}
	return nil
}

// CopiedGlobs are globs of files below the top of a repository that are copied into worktrees, as git's pathspecs read
// them.
type CopiedGlobs []string

// UnmarshalYAML reads a glob or a list of them, with or without "/" before it. It returns an error for one that can match no file of the repository.
func (c *CopiedGlobs) UnmarshalYAML(node *yaml.Node) error {
	globs, lines, err := textsAndLines(node)
	if err != nil {
		return err
	}
	for i, written := range globs {
		// A leading slash means the top of the repository, as in .gitignore.
		glob := strings.TrimPrefix(written, "/")
		fault := fileset.PathspecFault(glob)
		if !filepath.IsLocal(filepath.FromSlash(glob)) {
			fault = "leaves the repository (use a path or glob from the top, such as .env or config/*.local)"
		}
		if fault != "" {
			return fmt.Errorf("line %d: worktree.copy: %q %s", lines[i], spec.Echo(written), fault)
		}
		*c = append(*c, glob)
	}
	return nil
}

// textsAndLines reads a text or a list of them, and the line of each.
func textsAndLines(node *yaml.Node) ([]string, []int, error) {
	var list spec.StringList
	if err := list.UnmarshalYAML(node); err != nil {
		return nil, nil, err
	}
	lines := make([]int, len(list))
	for i := range list {
		lines[i] = node.Line
		if node.Kind == yaml.SequenceNode && i < len(node.Content) {
			lines[i] = node.Content[i].Line
		}
	}
	return list, lines, nil
}
