// Package agentfile knows which files of a repository each agent CLI reads, and how chant is added to them: MCP configs
// in JSON and TOML, instructions and skills.
//
// It is pure: it composes the new content of a file from the present one. `init` reads,
// writes and commits.
//
// # Rules
//
//   - What is in a file stays byte for byte: other servers, comments, order, line
//     ends. A server called chant stays as it is, even if a person wrote it.
//   - A file that cannot be parsed is refused with its line, never repaired.
//
// # Decisions
//
// 2026-11-20: our table is appended to a TOML file as text, and the result is parsed again.
// Rejected: writing the file from the parsed values, which loses comments and layout.
package agentfile

import (
	"embed"
	"strings"

	"chant/markdown"
)

// agentFiles contains what init writes for agents: for each CLI the config file
// of a project without one, a section of instructions and skills.
//
//go:embed files
var agentFiles embed.FS

// Agent is a CLI with the files that it reads in a project.
type Agent struct {
	Name     string
	Config   string // file of its MCP servers
	Variant  string // read in addition to Config, "" for none
	Merge    Merger // adds our server to Config
	Guide    string // file of its instructions
	Skills   string // folder of skills, "" if it reads none
	Commands string // folder of commands, for a CLI that reads them and no skills
	Trusts   string // the setting with which it calls our tools without asking, "" for none
	Strict   bool   // it refuses a config with comments or trailing commas
}

// The files that several agents read.
const (
	ClaudeGuide  = "CLAUDE.md"
	OpenGuide    = "AGENTS.md"
	claudeSkills = ".claude/skills/"
	openSkills   = ".agents/skills/"
	agentsFolder = "files/"
)

// All lists the CLIs that can be set up, in the order of the help text. Each reads these files without
// further settings; several ask once whether to trust the folder.
func All() []Agent {
	return []Agent{
		{Name: "claude", Config: ".mcp.json", Merge: MergeJSON, Guide: ClaudeGuide, Skills: claudeSkills, Strict: true},
		{Name: "codex", Config: ".codex/config.toml", Merge: mergeTOML, Guide: OpenGuide, Skills: openSkills, Trusts: "default_tools_approval_mode"},
		{Name: "cursor", Config: ".cursor/mcp.json", Merge: MergeJSON, Guide: OpenGuide, Commands: ".cursor/commands/"},
		{Name: "gemini", Config: ".gemini/settings.json", Merge: MergeJSON, Guide: "GEMINI.md", Skills: openSkills, Trusts: "trust"},
		{Name: "opencode", Config: "opencode.json", Variant: "opencode.jsonc", Merge: MergeJSON, Guide: OpenGuide, Skills: openSkills},
		{Name: "copilot", Config: ".github/mcp.json", Merge: MergeJSON, Guide: OpenGuide, Skills: openSkills},
		{Name: "kiro", Config: ".kiro/settings/mcp.json", Merge: MergeJSON, Guide: ".kiro/steering/chant.md"},
	}
}

// Template returns a shipped file: NAME.json, NAME.toml, section.md, or skill.md, plan.md and spec.md, which are skills.
func Template(name string) ([]byte, error) { return agentFiles.ReadFile(agentsFolder + name) }

// Instructions returns the text of a skill without its front matter.
func Instructions(name string) (string, error) {
	src, err := Template(name)
	if err != nil {
		return "", err
	}
	doc, err := markdown.Parse(name, src)
	if err != nil {
		return "", err
	}
	return string(doc.Body()), nil
}

// Text is a file that init writes if there is none.
type Text struct {
	Path    string
	Content []byte
}

// Texts returns the skills of a CLI. One that reads no skills has those as commands that begin something; what a spec is, its
// instructions say.
func (a Agent) Texts() ([]Text, error) {
	var out []Text
	for _, skill := range []struct{ name, file string }{{"chant", "skill.md"}, {"chant-plan", "plan.md"}, {"chant-spec", "spec.md"}} {
		switch {
		case a.Skills != "":
			text, err := Template(skill.file)
			if err != nil {
				return nil, err
			}
			out = append(out, Text{a.Skills + skill.name + "/SKILL.md", text})
		case a.Commands != "" && skill.name != "chant":
			text, err := Instructions(skill.file)
			if err != nil {
				return nil, err
			}
			out = append(out, Text{a.Commands + skill.name + ".md", []byte(text)})
		}
	}
	return out, nil
}

// Template returns the CLI's config for a project without one.
func (a Agent) Template() ([]byte, error) {
	if strings.HasSuffix(a.Config, ".toml") {
		return Template(a.Name + ".toml")
	}
	return Template(a.Name + ".json")
}

// Merger adds our content to that of a file, nil without a file. Everything else stays byte for byte; it returns
// the same content if nothing is missing. Errors: *FileError.
type Merger func(name string, have, ours []byte) ([]byte, error)
