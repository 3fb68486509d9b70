package engine

import (
	"embed"
	"slices"
	"strings"
)

// agentFiles holds what init writes for agents: for each CLI the whole config
// file of a project that has none, one section of instructions and one skill.
//
//go:embed agentfiles
var agentFiles embed.FS

// agent is one CLI and the files in a project that it reads.
type agent struct {
	name    string
	config  string // of its MCP servers
	variant string // read beside config, "" for none
	merge   merger // the way into config
	guide   string // of its instructions
	skill   string // "" where it reads none
}

// The files that several agents read.
const (
	claudeGuide  = "CLAUDE.md"
	openGuide    = "AGENTS.md"
	claudeSkill  = ".claude/skills/chant/SKILL.md"
	openSkill    = ".agents/skills/chant/SKILL.md"
	allAgents    = "all"
	agentsFolder = "agentfiles/"
)

// agents lists the CLIs that can be set up, in the order of the help text. Each
// reads these files by itself; several ask once whether the folder is trusted.
func agents() []agent {
	return []agent{
		{name: "claude", config: ".mcp.json", merge: mergeJSON, guide: claudeGuide, skill: claudeSkill},
		{name: "codex", config: ".codex/config.toml", merge: mergeTOML, guide: openGuide, skill: openSkill},
		{name: "cursor", config: ".cursor/mcp.json", merge: mergeJSON, guide: openGuide},
		{name: "gemini", config: ".gemini/settings.json", merge: mergeJSON, guide: "GEMINI.md", skill: openSkill},
		{name: "opencode", config: "opencode.json", variant: "opencode.jsonc", merge: mergeJSON, guide: openGuide, skill: openSkill},
		{name: "copilot", config: ".github/mcp.json", merge: mergeJSON, guide: openGuide, skill: openSkill},
		{name: "kiro", config: ".kiro/settings/mcp.json", merge: mergeJSON, guide: ".kiro/steering/chant.md"},
	}
}

// chosenAgents are those that the words name, each once and in the order of the
// table, whatever that of the words. Error: Usage for a word that is none.
func chosenAgents(words []string) ([]agent, error) {
	table := agents()
	known := make([]string, 0, len(table)+1)
	for _, a := range table {
		known = append(known, a.name)
	}
	known = append(known, allAgents)
	asked := map[string]bool{}
	for _, word := range words {
		word = strings.TrimSpace(word)
		if !slices.Contains(known, word) {
			return nil, fail(Usage, "chant init --agent "+allAgents, "agent %q cannot be set up (one of %s)", word, strings.Join(known, ", "))
		}
		asked[word] = true
	}
	return slices.DeleteFunc(table, func(a agent) bool { return !asked[allAgents] && !asked[a.name] }), nil
}

// template is the text of a file of ours.
func template(name string) ([]byte, error) { return agentFiles.ReadFile(agentsFolder + name) }

// template is the file that a CLI's config would be in a project without one.
func (a agent) template() ([]byte, error) {
	if strings.HasSuffix(a.config, ".toml") {
		return template(a.name + ".toml")
	}
	return template(a.name + ".json")
}
