package setup

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/agentfile"
	"chant/engine/store"
)

// This file proposes the first rules of a project. ProposeRules is pure: it reads a file system that it is given.

// planRules writes the first rules, and warns of linters that cannot run here.
func (i *initializer) planRules(context.Context) error {
	// Rules that are there stay.
	if !i.in.Rules || engine.Exists(i.path(store.RulesPath)) {
		return nil
	}
	var missing []string
	i.rules, missing = ProposeRules(os.DirFS(i.repo.Home()), i.isInstalled)
	for _, program := range missing {
		i.warnings = append(i.warnings, fmt.Sprintf("%s: %q is not installed here, so that its rule has no command that is run; put \"$ \" before it once it is", store.RulesPath, program))
	}
	return nil
}

// configuredLinter is a linter that a project has configured if one of the files is there, or has the text.
type configuredLinter struct {
	name    string
	files   []string          // globs, from the top
	texts   map[string]string // by file: what it then contains
	program string            // on PATH, or a path from the top
	command string
}

func configuredLinters() []configuredLinter {
	return []configuredLinter{
		{"golangci-lint", []string{".golangci.y*ml", ".golangci.toml", ".golangci.json"}, nil, "golangci-lint", "golangci-lint run"},
		{"ESLint", []string{"eslint.config.*", ".eslintrc*"}, map[string]string{"package.json": `"eslintConfig"`}, "node_modules/.bin/eslint", "npx --no-install eslint ."},
		{"Prettier", []string{".prettierrc*", "prettier.config.*"}, map[string]string{"package.json": `"prettier": {`}, "node_modules/.bin/prettier", "npx --no-install prettier --check ."},
		{"Ruff", []string{"ruff.toml", ".ruff.toml"}, map[string]string{"pyproject.toml": "[tool.ruff"}, "ruff", "ruff check ."},
		{"Clippy", []string{"clippy.toml", ".clippy.toml"}, map[string]string{"Cargo.toml": "lints.clippy]"}, "cargo-clippy", "cargo clippy --all-targets -- -D warnings"},
		{"editorconfig-checker", []string{".editorconfig"}, nil, "editorconfig-checker", "editorconfig-checker"},
	}
}

// isConfigured reports whether a project has the linter configured. A file that cannot be read counts as missing.
func (l configuredLinter) isConfigured(top fs.FS) bool {
	if slices.ContainsFunc(l.files, func(glob string) bool {
		found, _ := fs.Glob(top, glob) // the globs are constants
		return len(found) > 0
	}) {
		return true
	}
	for file, part := range l.texts {
		if src, err := fs.ReadFile(top, file); err == nil && strings.Contains(string(src), part) {
			return true
		}
	}
	return false
}

// ProposeRules returns the text of first rules, from what the repository has: instructions, which are named and not
// repeated, and linters, whose commands become rules. A linter that is not installed gets a rule without a command, by which
// every spec would fail; its program is returned. installed looks on PATH.
func ProposeRules(top fs.FS, installed func(program string) bool) (text string, missing []string) {
	has := func(name string) bool {
		info, err := fs.Stat(top, name)
		return err == nil && info.Mode().IsRegular()
	}
	var conventions []string
	if guides := slices.DeleteFunc(guideFiles(), func(name string) bool { return !has(name) }); len(guides) > 0 {
		conventions = append(conventions, fmt.Sprintf("Instructions for agents are in %s. What they say is not repeated here.", inCode(guides)))
	}
	for _, glob := range []string{"CONTRIBUTING*", ".github/CONTRIBUTING*", "docs/CONTRIBUTING*"} {
		found, _ := fs.Glob(top, glob) // the globs are constants
		if found = slices.DeleteFunc(found, func(name string) bool { return !has(name) }); len(found) > 0 {
			conventions = append(conventions, fmt.Sprintf("Changes are made as %s says: read it first.", inCode(found)))
			break
		}
	}
	var checks []string
	for _, l := range configuredLinters() {
		switch {
		case !l.isConfigured(top):
		case installed(l.program) || strings.Contains(l.program, "/") && has(l.program):
			checks = append(checks, fmt.Sprintf("%s passes `$ %s`", l.name, l.command))
		default:
			missing = append(missing, l.program)
			checks = append(checks, fmt.Sprintf("%s passes: `%s`", l.name, l.command))
		}
	}
	checks = append(checks, "What the work adds or changes has a test, and documentation that it makes wrong is corrected.")
	var b strings.Builder
	b.WriteString("# Rules\n\nEvery agent gets these rules, and every spec must pass the commands that end an item and begin with `$`.\n")
	for _, s := range []struct {
		heading string
		items   []string
	}{
		{"Conventions", conventions},
		{"Definition of done", checks},
		{"Forbidden", []string{"No test is removed or weakened so that it passes.", "No secret is committed."}},
	} {
		if len(s.items) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n- %s\n", s.heading, strings.Join(s.items, "\n- "))
		}
	}
	return b.String(), missing
}

// guideFiles lists the files of instructions that agents read by themselves, each once.
func guideFiles() []string {
	names := []string{agentfile.OpenGuide, agentfile.ClaudeGuide}
	for _, a := range agentfile.All() {
		if a.Guide != "" && !slices.Contains(names, a.Guide) {
			names = append(names, a.Guide)
		}
	}
	return names
}

// inCode lists names as code.
func inCode(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
