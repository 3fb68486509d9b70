package setup

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/format/agentfile"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/engine/verify/gate"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestInit_isIdempotent(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	again, err := Init(t.Context(), dir, p.Options, InitInput{})
	assert.NoError(t, err)
	assert.Zero(t, again.Made)
	assert.Zero(t, again.Changed)
	assert.Equal(t, "", again.Commit)
	changed, err := Init(t.Context(), dir, p.Options, InitInput{Model: "m1"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(changed.Changed))
	assert.NotEqual(t, "", changed.Commit)
	c, err := config.ReadConfig(dir, nil)
	assert.NoError(t, err)
	assert.Equal(t, "m1", c.Defaults.Model)
	assert.Equal(t, "shell", c.Defaults.Provider)
	assert.Equal(t, "main", c.Defaults.MainBranch)
}

// ours returns the text of a file that init creates.
func ours(t *testing.T, name string) string {
	t.Helper()
	text, err := agentfile.Template(name)
	assert.NoError(t, err)
	return string(text)
}

const claudeFresh = `{
  "mcpServers": {
    "chant": {
      "type": "stdio",
      "command": "chant",
      "args": ["mcp"]
    }
  }
}
`

func TestInit_agents(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"claude":   {".mcp.json", "CLAUDE.md", ".claude/skills/chant/SKILL.md", ".claude/skills/chant-plan/SKILL.md", ".claude/skills/chant-spec/SKILL.md"},
		"codex":    {".codex/config.toml", "AGENTS.md", ".agents/skills/chant/SKILL.md", ".agents/skills/chant-plan/SKILL.md", ".agents/skills/chant-spec/SKILL.md"},
		"cursor":   {".cursor/mcp.json", "AGENTS.md", ".cursor/commands/chant-plan.md", ".cursor/commands/chant-spec.md"},
		"gemini":   {".gemini/settings.json", "GEMINI.md", ".agents/skills/chant/SKILL.md", ".agents/skills/chant-plan/SKILL.md", ".agents/skills/chant-spec/SKILL.md"},
		"opencode": {"opencode.json", "AGENTS.md", ".agents/skills/chant/SKILL.md", ".agents/skills/chant-plan/SKILL.md", ".agents/skills/chant-spec/SKILL.md"},
		"copilot":  {".github/mcp.json", "AGENTS.md", ".agents/skills/chant/SKILL.md", ".agents/skills/chant-plan/SKILL.md", ".agents/skills/chant-spec/SKILL.md"},
		"kiro":     {".kiro/settings/mcp.json", ".kiro/steering/chant.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := initialized(t)
			got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{name}})
			assert.NoError(t, err)
			assert.Equal(t, want, got.Made)
			assert.NotEqual(t, "", got.Commit)
			for i, file := range want {
				text := []string{ours(t, name+filepath.Ext(want[0])), ours(t, "section.md"), ours(t, "skill.md"), ours(t, "plan.md"), ours(t, "spec.md")}[i]
				if name == "cursor" && i > 1 {
					// Its commands are skills without front matter.
					_, text, _ = strings.Cut([]string{ours(t, "plan.md"), ours(t, "spec.md")}[i-2], "\n---\n")
				}
				if enginetest.Read(t, dir, file) != text {
					t.Errorf("%s holds\n%s", file, enginetest.Read(t, dir, file))
				}
			}
			listed := strings.Fields(enginetest.Git(t, dir, "show", "--format=", "--name-only", "HEAD"))
			slices.Sort(want)
			if !slices.Equal(listed, want) || enginetest.Git(t, dir, "status", "--porcelain") != "" {
				t.Errorf("committed %q, status %q", listed, enginetest.Git(t, dir, "status", "--porcelain"))
			}
			again, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{name}})
			assert.NoError(t, err)
			assert.True(t, len(again.Made)+len(again.Changed) <= 0, "second init: %+v, %v", again, err)
			assert.Equal(t, "", again.Commit)
			assert.SliceContains(t, again.Left, want[0])
		})
	}
}

