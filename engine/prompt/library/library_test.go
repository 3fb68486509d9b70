package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/format/climpt"

	"github.com/alecthomas/assert/v2"
)

// names lists the commands of a library that are not chant's own.
func names(l *Library) string {
	var out []string
	for _, e := range l.Entries {
		if e.Source != FromChant && e.Source != FromShipped {
			out = append(out, e.String())
		}
	}
	return strings.Join(out, " ")
}

// TestOpen_registry reads the registry where there is one, in the project before the user's home folder.
func TestOpen_registry(t *testing.T) {
	t.Parallel()
	const entry = `{"c1": "git", "c2": "%s", "c3": "branch", "description": "d"}`
	user := registry(fmt.Sprintf(entry, "user"))
	for name, tc := range map[string]struct {
		files map[string]string // of the project
		agent string
		want  string
		from  string
	}{
		"the user's":          {map[string]string{}, "", "git/user/branch", "~/.agent/climpt/registry.json"},
		"the project's":       {map[string]string{".agent/climpt/registry.json": registry(fmt.Sprintf(entry, "own"))}, "climpt", "git/own/branch", ".agent/climpt/registry.json"},
		"of another agent":    {map[string]string{".agent/iterator/registry.json": registry(fmt.Sprintf(entry, "own"))}, "iterator", "git/own/branch", ".agent/iterator/registry.json"},
		"in another place":    {map[string]string{".agent/climpt/config/registry_config.json": `{"registries": {"x": "lists/x.json"}}`, "lists/x.json": registry(fmt.Sprintf(entry, "own"))}, "x", "git/own/branch", "lists/x.json"},
		"prompts beside it":   {map[string]string{".agent/climpt/registry.json": registry(""), ".agent/climpt/prompts/a/b/c/f_default.md": "x"}, "", "", ".agent/climpt/registry.json"},
		"none of the project": {map[string]string{".agent/a/prompts/a/b/c/f_default.md": "x"}, "a", "a/b/c", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _, home := enginetest.ProjectWith(t, tc.files)
			enginetest.Write(t, home, ".agent/climpt/registry.json", user)
			l, err := Open(t.Context(), p, tc.agent)
			assert.NoError(t, err)
			if names(l) != tc.want || l.Registry != tc.from {
				t.Errorf("%s from %q, want %s from %q", names(l), l.Registry, tc.want, tc.from)
			}
		})
	}
}

// TestOpen_refused: what is wrong with a registry, with the file and the line.
func TestOpen_refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		files map[string]string
		agent string
		want  string
		code  engine.Code
	}{
		"unknown agent":       {nil, "other", ".agent/other/registry.json: File not found", engine.NotFound},
		"a folder alone":      {map[string]string{".agent/climpt/x": ""}, "", ".agent/climpt/registry.json: File not found", engine.NotFound},
		"broken":              {map[string]string{".agent/climpt/registry.json": "{\n\n"}, "", ".agent/climpt/registry.json:3: invalid JSON", engine.Invalid},
		"named and missing":   {map[string]string{".agent/climpt/config/registry_config.json": `{"registries": {"x": "x.json"}}`}, "x", "x.json: File not found", engine.NotFound},
		"named outside":       {map[string]string{".agent/climpt/config/registry_config.json": `{"registries": {"x": "../x.json"}}`, "../x.json": "{}"}, "x", "leads out of the project", engine.Invalid},
		"broken config":       {map[string]string{".agent/climpt/config/registry_config.json": `[`}, "", "registry_config.json: invalid JSON", engine.Invalid},
		"a folder as a file":  {map[string]string{".agent/climpt/registry.json/x": ""}, "", "is not a regular file", engine.Invalid},
		"a path as an agent":  {nil, "../x", `invalid agent "../x"`, engine.Usage},
		"no list of commands": {map[string]string{".agent/climpt/registry.json": "{}"}, "", `has no list "tools.commands"`, engine.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _, _ := enginetest.ProjectWith(t, tc.files)
			_, err := Open(t.Context(), p, tc.agent)
			assert.Error(t, err)
			assert.Contains(t, err.Error(), tc.want)
			assert.Equal(t, tc.code, enginetest.CodeOf(t, err))
		})
	}
}

