package config

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"chant/engine/spec"
)

// LinkedPaths are paths below the top of a repository that are linked into worktrees, slash-separated and clean.
type LinkedPaths []string

// UnmarshalYAML reads a path or a list of them, as people write them in .gitignore: with "./" or "/" before a path and "/"
// behind it. It returns an error for what could not be linked.
func (l *LinkedPaths) UnmarshalYAML(node *yaml.Node) error {
	var paths spec.StringList
	if err := paths.UnmarshalYAML(node); err != nil {
		return err
	}
	for i, written := range paths {
		line := node.Line
		if node.Kind == yaml.SequenceNode && i < len(node.Content) {
			line = node.Content[i].Line
		}
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
