package linter

import (
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/agent"
	"chant/engine/lint"
	"chant/engine/prompt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// promptFindings are promptFaults as lint has them.
func promptFindings(p *engine.Project) []lint.Finding {
	sev := p.Config.LintSettings().Of(lint.PromptRule)
	if sev == lint.Off {
		return nil
	}
	found := PromptFaults(p)
	for i := range found {
		found[i].Severity = sev
	}
	return found
}

// PromptFaults are what is wrong with the project's prompts, with what can be put behind
// them, and with those that its settings name: errors, and warnings of what only is not filled in.
func PromptFaults(p *engine.Project) []lint.Finding {
	var out []lint.Finding
	add := func(path string, line int, text string) {
		out = append(out, lint.Finding{Rule: lint.PromptRule, Severity: lint.Error, Path: path, Line: line, Message: text})
	}
	names, err := agent.OwnPrompts(p)
	if err != nil {
		add(store.PromptsDir, 1, err.Error())
	}
	for _, name := range names {
		out = append(out, faultsOfPrompt(p, name)...)
	}
	if _, err := agent.PromptText(p, p.Config.Defaults.Prompt); err != nil && !hasFault(out, err) {
		add(store.ConfigPath, p.Config.Line("defaults", "prompt"), err.Error())
	}
	names, err = agent.Documents(p, agent.ExtensionsDir)
	if err != nil {
		add(agent.ExtensionsDir, 1, err.Error())
	}
	for _, name := range names {
		if spec.ValidName(name) == nil {
			out = append(out, faultsOfExtension(p, name)...)
		}
	}
	for _, name := range p.Config.Defaults.Extensions {
		if _, err := agent.Extension(p, name); err != nil && !slices.Contains(names, name) {
			add(store.ConfigPath, p.Config.Line("defaults", "prompt_extensions", name), err.Error())
		}
	}
	return out
}

// faultsOfPrompt tells what is wrong with one prompt, by line.
func faultsOfPrompt(project *engine.Project, name string) []lint.Finding {
	p, err := agent.FindPrompt(project, name, false)
	if err == nil {
		_, err = agent.PromptText(project, name)
	}
	return faultsIn(store.PromptsDir+"/"+name+".md", p, err)
}

// faultsOfExtension tells what is wrong with what can be put behind a prompt, by line.
func faultsOfExtension(project *engine.Project, name string) []lint.Finding {
	p, err := agent.FindExtension(project, name)
	return faultsIn(agent.ExtensionsDir+"/"+name+".md", p, err)
}

// faultsIn tells why the file of a prompt cannot be used, and what it does not fill in.
func faultsIn(path string, p prompt.Prompt, err error) []lint.Finding {
	f := lint.Finding{Rule: lint.PromptRule, Severity: lint.Error, Path: path, Line: 1}
	var out []lint.Finding
	if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		f.Path, f.Line, f.Message = syntax.Path, syntax.Line, syntax.Msg
		out = append(out, f)
	} else if err != nil {
		f.Message = err.Error()
		out = append(out, f)
	}
	for _, use := range p.Unknown() {
		f.Severity, f.Path, f.Line = lint.Warning, path, use.Line
		f.Message = fmt.Sprintf("{{%s}} is not a variable and stays as it is", use.Name)
		out = append(out, f)
	}
	return out
}

// hasFault reports whether a prompt's error was told where it stands.
func hasFault(found []lint.Finding, err error) bool {
	syntax, ok := errors.AsType[*markdown.SyntaxError](err)
	for _, f := range found {
		if f.Message == err.Error() || ok && f.Path == syntax.Path && f.Line == syntax.Line {
			return true
		}
	}
	return false
}