func TestInit_agentsAll(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"kiro", " all"}})
	assert.NoError(t, err, "%+v", got)
	assert.Equal(t, 19, len(got.Made), "%+v", got)
	if enginetest.Read(t, dir, ".mcp.json") != claudeFresh {
		t.Errorf(".mcp.json is not the contract's:\n%s", enginetest.Read(t, dir, ".mcp.json"))
	}
	assert.Equal(t, "1", enginetest.Git(t, dir, "rev-list", "--count", before+"..HEAD"))
	if strings.Count(enginetest.Read(t, dir, "AGENTS.md"), agentfile.SectionBegin) != 1 {
		t.Errorf("AGENTS.md holds\n%s", enginetest.Read(t, dir, "AGENTS.md"))
	}
}

// TestInit_agentsUnknown: an unknown agent is refused, the known ones are listed, and nothing is changed.
func TestInit_agentsUnknown(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	before := enginetest.Snapshot(t, dir)
	_, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"claude", "Cluade"}})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), `"Cluade"`)
	assert.Contains(t, err.Error(), "codex, cursor, gemini, opencode, copilot, kiro, all")
	assert.True(t, sameFiles(before, enginetest.Snapshot(t, dir)), "something was written")
}

func sameFiles(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if other, ok := b[name]; !ok || other != text {
			return false
		}
	}
	return true
}

// TestInit_agentsBroken: a file that cannot be edited is found before anything is written, in a project and in a
// repository without one.
func TestInit_agentsBroken(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		file, text, want string
		code             engine.Code
	}{
		"json":         {".mcp.json", "{\n  \"a\": 1,,\n}\n", ".mcp.json:2: ", engine.Invalid},
		"cut":          {".cursor/mcp.json", "{\n  \"mcpServers\": {\n", ".cursor/mcp.json:3: ", engine.Invalid},
		"top":          {"opencode.json", "[1]", "opencode.json:1: ", engine.Invalid},
		"list":         {".gemini/settings.json", "{\n\"mcpServers\": null}", ".gemini/settings.json:2: ", engine.Invalid},
		"toml":         {".codex/config.toml", "a = 1\n[broken\n", ".codex/config.toml:2: ", engine.Invalid},
		"inline":       {".codex/config.toml", "mcp_servers = { a = {} }\n", ".codex/config.toml:1: ", engine.Invalid},
		"marker":       {"GEMINI.md", "# A\n\n<!-- chant:begin -->\n", "GEMINI.md:3: ", engine.Invalid},
		"UTF-16":       {"CLAUDE.md", "a\n\xff\xfea\x00", "CLAUDE.md:2: ", engine.Invalid},
		"large":        {"AGENTS.md", strings.Repeat("words\n", maxAgentFile/5), "too large", engine.Invalid},
		"folder":       {"AGENTS.md/x", "", "in the way", engine.Conflict},
		"no folder":    {".github", "a file", "in the way", engine.Conflict},
		"bottomless":   {".mcp.json", "\n" + strings.Repeat("[", maxAgentFile-1), ".mcp.json:2: ", engine.Invalid},
		"deep nesting": {".codex/config.toml", "a = " + strings.Repeat("[", 1000), ".codex/config.toml:1: ", engine.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			enginetest.Git(t, dir, "init", "-q", "-b", "main")
			enginetest.Git(t, dir, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "begin")
			enginetest.Write(t, dir, tc.file, tc.text)
			before := enginetest.Snapshot(t, dir)
			_, err := Init(t.Context(), dir, engine.Options{}, InitInput{Agents: []string{"all"}})
			assert.Equal(t, tc.code, enginetest.CodeOf(t, err))
			assert.Contains(t, err.Error(), tc.want)
			assert.True(t, sameFiles(before, enginetest.Snapshot(t, dir)), "something was written")
		})
	}
}

