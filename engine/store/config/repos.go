package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/store/shape"

	"go.yaml.in/yaml/v3"
)

// RepoConfig is a repository of `repos`: commands that show the specs of several repositories know it by its name.
type RepoConfig struct {
	Name string `yaml:"name" rule:"repo_name"`
	Path string `yaml:"path"` // absolute, or below ~/

	Line int `yaml:"-"` // of the YAML
}

// CheckWhole implements shape.Whole.
func (r *RepoConfig) CheckWhole(node *yaml.Node, report shape.Report) {
	r.Line = node.Line
	switch path := filepath.FromSlash(r.Path); {
	case r.Name == "":
		report(node.Line, "a repository of repos has no name")
	case !filepath.IsAbs(path) && !strings.HasPrefix(r.Path, "~/"):
		report(max(node.Line, shape.Line(node, "path")), "repos: path %q of %q is neither absolute nor below ~/", spec.Echo(r.Path), r.Name)
	}
}

// ReposConfig are repositories, each with a name of its own.
type ReposConfig []RepoConfig

// CheckWhole implements shape.Whole. It keeps the first repository of each name.
func (l *ReposConfig) CheckWhole(_ *yaml.Node, report shape.Report) {
	var distinct ReposConfig
	known := map[string]bool{}
	for _, r := range *l {
		if known[r.Name] {
			report(r.Line, "repos: a second repository is called %q", r.Name)
			continue
		}
		known[r.Name] = true
		distinct = append(distinct, r)
	}
	*l = distinct
}

var repoName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`) })

// parseRepoName reads the name of a repository, which is a part of how ids of its specs are written.
func parseRepoName(text string) (string, error) {
	if !repoName().MatchString(text) {
		return "", fmt.Errorf("invalid name %q (use letters, digits, -, _ and .)", spec.Echo(text))
	}
	return text, nil
}

// expandHome replaces ~ at the beginning of a path by the folder of the user.
func expandHome(path string) string {
	if rest, below := strings.CutPrefix(path, "~/"); below {
		if own, err := os.UserHomeDir(); err == nil {
			return filepath.Join(own, filepath.FromSlash(rest))
		}
	}
	return path
}
