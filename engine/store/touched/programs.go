package touched

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"reflect"
	"slices"
	"strings"

	"chant/engine/spec/fileset"
	"chant/gitops"
)

// trustedKind is a kind of file that other programs run, or believe, without asking.
type trustedKind struct {
	globs []string // of folded paths; one without a slash matches in each folder
	why   string   // words that follow "was changed:"
	// keys limits it to changes of some keys of a JSON object.
	keys []string
	// runsTests says that it decides how tests run although nothing names it.
	runsTests bool
}

// trustedFiles is the only list of such files.
func trustedFiles() []trustedKind {
	return []trustedKind{
		{[]string{".mcp.json", "**/.cursor/mcp.json", "**/.vscode/mcp.json", "**/.kiro/settings/mcp.json", "**/.roo/mcp.json", ".gemini/settings.json", ".codex/**", "opencode.json", "opencode.jsonc", ".opencode/**", ".amp/**", ".zed/settings.json", ".qwen/settings.json", ".copilot/mcp-config.json"},
			"agents start the servers and programs that it names", nil, false},
		{[]string{"**/.claude/**"}, "Claude Code runs its hooks and follows its permissions", nil, false},
		{[]string{"claude.md", "claude.local.md", "agents.md", "agent.md", "gemini.md", ".cursorrules", "**/.cursor/**", ".windsurfrules", "**/.windsurf/**", "**/.clinerules/**", ".clinerules", ".goosehints", "**/.kiro/**", ".github/copilot-instructions.md", ".github/instructions/**", ".github/prompts/**", ".github/agents/**", "**/.agents/**", ".aider.conf.yml"},
			"agents follow what it says", nil, false},
		{[]string{"**/.vscode/**", "*.code-workspace", "**/.idea/**", "**/.fleet/**", "**/.run/**", ".zed/tasks.json", ".vimrc", ".nvimrc", ".lvimrc", ".exrc", ".nvim.lua", ".dir-locals.el", ".sublime-project", "*.sublime-project"},
			"editors run its tasks and follow its settings", nil, false},
		{[]string{".envrc", ".mise.toml", "mise.toml", "**/.mise/**", "**/mise/**/*.toml", ".tool-versions", ".autoenv.zsh", ".env", ".nvmrc", ".node-version", ".python-version", ".ruby-version", "rust-toolchain", "rust-toolchain.toml", "flake.nix", "shell.nix", "default.nix", "devbox.json"},
			"shells and version managers load it", nil, false},
		{[]string{"**/.devcontainer/**", ".devcontainer.json", "dockerfile", "dockerfile.*", "*.dockerfile", "containerfile", "docker-compose*.yml", "docker-compose*.yaml", "compose*.yml", "compose*.yaml", "vagrantfile"},
			"containers and machines are made by it", nil, false},
		{[]string{".github/workflows/**", "**/action.yml", "**/action.yaml", ".github/actions/**", ".github/dependabot.yml", ".github/codeowners", "codeowners", ".gitlab-ci.yml", ".gitlab/**", ".circleci/**", ".travis.yml", "azure-pipelines*.yml", ".azure-pipelines/**", "jenkinsfile", "jenkinsfile.*", ".drone.yml", ".woodpecker.yml", ".woodpecker/**", ".buildkite/**", "bitbucket-pipelines.yml", "appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".forgejo/**", ".gitea/**", ".ci/**", ".semaphore/**", ".teamcity/**", "cloudbuild.yaml", "buildspec.yml"},
			"CI runs it, with its rights", nil, false},
		{[]string{"**/.husky/**", "**/.githooks/**", "**/githooks/**", "**/.git-hooks/**", "**/git-hooks/**", "lefthook*.yml", "lefthook*.yaml", "lefthook*.toml", "lefthook*.json", ".lefthook*", "**/.lefthook/**", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", ".overcommit.yml", ".huskyrc*", ".lintstagedrc*", "lint-staged.config.*", ".simple-git-hooks*"},
			"hooks of git run it", nil, false},
		{[]string{gitops.AttributesFile}, "git writes, compares and merges files by it", nil, false},
		{[]string{".gitmodules"}, "git fetches the repositories that it names", nil, false},
		{[]string{".lfsconfig", ".gitconfig"}, "git reads addresses or settings from it", nil, false},
		{[]string{"package.json"}, "npm and tools like it run its scripts",
			[]string{"scripts", "husky", "simple-git-hooks", "lint-staged", "pre-commit", "gitHooks", "bin", "packageManager", "workspaces", "binary", "gypfile"}, false},
		{[]string{"binding.gyp", "**/.yarn/releases/**", "**/.yarn/plugins/**"}, "package managers load it, and what it names", nil, false},
		{[]string{".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "bunfig.toml", "**/node_modules/.bin/**"},
			"package managers load it, and what it names", nil, true},
		{[]string{"makefile", "gnumakefile", "*.mk", "justfile", ".justfile", "taskfile.yml", "taskfile.yaml", "rakefile", "rakefile.rb", "magefile.go", "cmakelists.txt", "*.cmake", "meson.build", "sconstruct", "build.bazel", "build", "workspace", "workspace.bazel", "workspace.bzlmod", "module.bazel", "tiltfile", "gulpfile.*", "gruntfile.*", "procfile"},
			"build tools run its commands", nil, false},
		{[]string{".bazelrc"}, "build tools run its commands", nil, true},
		{[]string{"build.rs"}, "cargo runs it with each build", nil, false},
		{[]string{"**/.cargo/config.toml", "**/.cargo/config"}, "cargo runs what it names with each build", nil, true},
		{[]string{"setup.py", "setup.cfg", "pyproject.toml", "noxfile.py", "tox.ini", "tasks.py", "fabfile.py", "pip.conf", "manage.py"},
			"Python and its tools run it, or what it names", nil, false},
		{[]string{"conftest.py", "sitecustomize.py", "usercustomize.py", "*.pth", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"}, "Python and its tools run it, or what it names", nil, true},
		{[]string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "init.gradle", "gradlew", "gradlew.bat", "gradle-wrapper.*", "pom.xml", "mvnw", "mvnw.cmd", "build.sbt", "**/project/*.sbt", "build.xml"},
			"build tools of the JVM run it", nil, false},
		{[]string{"**/.mvn/**"}, "build tools of the JVM run it", nil, true},
		{[]string{"gemfile", "gems.rb", "*.gemspec", ".bundle/config", "**/.bundle/**", "composer.json", "podfile", "package.swift", "mix.exs", "directory.build.props", "directory.build.targets", "nuget.config", "*.csproj", "*.sln", "build.zig", "deno.json", "deno.jsonc"},
			"package managers and build tools run it, or what it names", nil, false},
		{[]string{".rspec", ".proverc", ".rspec-local", "phpunit.xml"}, "test runners start by it", nil, true},
		{[]string{"go.work"}, "Go takes code from where it says", nil, true},
		{[]string{".mocharc*", "jest.config.*", "vitest.config.*"}, "tools of JavaScript run it when they start", nil, true},
		{[]string{"vite.config.*", "webpack.config.*", "rollup.config.*", "eslint.config.*", ".eslintrc*", "prettier.config.*", ".prettierrc*", "babel.config.*", ".babelrc*", "postcss.config.*", "tailwind.config.*", "next.config.*", "playwright.config.*", "karma.conf.js", "tsup.config.*", "astro.config.*", "nuxt.config.*", "svelte.config.*", ".stylelintrc*"},
			"tools of JavaScript run it when they start", nil, false},
	}
}

// trustedBy returns which row names a path, nil for a file that only people and the project's own programs use.
func trustedBy(file string) *trustedKind {
	// The globs are in lower case, because some systems find the file by any spelling.
	file = Fold(file)
	for _, row := range trustedFiles() {
		if slices.ContainsFunc(row.globs, func(glob string) bool {
			if !strings.Contains(glob, "/") {
				return fileset.Match(glob, path.Base(file))
			}
			return fileset.Match(glob, file)
		}) {
			return &row
		}
	}
	return nil
}

// RunsTests reports whether a file decides how tests run although no command, and no other file, names it.
func RunsTests(file string) bool {
	row := trustedBy(file)
	return row != nil && row.runsTests
}

// Programs lists the paths of the files that differ between two commits and that other programs run or trust.
func (c Commits) Programs(ctx context.Context, from, to string) ([]string, error) {
	c, _ = c.whole(Rules{})
	diff, err := c.Repo.Diff(ctx, from, to)
	if err != nil {
		return nil, err
	}
	things, err := c.programs(ctx, from, to, diff)
	things = c.seen(things)
	var out []string
	for _, t := range things {
		out = append(out, t.Path)
	}
	return out, err
}

// programs lists the changes of files that other programs run or trust.
func (c Commits) programs(ctx context.Context, from, to string, diff []gitops.Change) ([]Thing, error) {
	var out []Thing
	for _, ch := range diff {
		if InChant(ch.Path) {
			continue
		}
		t := Thing{Kind: Program, Path: ch.Path, How: DescribeStatus(ch.Status)}
		// The content of a submodule is in another repository, so nothing here can be compared.
		if ch.Gitlink || ch.WasGitlink {
			t.More = "it is a submodule, whose commit another repository has"
			out = append(out, t)
			continue
		}
		row := trustedBy(ch.Path)
		if row == nil {
			continue
		}
		// package.json changes with each dependency; only the keys by which npm runs something count.
		if row.keys != nil {
			same, err := c.sameKeys(ctx, from, to, ch.Path, row.keys)
			if err != nil {
				return nil, err
			}
			if same {
				continue
			}
		}
		t.More = row.why
		out = append(out, t)
	}
	return out, nil
}

// sameKeys reports whether a JSON file has the same values of some keys in two commits. One that is no object has others
// than any.
func (c Commits) sameKeys(ctx context.Context, from, to, file string, keys []string) (bool, error) {
	var sides [2]map[string]any
	for i, rev := range []string{from, to} {
		text, err := c.Repo.ReadFile(ctx, rev, file)
		// A missing file has no keys, and so equals one without them.
		if errors.Is(err, gitops.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		// A file that cannot be read as an object counts as changed: what a tool reads from it is unknown.
		if json.Unmarshal(text, &sides[i]) != nil {
			return false, nil
		}
	}
	for _, key := range keys {
		if !reflect.DeepEqual(sides[0][key], sides[1][key]) {
			return false, nil
		}
	}
	return true, nil
}