// TestInit_agentsOwned: a person's uncommitted changes are not committed.
func TestInit_agentsOwned(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	enginetest.Commit(t, dir, map[string]string{"AGENTS.md": "# Ours\n", "GEMINI.md": "# Clean\n"})
	enginetest.Write(t, dir, "AGENTS.md", "# Ours\n\nNot done yet.\n")
	enginetest.Write(t, dir, ".codex/config.toml", "model = \"x\"\n")
	got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"codex", "gemini"}})
	assert.NoError(t, err)
	assert.Equal(t, []string{".codex/config.toml", "AGENTS.md"}, got.Uncommitted)
	listed := enginetest.Git(t, dir, "show", "--format=", "--name-only", "HEAD")
	assert.NotContains(t, listed, "codex")
	assert.NotContains(t, listed, "AGENTS.md")
	assert.Contains(t, listed, "GEMINI.md")
	text := enginetest.Read(t, dir, "AGENTS.md")
	assert.Equal(t, "# Ours\n\nNot done yet.\n\n"+ours(t, "section.md"), text)
	assert.Equal(t, "M AGENTS.md\n?? .codex/", enginetest.Git(t, dir, "status", "--porcelain"))
}

func TestInit_agentsSilent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Git(t, dir, "init", "-q", "-b", "main")
	enginetest.Git(t, dir, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "begin")
	enginetest.Write(t, dir, "GEMINI.md", "# Mine\n")
	head := enginetest.Git(t, dir, "rev-parse", "HEAD")
	got, err := Init(t.Context(), dir, engine.Options{}, InitInput{Silent: true, Agents: []string{"claude"}})
	assert.NoError(t, err)
	assert.Equal(t, "", got.Commit)
	assert.SliceContains(t, got.Made, ".mcp.json")
	assert.SliceContains(t, got.Changed, "info/exclude")
	// A silent project stays silent without the flag.
	got, err = Init(t.Context(), dir, engine.Options{}, InitInput{Agents: []string{"all"}})
	assert.NoError(t, err)
	assert.Equal(t, "", got.Commit)
	assert.Zero(t, got.Uncommitted)
	assert.SliceContains(t, got.Changed, "GEMINI.md")
	status := enginetest.Git(t, dir, "status", "--porcelain")
	assert.Equal(t, "?? GEMINI.md", status)
	assert.Equal(t, head, enginetest.Git(t, dir, "rev-parse", "HEAD"))
	exclude := enginetest.Read(t, dir, ".git/info/exclude")
	again, err := Init(t.Context(), dir, engine.Options{}, InitInput{Agents: []string{"all"}})
	assert.NoError(t, err, "second init: %+v", again)
	assert.True(t, len(again.Made)+len(again.Changed) <= 0, "second init: %+v, %v", again, err)
	assert.Equal(t, exclude, enginetest.Read(t, dir, ".git/info/exclude"), "second init: %+v", again)
}

// TestInit_agentsSilentTracked: in silent mode, a change that git would show is refused.
func TestInit_agentsSilentTracked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Git(t, dir, "init", "-q", "-b", "main")
	enginetest.Git(t, dir, "config", "user.name", "Ada")
	enginetest.Git(t, dir, "config", "user.email", "ada@example.com")
	enginetest.Commit(t, dir, map[string]string{"CLAUDE.md": "# Team\n"})
	before := enginetest.Snapshot(t, dir)
	_, err := Init(t.Context(), dir, engine.Options{}, InitInput{Silent: true, Agents: []string{"all"}})
	assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), `"CLAUDE.md"`)
	assert.True(t, sameFiles(before, enginetest.Snapshot(t, dir)), "something was written")
}

// TestInit_agentsLinks: the file to which a link leads is written once, and a link that leaves the repository is
// refused.
func TestInit_agentsLinks(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	enginetest.Write(t, dir, "AGENTS.md", "# Ours\n")
	if err := os.Symlink("AGENTS.md", filepath.Join(dir, "CLAUDE.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	enginetest.Git(t, dir, "add", ".")
	enginetest.Git(t, dir, "commit", "-q", "-m", "link")
	got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"claude", "codex"}})
	assert.NoError(t, err)
	assert.Equal(t, []string{"AGENTS.md"}, got.Changed)
	target, err := os.Readlink(filepath.Join(dir, "CLAUDE.md"))
	assert.NoError(t, err)
	assert.Equal(t, "AGENTS.md", target)
	text := enginetest.Read(t, dir, "AGENTS.md")
	assert.Equal(t, 1, strings.Count(text, agentfile.SectionBegin))
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
	for _, target := range []string{t.TempDir(), "nowhere"} {
		assert.NoError(t, os.Symlink(target, filepath.Join(dir, ".kiro")))
		_, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"kiro"}})
		assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err), "link to %q", target)
		assert.NoError(t, os.Remove(filepath.Join(dir, ".kiro")))
	}
}

