package touched

import (
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestLed finds what settings of git lead to, and what they do not.
func TestLed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("paths of other systems")
	}
	for name, tt := range map[string]struct {
		was      side
		settings string   // key=value, more of them after "; "
		led      []string // files to which something leads
		free     []string
	}{
		"a folder of hooks":            {nil, "core.hooksPath=.githooks", []string{".githooks/post-merge", ".githooks/a/b"}, []string{"githooks/x"}},
		"the same by its whole path":   {nil, "core.hooksPath=TOP/tools/hooks", []string{"tools/hooks/post-merge", "Tools/Hooks/x"}, []string{"tools/x"}},
		"the same by a detour":         {nil, "core.hooksPath=a/../.githooks/", []string{".githooks/x"}, []string{"a/x"}},
		"husky":                        {nil, "core.hooksPath=.husky/_", []string{".husky/pre-commit", ".husky/_/h"}, nil},
		"a filter":                     {nil, "filter.f.clean=scripts/f clean", []string{"scripts/f"}, []string{"scripts/g"}},
		"a filter by its interpreter":  {nil, "filter.f.smudge=python3 f.py %f", []string{"f.py"}, []string{"python3"}},
		"a filter with an environment": {nil, "filter.f.process=env A=1 sh -c 'exec ./scripts/f'", []string{"scripts/f"}, nil},
		"a filter from the top":        {nil, `filter.f.clean="$(git rev-parse --show-toplevel)"/scripts/f`, []string{"scripts/f"}, nil},
		"a filter with blanks":         {nil, `filter.f.clean="my scripts/f x" clean`, []string{"my scripts/f x"}, nil},
		"a module":                     {nil, "filter.f.clean=python -m tools.f", []string{"tools/f.py", "tools/f/__main__.py"}, nil},
		"what a filter names":          {side{"scripts/f": "#!/bin/sh\n. \"$(dirname \"$0\")/lib.sh\"\n"}, "filter.f.clean=scripts/f", []string{"scripts/lib.sh"}, []string{"scripts/x.sh"}},
		"what that names":              {side{"a/f": "exec b/g\n", "b/g": "node b/h\n", "b/h.js": "require('./i')\n"}, "filter.f.clean=a/f", []string{"b/h.js", "b/i.js"}, nil},
		"what Python imports":          {side{"a/f.py": "import sys\nfrom helper import x\n"}, "diff.f.textconv=python a/f.py", []string{"a/helper.py"}, nil},
		"a target of make":             {nil, "filter.f.clean=make -s clean-filter", []string{"Makefile", "GNUmakefile"}, nil},
		"a script of npm":              {nil, "filter.f.clean=npm run -s clean", []string{"package.json"}, nil},
		"a monitor":                    {nil, "core.fsmonitor=.git-tools/watch", []string{".git-tools/watch"}, nil},
		"a driver of merges":           {nil, "merge.f.driver=tools/merge %O %A %B", []string{"tools/merge"}, nil},
		"chant's own driver":           {nil, "merge.chant-spec.driver=for c in chant 'TOP/bin/chant';do if command -v $c >/dev/null 2>&1;then $c merge-driver %O;fi;done", []string{"bin/chant"}, []string{"1", "base.py", "command.js", "chant"}},
		"a redirection":                {nil, "merge.f.driver=tools/merge %O 2>&1", []string{"tools/merge"}, []string{"1", "2.sh"}},
		"an external diff":             {nil, "diff.external=tools/diff", []string{"tools/diff"}, nil},
		"ssh":                          {nil, "core.sshCommand=tools/ssh -v", []string{"tools/ssh"}, nil},
		"a signer":                     {nil, "gpg.program=TOP/tools/gpg", []string{"tools/gpg"}, nil},
		"whose signatures count":       {nil, "gpg.ssh.allowedSignersFile=.allowed_signers", []string{".allowed_signers"}, nil},
		"an editor":                    {nil, "core.editor=./ed", []string{"ed"}, nil},
		"a helper":                     {nil, "credential.helper=!tools/login get", []string{"tools/login"}, nil},
		"settings that are included":   {side{"x": "y"}, "include.path=../.gitconfig", []string{".gitconfig"}, nil},
		"attributes":                   {nil, "core.attributesFile=conf/attributes", []string{"conf/attributes"}, nil},
		"rules of what to ignore":      {nil, "core.excludesFile=conf/ignore", []string{"conf/ignore"}, nil},
		"an alias of the shell":        {nil, "alias.x=!tools/x", []string{"tools/x"}, nil},
		"an alias of git":              {nil, "alias.x=status tools/x", nil, []string{"tools/x"}},
		"who commits":                  {nil, "user.name=Ada src/x", nil, []string{"src/x"}},
		"a branch":                     {nil, "branch.main.merge=refs/heads/main", nil, []string{"refs/heads/main"}},
		"a program of PATH":            {nil, "core.editor=vim", nil, []string{"vim"}},
		"what the text of a hook says": {side{".githooks/pre-commit": "#!/bin/sh\n# runs go vet, see main.go and cmd/main.go\ngo test ./...\nscripts/check\n"}, "core.hooksPath=.githooks", []string{"scripts/check"}, []string{"main.go", "cmd/main.go", "go", "test"}},
		"make in a hook of commits":    {side{".githooks/pre-commit": "make lint\n"}, "core.hooksPath=.githooks", nil, []string{"Makefile"}},
		"make in a hook of landings":   {side{".githooks/post-merge": "make lint\n"}, "core.hooksPath=.githooks", []string{"Makefile"}, nil},
		"lefthook":                     {side{".githooks/pre-commit": "lefthook run pre-commit\n"}, "core.hooksPath=.githooks", []string{"lefthook.yml"}, []string{"x.yml"}},
		"git-lfs":                      {nil, "filter.lfs.process=git-lfs filter-process", []string{".lfsconfig"}, []string{"git-lfs"}},
		"a hook that is a link":        {side{".githooks/post-merge": "-> ../scripts/m", "scripts/m": "exec scripts/n\n"}, "core.hooksPath=.githooks", []string{"scripts/m", "scripts/n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, rules := commits(t, tt.was, side{"new": "x"}, strings.Split(tt.settings, "; ")...)
			for _, file := range tt.led {
				what, led := rules.Led.Find(file)
				assert.True(t, led, "nothing leads to %q: %v", file, rules.Led)
				assert.NotEqual(t, "", what, "nothing leads to %q: %v", file, rules.Led)
			}
			for _, file := range tt.free {
				what, led := rules.Led.Find(file)
				assert.False(t, led, "%s leads to %q", what, file)
			}
		})
	}
}

