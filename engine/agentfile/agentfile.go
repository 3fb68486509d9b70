// Package agentfile knows what each agent CLI reads from a repository, and how chant's
// words get into those files: MCP configs in JSON and TOML, instructions, skills.
//
// It is pure: it composes the new content of a file from what it holds. Reading,
// writing and committing are init's.
//
// # Rules
//
//   - What is in a file stays byte for byte: other servers, comments, order, line
//     ends. A server called chant stays as it is, whoever wrote it.
//   - A file that cannot be read is refused with its line, never mended.
//
// # Decisions
//
// 2026-11-20: our table is appended to a TOML file as text and the whole read again.
// Rejected: writing the file anew from a parser, which loses comments and layout.
package agentfile

import (
	"embed"
	"strings"
)

// agentFiles holds what init writes for agents: for each CLI the whole config
// file of a project that has none, one section of instructions and one skill.
//
//go:embed files
var agentFiles embed.FS

// Agent is one CLI and the files in a project that it reads.
type Agent struct {
	Name    string
	Config  string // of its MCP servers
	Variant string // read beside config, "" for none
	Merge   Merger // the way into config
	Guide   string // of its instructions
	Skill   string // "" where it reads none
	Trusts  string // the setting of ours that lets it call our tools without asking, "" for none
	Strict  bool   // it refuses a config that is no plain JSON
}

// The files that several agents read.
const (
	ClaudeGuide  = "CLAUDE.md"
	OpenGuide    = "AGENTS.md"
	claudeSkill  = ".claude/skills/chant/SKILL.md"
	openSkill    = ".agents/skills/chant/SKILL.md"
	agentsFolder = "files/"
)

// All lists the CLIs that can be set up, in the order of the help text. Each
// reads these files by itself; several ask once whether the folder is trusted.
func All() []Agent {
	return []Agent{
		{Name: "claude", Config: ".mcp.json", Merge: mergeJSON, Guide: ClaudeGuide, Skill: claudeSkill, Strict: true},
		{Name: "codex", Config: ".codex/config.toml", Merge: mergeTOML, Guide: OpenGuide, Skill: openSkill, Trusts: "default_tools_approval_mode"},
		{Name: "cursor", Config: ".cursor/mcp.json", Merge: mergeJSON, Guide: OpenGuide},
		{Name: "gemini", Config: ".gemini/settings.json", Merge: mergeJSON, Guide: "GEMINI.md", Skill: openSkill, Trusts: "trust"},
		{Name: "opencode", Config: "opencode.json", Variant: "opencode.jsonc", Merge: mergeJSON, Guide: OpenGuide, Skill: openSkill},
		{Name: "copilot", Config: ".github/mcp.json", Merge: mergeJSON, Guide: OpenGuide, Skill: openSkill},
		{Name: "kiro", Config: ".kiro/settings/mcp.json", Merge: mergeJSON, Guide: ".kiro/steering/chant.md"},
	}
}

// Template is the text of a file of ours: NAME.json, NAME.toml, section.md or
// skill.md.
func Template(name string) ([]byte, error) { return agentFiles.ReadFile(agentsFolder + name) }

// Template is the file that a CLI's config would be in a project without one.
func (a Agent) Template() ([]byte, error) {
	if strings.HasSuffix(a.Config, ".toml") {
		return Template(a.Name + ".toml")
	}
	return Template(a.Name + ".json")
}

// Merger composes the new content of a file from what it holds (nil without a
// file) and ours. Everything it did not have to add stays byte for byte; the same
// content back means that nothing is missing. Errors: *FileError.
type Merger func(name string, have, ours []byte) ([]byte, error)