// TestInit_agentsHiddenGuide: a new file of instructions points to existing ones that it would hide.
func TestInit_agentsHiddenGuide(t *testing.T) {
	t.Parallel()
	for has, want := range map[string]struct{ agent, file, opening string }{
		"AGENTS.md": {"claude", "CLAUDE.md", "@AGENTS.md\n\n"},
		"CLAUDE.md": {"opencode", "AGENTS.md", "Read CLAUDE.md too: it holds instructions for this repository.\n\n"},
	} {
		p, dir := initialized(t)
		enginetest.Write(t, dir, has, "# Rules\n")
		for range 2 {
			_, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{want.agent}})
			assert.NoError(t, err)
			text := enginetest.Read(t, dir, want.file)
			assert.Equal(t, want.opening+ours(t, "section.md"), text, "%s holds", want.file)
		}
		if enginetest.Read(t, dir, has) != "# Rules\n" {
			t.Errorf("%s holds\n%s", has, enginetest.Read(t, dir, has))
		}
	}
}

func TestInit_agentsVariant(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	enginetest.Write(t, dir, "opencode.jsonc", "{ /* mine */ }\n")
	got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"opencode"}})
	assert.NoError(t, err)
	assert.False(t, engine.Exists(filepath.Join(dir, "opencode.json")), "%+v, %v", got, err)
	assert.SliceContains(t, got.Changed, "opencode.jsonc")
	enginetest.Write(t, dir, "opencode.json", `{"mcp": {"chant": {"enabled": false}}}`)
	enginetest.Write(t, dir, "opencode.jsonc", "{}")
	got, err = Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"opencode"}})
	assert.NoError(t, err)
	assert.Equal(t, "{}", enginetest.Read(t, dir, "opencode.jsonc"))
	assert.SliceContains(t, got.Left, "opencode.json")
}

// TestInit_agentsCommitRefused: if git refuses the commit, all changes are undone.
func TestInit_agentsCommitRefused(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	enginetest.Commit(t, dir, map[string]string{"CLAUDE.md": "# Team\n", ".gitattributes": "*.json filter=none\n"})
	enginetest.Git(t, dir, "config", "filter.none.clean", "exit 1")
	enginetest.Git(t, dir, "config", "filter.none.required", "true")
	_, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"claude"}})
	assert.NotEqual(t, "", enginetest.CodeOf(t, err), "the commit was made")
	if enginetest.Read(t, dir, "CLAUDE.md") != "# Team\n" || enginetest.Git(t, dir, "status", "--porcelain") != "" {
		t.Errorf("status %q, CLAUDE.md holds\n%s", enginetest.Git(t, dir, "status", "--porcelain"), enginetest.Read(t, dir, "CLAUDE.md"))
	}
}

// TestAgentFiles_texts checks the size of the texts, which are part of every conversation, and the front matter that
// skills require.
func TestAgentFiles_texts(t *testing.T) {
	t.Parallel()
	n := len(strings.Fields(ours(t, "section.md")))
	assert.True(t, n <= 120, "the section takes %d words", n)
	for file, name := range map[string]string{"skill.md": "chant", "plan.md": "chant-plan", "spec.md": "chant-spec"} {
		doc, err := markdown.Parse("SKILL.md", []byte(ours(t, file)))
		assert.NoError(t, err)
		var front struct {
			Name        string `yaml:"name"`
			Description string `yaml:"description"`
		}
		err = doc.Decode(&front)
		assert.NoError(t, err)
		assert.Equal(t, name, front.Name)
		assert.NotEqual(t, "", front.Description)
		assert.True(t, len(front.Description) <= 1024, "%+v, %v", front, err)
		assert.False(t, bytes.Contains(doc.Bytes(), []byte("\r")), "%s has line ends of Windows", file)
		assert.NoError(t, spec.ValidName(front.Name), "%s has a bad name", file)
	}
}

// read returns a file below a folder, "" if there is none.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	assert.False(t, err != nil && !os.IsNotExist(err), "%v", err)
	return string(text)
}

