package setup

import (
	"strings"
	"testing"
	"testing/fstest"

	"chant/engine/prompt"

	"github.com/alecthomas/assert/v2"
)

// TestProposeRules names instructions without repeating them, and gives a command to linters that are installed.
func TestProposeRules(t *testing.T) {
	t.Parallel()
	const done = "What the work adds or changes has a test"
	for name, c := range map[string]struct {
		files   map[string]string
		on      string
		want    []string
		runs    []string
		missing []string
	}{
		"nothing": {nil, "", []string{done}, nil, nil},
		"instructions": {
			map[string]string{"CLAUDE.md": "Indent with tabs.", "AGENTS.md": "Use spaces.", "GEMINI.md": "", "CONTRIBUTING.md": "Sign off."}, "",
			[]string{"`AGENTS.md`, `CLAUDE.md`, `GEMINI.md`", "Changes are made as `CONTRIBUTING.md` says"}, nil, nil,
		},
		"of GitHub":     {map[string]string{".github/CONTRIBUTING.md": ""}, "", []string{"`.github/CONTRIBUTING.md`"}, nil, nil},
		"golangci-lint": {map[string]string{".golangci.yml": ""}, "golangci-lint", nil, []string{"golangci-lint run"}, nil},
		"not installed": {map[string]string{".golangci.yaml": ""}, "", []string{"golangci-lint passes: `golangci-lint run`\n"}, nil, []string{"golangci-lint"}},
		"of npm": {
			map[string]string{"eslint.config.mjs": "", "package.json": `{"prettier": {}}`, "node_modules/.bin/eslint": "", "node_modules/.bin/prettier": ""}, "",
			nil, []string{"npx --no-install eslint .", "npx --no-install prettier --check ."}, nil,
		},
		"Python and Rust": {
			map[string]string{"pyproject.toml": "[tool.ruff.lint]\n", "Cargo.toml": "[workspace.lints.clippy]\n"}, "ruff cargo-clippy",
			nil, []string{"ruff check .", "cargo clippy --all-targets -- -D warnings"}, nil,
		},
		"only as dependencies": {map[string]string{"package.json": `{"devDependencies": {"prettier": "3"}}`, "Cargo.toml": "[package]\n"}, "cargo-clippy", nil, nil, nil},
		"EditorConfig":         {map[string]string{".editorconfig": ""}, "", nil, nil, []string{"editorconfig-checker"}},
	} {
		top := fstest.MapFS{}
		for file, content := range c.files {
			top[file] = &fstest.MapFile{Data: []byte(content)}
		}
		text, missing := ProposeRules(top, func(program string) bool { return strings.Contains(" "+c.on+" ", " "+program+" ") })
		assert.Equal(t, c.missing, missing, "%s", name)
		for _, want := range c.want {
			assert.Contains(t, text, want, "%s", name)
		}
		for _, content := range c.files {
			assert.False(t, len(content) > 5 && strings.Contains(text, content), "%s repeats %q", name, content)
		}
		r, err := prompt.ParseRules("rules.md", []byte(text))
		assert.NoError(t, err, "%s", name)
		var runs []string
		for _, command := range r.Commands {
			runs = append(runs, command.Run)
		}
		assert.Equal(t, c.runs, runs, "%s", name)
	}
}
