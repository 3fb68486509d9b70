package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/format/agentfile"
	"chant/engine/spec"
	"chant/markdown"
)

// ours returns the text of a file that init creates.
func ours(t *testing.T, name string) string {
	t.Helper()
	text, err := agentfile.Template(name)
	if err != nil {
		t.Fatal(err)
	}
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
		"claude":   {".mcp.json", "CLAUDE.md", ".claude/skills/chant/SKILL.md"},
		"codex":    {".codex/config.toml", "AGENTS.md", ".agents/skills/chant/SKILL.md"},
		"cursor":   {".cursor/mcp.json", "AGENTS.md"},
		"gemini":   {".gemini/settings.json", "GEMINI.md", ".agents/skills/chant/SKILL.md"},
		"opencode": {"opencode.json", "AGENTS.md", ".agents/skills/chant/SKILL.md"},
		"copilot":  {".github/mcp.json", "AGENTS.md", ".agents/skills/chant/SKILL.md"},
		"kiro":     {".kiro/settings/mcp.json", ".kiro/steering/chant.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := initialized(t)
			got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{name}})
			if err != nil || !slices.Equal(got.Made, want) || got.Commit == "" {
				t.Fatalf("made %q, want %q (%+v, %v)", got.Made, want, got, err)
			}
			for i, file := range want {
				text := []string{ours(t, name+filepath.Ext(want[0])), ours(t, "section.md"), ours(t, "skill.md")}[i]
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
			if err != nil || len(again.Made)+len(again.Changed) > 0 || again.Commit != "" || !slices.Contains(again.Left, want[0]) {
				t.Errorf("second init: %+v, %v", again, err)
			}
		})
	}
}