// TestOpen_prompts describes commands by their prompts where there is no registry. A broken one hides no other.
func TestOpen_prompts(t *testing.T) {
	t.Parallel()
	p, dir, home := enginetest.ProjectWith(t, map[string]string{
		".agent/climpt/prompts/git/merge/branch/f_default.md":     "---\ndescription: Merge it\noptions:\n  stdin: true\n---\nx\n",
		".agent/climpt/prompts/git/merge/branch/f_bug_short.md":   "No front matter, broken or not: ---\n",
		".agent/climpt/prompts/git/list/branch/f_long.md":         "# List them\n",
		".agent/climpt/prompts/git/broken/branch/f_default.md":    "---\noptions: [\n---\n",
		".agent/climpt/prompts/git/empty/branch/readme.md":        "# No prompt\n",
		".agent/climpt/prompts/git/deep/branch/further/f_x.md":    "# Too deep\n",
		".agent/climpt/prompts/git/has space/branch/f_default.md": "# Odd\n",
		".agent/climpt/prompts/git/latin/branch/f_default.md":     "caf\xe9\n",
		".agent/climpt/prompts/git/.hidden/branch/f_default.md":   "# Hidden\n",
		".agent/climpt/prompts/spec/work/standard/f_default.md":   "---\ndescription: Ours\n---\n",
	})
	outside := t.TempDir()
	enginetest.Write(t, outside, "branch/f_default.md", "# Outside\n")
	if err := os.Symlink(outside, filepath.Join(dir, ".agent/climpt/prompts/git/out")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	enginetest.Write(t, home, ".agent/climpt/prompts/git/list/branch/f_default.md", "# Hidden by that of the project\n")
	l, err := Open(t.Context(), p, "")
	assert.NoError(t, err)
	assert.Equal(t, "git/list/branch git/merge/branch spec/work/standard", names(l))
	merge := l.records(climpt.Name{C1: "git", C2: "merge", C3: "branch"})[0]
	if fmt.Sprintf("%v %v %v %s", merge.Editions(), merge.Adaptations(), merge.TakesStdin(), merge.File) != "[bug default] [short] true .agent/climpt/prompts/git/merge/branch/f_default.md" {
		t.Error(merge.Options, merge.File)
	}
	list := l.records(climpt.Name{C1: "git", C2: "list", C3: "branch"})[0]
	assert.Equal(t, "List them", list.Description, "%v", list.Command.Description)
	for i, want := range []string{"git/broken/branch/f_default.md:", "git/latin/branch/f_default.md:1: the prompt is not a text in UTF-8", `git: invalid folder "has space"`} {
		assert.Equal(t, 3, len(l.Warnings))
		assert.HasPrefix(t, l.Warnings[i], ".agent/climpt/prompts/"+want)
	}
}

func TestAgents(t *testing.T) {
	t.Parallel()
	p, dir, home := enginetest.ProjectWith(t, map[string]string{
		".agent/iterator/prompts/a/b/c/f_default.md": "x", ".agent/reviewer/registry.json": "{}", ".agent/other/agent.json": "{}",
		".agent/climpt/config/registry_config.json": `{"registries": {"x": "x.json", "../y": "y.json"}}`,
	})
	enginetest.Write(t, home, ".agent/mine/registry.json", "{}")
	outside := t.TempDir()
	enginetest.Write(t, outside, "prompts/a/b/c/f_default.md", "x")
	if err := os.Symlink(outside, filepath.Join(dir, ".agent", "linked")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	got, err := Agents(p)
	want := strings.Fields("climpt iterator mine reviewer x")
	assert.NoError(t, err)
	assert.Equal(t, want, got)
}
