package setup

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

// TestPackagesOf finds the folders of packages that worktrees need, and what installs those that are not there.
func TestPackagesOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files, ignored string
		link, setup    string
	}{
		"nothing":                         {"main.go go.mod", "", "", ""},
		"npm":                             {"package.json package-lock.json node_modules/a/x", "node_modules", "node_modules", ""},
		"npm, not installed":              {"package.json package-lock.json", "node_modules", "", "npm ci"},
		"without packages":                {"package.json", "", "", ""},
		"pnpm before npm":                 {"package.json pnpm-lock.yaml package-lock.json", "", "", "pnpm install --frozen-lockfile"},
		"a workspace":                     {"package.json yarn.lock node_modules/a/x packages/b/package.json packages/b/node_modules/c/x", "node_modules packages/b/node_modules", "node_modules packages/b/node_modules", ""},
		"packages that are committed":     {"package.json node_modules/a/x", "", "", ""},
		"bun":                             {"package.json bun.lock", "", "", "bun install --frozen-lockfile"},
		"a virtual environment":           {"pyproject.toml venv/bin/python", "venv", "venv", ""},
		"uv, not installed":               {"pyproject.toml uv.lock", "", "", "uv sync --frozen"},
		"bundler":                         {"Gemfile vendor/bundle/x", "vendor/bundle", "vendor/bundle", ""},
		"composer":                        {"composer.json composer.lock vendor/autoload.php", "vendor", "vendor", ""},
		"composer, not installed":         {"composer.json composer.lock", "", "", "composer install"},
		"two languages":                   {"package.json node_modules/a/x requirements.txt .venv/bin/python", "node_modules .venv", "node_modules .venv", ""},
		"a file in the place of a folder": {"package.json package-lock.json node_modules", "node_modules", "", "npm ci"},
	} {
		files := fstest.MapFS{}
		for file := range strings.FieldsSeq(c.files) {
			files[file] = &fstest.MapFile{Data: []byte("{}")}
		}
		got, err := PackagesOf(files, func([]string) (map[string]bool, error) {
			out := map[string]bool{}
			for path := range strings.FieldsSeq(c.ignored) {
				out[path] = true
			}
			return out, nil
		})
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.link, strings.Join(got.Link, " "), "%s", name)
		assert.Equal(t, c.setup, strings.Join(got.Setup, "; "), "%s", name)
	}
}