// TestPrograms names the files that other programs run or trust.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		".mcp.json": true, ".claude/settings.json": true, "web/.claude/hooks/x.sh": true, "CLAUDE.md": true, ".cursor/rules/a.mdc": true, ".vscode/tasks.json": true,
		".vscode/settings.json": true, ".envrc": true, "sub/.envrc": true, ".devcontainer/devcontainer.json": true, ".devcontainer.json": true, ".github/workflows/a.yml": true,
		".gitlab-ci.yml": true, ".husky/pre-push": true, ".githooks/x": true, "package.json": true, "web/package.json": true, "Makefile": true, "GNUmakefile": true, "a/b.mk": true,
		".gitattributes": true, "a/.gitattributes": true, ".GitAttributes": true, ".gitmodules": true, "GITMOD~1": true, ".npmrc": true, "build.rs": true, "setup.py": true, "tests/conftest.py": true, "Jenkinsfile": true,
		"Dockerfile.dev": true, "vite.config.ts": true, "AGENTS.md": true, ".MCP.json": true, "lefthook.yml": true, "gradle/wrapper/gradle-wrapper.jar": true,
		".qwen/settings.json": true, ".zed/tasks.json": true, ".copilot/mcp-config.json": true, ".lvimrc": true, "gems.rb": true, "Rakefile.rb": true, "WORKSPACE.bazel": true,
		"main.go": false, "README.md": false, "docs/mcp.json.md": false, "src/settings.json": false, "github/workflows/a.yml": false, "package-lock.json": false, "tests/a_test.py": false, "make/file.go": false,
	} {
		assert.Equal(t, want, trustedBy(path) != nil, "%s is named", path)
	}
}

// TestPrograms_ofChange reads what decides about a file from the commits.
func TestPrograms_ofChange(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes of other systems")
	}
	for name, tt := range map[string]struct {
		was, now side
		want     string
	}{
		"dependencies": {side{"package.json": `{"scripts":{"a":"b"},"dependencies":{}}`}, side{"package.json": `{"scripts":{"a":"b"},"dependencies":{"x":"1"}}`}, ""},
		"a script":     {side{"package.json": `{"scripts":{"a":"b"}}`}, side{"package.json": `{"scripts":{"a":"b","postinstall":"evil"}}`}, "package.json"},
		"broken":       {side{"package.json": `{}`}, side{"package.json": `{`}, "package.json"},
		"a new one":    {side{"x": "y"}, side{"package.json": `{"scripts":{"a":"b"}}`}, "package.json"},
		"a plain file": {side{"x": "y"}, side{"x": "z"}, ""},
		"a link":       {side{"x": "y"}, side{".mcp.json": "-> x"}, ".mcp.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := commits(t, tt.was, tt.now)
			found, err := c.Programs(t.Context(), "HEAD~1", "HEAD")
			assert.NoError(t, err)
			assert.Equal(t, tt.want, strings.Join(found, " "))
		})
	}
}