// TestInit_verify writes commands into new settings and into those that exist, where everything else stays.
func TestInit_verify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	o := enginetest.Options()
	_, err := Init(t.Context(), dir, o, InitInput{Provider: "shell", NoTry: true, Verify: []string{" go test ./... ", "make", "make"}})
	assert.NoError(t, err)
	commands := func() (out []string) {
		c, err := config.ReadConfig(dir, nil)
		assert.NoError(t, err)
		for _, command := range c.Verify.Commands {
			out = append(out, command.Run)
		}
		return out
	}
	assert.Equal(t, []string{"go test ./...", "make"}, commands())
	enginetest.Write(t, dir, ".chant/config.md", "---\nverify: {retries: 2, defaults: [a]}\n---\nprose\n")
	r, err := Init(t.Context(), dir, o, InitInput{NoTry: true, Verify: []string{"b", "c"}})
	assert.NoError(t, err)
	assert.SliceContains(t, r.Changed, ".chant/config.md")
	assert.Equal(t, "---\nverify: {retries: 2, defaults: [b, c]}\n---\nprose\n", read(t, dir, ".chant/config.md"))
	// Comments and the form of other values stay, also those beside the edited ones.
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults:\n    # ours\n    provider: 'shell' # for now\n    main_branch: \"main\"\n\n# of all\nverify:\n  retries: 2 # twice\n---\n")
	_, err = Init(t.Context(), dir, o, InitInput{NoTry: true, Provider: "codex", Model: "m", Verify: []string{"b"}})
	assert.NoError(t, err)
	assert.Equal(t, "---\ndefaults:\n    # ours\n    provider: 'codex' # for now\n    main_branch: \"main\"\n    model: m\n\n# of all\nverify:\n  retries: 2 # twice\n  defaults:\n  - b\n---\n", read(t, dir, ".chant/config.md"))
	enginetest.Write(t, dir, ".chant/config.md", "---\nverify: go test\n---\n")
	_, err = Init(t.Context(), dir, o, InitInput{Verify: []string{"b"}})
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), "config.md:2: verify is not a mapping")
	for _, bad := range []string{"", "  ", "a\nb"} {
		_, err := Init(t.Context(), dir, o, InitInput{Verify: []string{bad}})
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%q", bad)
	}
}

func TestMergeRules(t *testing.T) {
	t.Parallel()
	ours := []byte("/a/\n/b/\n")
	for name, c := range map[string]struct{ have, want string }{
		"no file":          {"", "# Local state of chant\n/a/\n/b/\n"},
		"others":           {"x\n", "x\n\n# Local state of chant\n/a/\n/b/\n"},
		"no line end":      {"x", "x\n\n# Local state of chant\n/a/\n/b/\n"},
		"one is there":     {"/a/\n", "/a/\n\n# Local state of chant\n/b/\n"},
		"all are there":    {"/b/\n /a/ \n", "/b/\n /a/ \n"},
		"Windows' ends":    {"x\r\n/b/\r\n", "x\r\n/b/\r\n\r\n# Local state of chant\r\n/a/\r\n"},
		"a part of a name": {"/a/b\n", "/a/b\n\n# Local state of chant\n/a/\n/b/\n"},
	} {
		got, err := mergeRules(".gitignore", []byte(c.have), ours)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, string(got), "%s", name)
		again, err := mergeRules(".gitignore", got, ours)
		assert.NoError(t, err, "%s, again", name)
		assert.Equal(t, string(got), string(again), "%s, again", name)
	}
}

