package config

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestLinkedPaths(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"node_modules/":                    "node_modules",
		"[./node_modules, /vendor//x/, a]": "node_modules vendor/x a",
		"'app/[id]'":                       "app/[id]",
		"[a, '**/b']":                      `line 1: worktree.link: "**/b" is a pattern`,
		"- a\n- lib?":                      `line 2: worktree.link: "lib?" is a pattern`,
		"../x":                             `"../x" leaves the repository`,
		"~/x":                              `"~/x" leaves the repository`,
		"./":                               `"./" leaves the repository`,
		"a/../../b":                        `"a/../../b" leaves the repository`,
	} {
		var got LinkedPaths
		err := yaml.Unmarshal([]byte(written), &got)
		switch {
		case err != nil && strings.Contains(err.Error(), want):
		case err != nil || !slices.Equal(got, strings.Fields(want)):
			t.Errorf("%q: got %q, %v, want %q", written, got, err, want)
		}
	}
}

func TestCopiedGlobs(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		".env":                     ".env",
		"['**/.env', '.e.{a,b}']":  "**/.env .e.{a,b}",
		"- a\n- '[b'":              `line 2: worktree.copy: "[b" is not a glob`,
		"['{a', 'b}', '[{]']":      "{a b} [{]",
		"[/.env, /config/*.local]": ".env config/*.local",
		"../x":                     `"../x" leaves the repository (use a path or glob from the top, such as .env or config/*.local)`,
		"//x":                      `"//x" leaves the repository`,
		"/":                        `"/" leaves the repository`,
		"''":                       `"" leaves the repository`,
	} {
		var got CopiedGlobs
		err := yaml.Unmarshal([]byte(written), &got)
		switch {
		case err != nil && strings.Contains(err.Error(), want):
		case err != nil || !slices.Equal(got, strings.Fields(want)):
			t.Errorf("%q: got %q, %v, want %q", written, got, err, want)
		}
	}
}