func TestInit_agentsAll(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	got, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"kiro", " all"}})
	if err != nil || len(got.Made) != 13 {
		t.Fatalf("%+v, %v", got, err)
	}
	if enginetest.Read(t, dir, ".mcp.json") != claudeFresh {
		t.Errorf(".mcp.json is not the contract's:\n%s", enginetest.Read(t, dir, ".mcp.json"))
	}
	if n := enginetest.Git(t, dir, "rev-list", "--count", before+"..HEAD"); n != "1" {
		t.Errorf("%s commits", n)
	}
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
	if enginetest.CodeOf(t, err) != engine.Usage || !strings.Contains(err.Error(), `"Cluade"`) || !strings.Contains(err.Error(), "codex, cursor, gemini, opencode, copilot, kiro, all") {
		t.Errorf("%v", err)
	}
	if !sameFiles(before, enginetest.Snapshot(t, dir)) {
		t.Error("something was written")
	}
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
			if enginetest.CodeOf(t, err) != tc.code || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
			if !sameFiles(before, enginetest.Snapshot(t, dir)) {
				t.Error("something was written")
			}
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
	if err != nil || !slices.Equal(got.Uncommitted, []string{".codex/config.toml", "AGENTS.md"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if listed := enginetest.Git(t, dir, "show", "--format=", "--name-only", "HEAD"); strings.Contains(listed, "codex") || strings.Contains(listed, "AGENTS.md") || !strings.Contains(listed, "GEMINI.md") {
		t.Errorf("committed %q", listed)
	}
	if text := enginetest.Read(t, dir, "AGENTS.md"); text != "# Ours\n\nNot done yet.\n\n"+ours(t, "section.md") {
		t.Errorf("AGENTS.md holds\n%s", text)
	}
	if status := enginetest.Git(t, dir, "status", "--porcelain"); status != "M AGENTS.md\n?? .codex/" {
		t.Errorf("status %q", status)
	}
}

func TestInit_agentsSilent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	enginetest.Git(t, dir, "init", "-q", "-b", "main")
	enginetest.Git(t, dir, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "begin")
	enginetest.Write(t, dir, "GEMINI.md", "# Mine\n")
	head := enginetest.Git(t, dir, "rev-parse", "HEAD")
	got, err := Init(t.Context(), dir, engine.Options{}, InitInput{Silent: true, Agents: []string{"claude"}})
	if err != nil || got.Commit != "" || !slices.Contains(got.Made, ".mcp.json") || !slices.Contains(got.Changed, "info/exclude") {
		t.Fatalf("%+v, %v", got, err)
	}
	// A silent project stays silent without the flag.
	got, err = Init(t.Context(), dir, engine.Options{}, InitInput{Agents: []string{"all"}})
	if err != nil || got.Commit != "" || len(got.Uncommitted) > 0 || !slices.Contains(got.Changed, "GEMINI.md") {
		t.Fatalf("%+v, %v", got, err)
	}
	if status := enginetest.Git(t, dir, "status", "--porcelain"); status != "?? GEMINI.md" || enginetest.Git(t, dir, "rev-parse", "HEAD") != head {
		t.Errorf("status %q", status)
	}
	exclude := enginetest.Read(t, dir, ".git/info/exclude")
	again, err := Init(t.Context(), dir, engine.Options{}, InitInput{Agents: []string{"all"}})
	if err != nil || len(again.Made)+len(again.Changed) > 0 || enginetest.Read(t, dir, ".git/info/exclude") != exclude {
		t.Errorf("second init: %+v, %v", again, err)
	}
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
	if enginetest.CodeOf(t, err) != engine.Conflict || !strings.Contains(err.Error(), `"CLAUDE.md"`) {
		t.Errorf("%v", err)
	}
	if !sameFiles(before, enginetest.Snapshot(t, dir)) {
		t.Error("something was written")
	}
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
	if err != nil || !slices.Equal(got.Changed, []string{"AGENTS.md"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if target, err := os.Readlink(filepath.Join(dir, "CLAUDE.md")); err != nil || target != "AGENTS.md" {
		t.Errorf("the link is %q, %v", target, err)
	}
	if text := enginetest.Read(t, dir, "AGENTS.md"); strings.Count(text, agentfile.SectionBegin) != 1 || enginetest.Git(t, dir, "status", "--porcelain") != "" {
		t.Errorf("AGENTS.md holds\n%s", text)
	}
	for _, target := range []string{t.TempDir(), "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, ".kiro")); err != nil {
			t.Fatal(err)
		}
		_, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"kiro"}})
		if enginetest.CodeOf(t, err) != engine.Conflict {
			t.Errorf("link to %q: %v", target, err)
		}
		if err := os.Remove(filepath.Join(dir, ".kiro")); err != nil {
			t.Fatal(err)
		}
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
			if _, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{want.agent}}); err != nil {
				t.Fatal(err)
			}
			if text := enginetest.Read(t, dir, want.file); text != want.opening+ours(t, "section.md") {
				t.Errorf("%s holds\n%s", want.file, text)
			}
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
	if err != nil || engine.Exists(filepath.Join(dir, "opencode.json")) || !slices.Contains(got.Changed, "opencode.jsonc") {
		t.Errorf("%+v, %v", got, err)
	}
	enginetest.Write(t, dir, "opencode.json", `{"mcp": {"chant": {"enabled": false}}}`)
	enginetest.Write(t, dir, "opencode.jsonc", "{}")
	got, err = Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"opencode"}})
	if err != nil || enginetest.Read(t, dir, "opencode.jsonc") != "{}" || !slices.Contains(got.Left, "opencode.json") {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestInit_agentsCommitRefused: if git refuses the commit, all changes are undone.
func TestInit_agentsCommitRefused(t *testing.T) {
	t.Parallel()
	p, dir := initialized(t)
	enginetest.Commit(t, dir, map[string]string{"CLAUDE.md": "# Team\n", ".gitattributes": "*.json filter=none\n"})
	enginetest.Git(t, dir, "config", "filter.none.clean", "exit 1")
	enginetest.Git(t, dir, "config", "filter.none.required", "true")
	_, err := Init(t.Context(), dir, p.Options, InitInput{Agents: []string{"claude"}})
	if enginetest.CodeOf(t, err) == "" {
		t.Fatal("the commit was made")
	}
	if enginetest.Read(t, dir, "CLAUDE.md") != "# Team\n" || enginetest.Git(t, dir, "status", "--porcelain") != "" {
		t.Errorf("status %q, CLAUDE.md holds\n%s", enginetest.Git(t, dir, "status", "--porcelain"), enginetest.Read(t, dir, "CLAUDE.md"))
	}
}

// TestAgentFiles_texts checks the size of the texts, which are part of every conversation, and the front matter that
// skills require.
func TestAgentFiles_texts(t *testing.T) {
	t.Parallel()
	if n := len(strings.Fields(ours(t, "section.md"))); n > 120 {
		t.Errorf("the section takes %d words", n)
	}
	doc, err := markdown.Parse("SKILL.md", []byte(ours(t, "skill.md")))
	if err != nil {
		t.Fatal(err)
	}
	var front struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
	}
	if err := doc.Decode(&front); err != nil || front.Name != "chant" || front.Description == "" || len(front.Description) > 1024 {
		t.Errorf("%+v, %v", front, err)
	}
	if bytes.Contains(doc.Bytes(), []byte("\r")) || spec.ValidName(front.Name) != nil {
		t.Error("the skill has a bad name or line ends")
	}
}