// TestInit_parts makes a CI job, rules and hooks, and nothing a second time.
func TestInit_parts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Repository(t, dir)
	enginetest.Write(t, dir, ".gitlab-ci.yml", "stages: [test]\n")
	o := enginetest.Options()
	var warned []string
	o.Progress = func(e engine.Event) { warned = append(warned, e.Text) }
	in := InitInput{Provider: "shell", GitIgnore: true, Hooks: true, CI: "gitlab"}
	r, err := Init(t.Context(), dir, o, in)
	assert.NoError(t, err)
	for _, want := range []string{".gitignore", ".gitlab/chant.yml", ".git/hooks/pre-push"} {
		assert.SliceContains(t, r.Made, want)
	}
	assert.SliceContains(t, r.Left, ".gitlab-ci.yml", "the file of a person: left")
	assert.Equal(t, "stages: [test]\n", read(t, dir, ".gitlab-ci.yml"), "the file of a person: left")
	for _, want := range []string{".gitlab-ci.yml: add .gitlab/chant.yml to the list include", "CHANT_RELEASES"} {
		if !slices.ContainsFunc(warned, func(text string) bool { return strings.Contains(text, want) }) {
			t.Errorf("%q is not among the warnings %q", want, warned)
		}
	}
	status, err := gate.HooksStatus(t.Context(), dir, o, gate.HooksInput{})
	assert.NoError(t, err)
	assert.False(t, slices.ContainsFunc(status.Hooks, func(h gate.HookView) bool { return h.State != gate.HookActive }), "%+v, %v", status, err)
	again, err := Init(t.Context(), dir, o, in)
	assert.NoError(t, err)
	assert.Zero(t, again.Made)
	assert.Zero(t, again.Changed)
	assert.Equal(t, "", again.Commit)
}

// TestInit_partsRefused changes nothing where a part cannot be made.
func TestInit_partsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in      InitInput
		prepare func(dir string)
		code    engine.Code
		words   string
	}{
		"an unknown system": {in: InitInput{CI: "jenkins"}, code: engine.Usage, words: `unknown CI system "jenkins" (one of github, gitlab)`},
		"a job for nothing": {in: InitInput{CI: "github", Silent: true}, code: engine.Usage, words: "git ignores the specs here"},
		"hooks of others": {in: InitInput{Hooks: true}, code: engine.State, words: "outside of this repository", prepare: func(dir string) {
			enginetest.Git(t, dir, "config", "core.hooksPath", filepath.Join(filepath.Dir(dir), "hooks"))
		}},
	} {
		dir := filepath.Join(t.TempDir(), "repo")
		assert.NoError(t, os.Mkdir(dir, 0o755))
		enginetest.Repository(t, dir)
		if c.prepare != nil {
			c.prepare(dir)
		}
		c.in.Provider = "shell"
		_, err := Init(t.Context(), dir, enginetest.Options(), c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
		assert.Contains(t, err.Error(), c.words, "%s", name)
		assert.False(t, engine.Exists(filepath.Join(dir, ".chant")), "%s: something was made", name)
		assert.False(t, engine.Exists(filepath.Join(dir, ".github")), "%s: something was made", name)
	}
}

// TestInit_try runs what every spec must pass, and leaves a project also if that is stopped or git ignores .chant.
func TestInit_try(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in     InitInput
		stop   bool // as soon as the commands are tried
		tried  int
		warned string
	}{
		"passes":  {InitInput{Provider: "shell", Verify: []string{"test -e kept.txt", "exit 3"}}, false, 2, ""},
		"silent":  {InitInput{Provider: "shell", Silent: true, Verify: []string{"test -e kept.txt"}}, false, 1, ""},
		"stopped": {InitInput{Provider: "shell", Verify: []string{"sleep 600"}}, true, 0, "were not tried to the end: stopped"},
		"not now": {InitInput{Provider: "shell", NoTry: true, Verify: []string{"exit 3"}}, false, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			enginetest.Repository(t, dir)
			enginetest.Commit(t, dir, map[string]string{"kept.txt": "x\n"})
			enginetest.Write(t, dir, "left.txt", "not committed\n")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			o := enginetest.Options()
			o.Environ = append(o.Environ, "XDG_CACHE_HOME="+t.TempDir())
			var warned []string
			o.Progress = func(e engine.Event) {
				if warned = append(warned, e.Text); tc.stop && strings.HasPrefix(e.Text, "trying ") {
					cancel()
				}
			}
			r, err := Init(ctx, dir, o, tc.in)
			assert.NoError(t, err, "%+v", r)
			assert.Equal(t, tc.tried, len(r.Tried), "%+v", r)
			assert.NotEqual(t, "", read(t, dir, ".chant/config.md"), "%+v", r)
			for i, got := range r.Tried {
				want := tc.in.Verify[i] != "exit 3"
				assert.Equal(t, want, got.Passed, "%+v, want passed", got)
			}
			assert.Contains(t, strings.Join(warned, "\n"), tc.warned)
		})
	}
}
