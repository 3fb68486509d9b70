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

// configuredLinter is a linter that a project has configured if one of the files is there, or another one has the text.
type configuredLinter struct {
	name         string
	files        []string // globs, from the top
	within, text string
	program      string // on PATH, or a path from the top
	command      string
}

func configuredLinters() []configuredLinter {
	return []configuredLinter{
		{"golangci-lint", []string{".golangci.y*ml", ".golangci.toml", ".golangci.json"}, "", "", "golangci-lint", "golangci-lint run"},
		{"ESLint", []string{"eslint.config.*", ".eslintrc*"}, "package.json", `"eslintConfig"`, "node_modules/.bin/eslint", "npx --no-install eslint ."},
		{"Prettier", []string{".prettierrc*", "prettier.config.*"}, "package.json", `"prettier": {`, "node_modules/.bin/prettier", "npx --no-install prettier --check ."},
		{"Ruff", []string{"ruff.toml", ".ruff.toml"}, "pyproject.toml", "[tool.ruff", "ruff", "ruff check ."},
		{"Clippy", []string{"clippy.toml", ".clippy.toml"}, "Cargo.toml", "lints.clippy]", "cargo-clippy", "cargo clippy --all-targets -- -D warnings"},
		{"editorconfig-checker", []string{".editorconfig"}, "", "", "editorconfig-checker", "editorconfig-checker"},
	}
}

// isPartOf reports whether a file that is also about other things configures the linter.
func (l configuredLinter) isPartOf(top fs.FS) bool {
	src, err := fs.ReadFile(top, l.within)
	return err == nil && strings.Contains(string(src), l.text)
}

// ProposeRules returns the text of first rules, from what the repository has: instructions, which are named and not
// repeated, and linters, whose commands become rules. A linter that is not installed gets a rule without a command, by which
// every spec would fail; its program is returned. installed looks on PATH.
func ProposeRules(top fs.FS, installed func(program string) bool) (text string, missing []string) {
	// matching lists the files of some globs.
	matching := func(globs ...string) (out []string) {
		for _, glob := range globs {
			found, _ := fs.Glob(top, glob) // they are constants
			out = append(out, found...)
		}
		return out
	}
	var conventions []string
	if guides := matching(guideFiles()...); len(guides) > 0 {
		conventions = append(conventions, fmt.Sprintf("Instructions for agents are in %s. What they say is not repeated here.", inCode(guides)))
	}
	if guides := matching("CONTRIBUTING*", ".github/CONTRIBUTING*", "docs/CONTRIBUTING*"); len(guides) > 0 {
		conventions = append(conventions, fmt.Sprintf("Changes are made as %s says: read it first.", inCode(guides)))
	}
	var checks []string
	for _, l := range configuredLinters() {
		switch {
		case len(matching(l.files...)) == 0 && !l.isPartOf(top):
		case installed(l.program) || strings.Contains(l.program, "/") && len(matching(l.program)) > 0:
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
