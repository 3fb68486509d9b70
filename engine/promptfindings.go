package engine

import (
	"errors"
	"fmt"
	"slices"

	"chant/engine/lint"
	"chant/engine/prompt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// promptFindings are promptFaults as lint has them.
func (e *Engine) promptFindings() []lint.Finding {
	sev := e.config.lintSettings().Of(lint.PromptRule)
	if sev == lint.Off {
		return nil
	}
	found := e.promptFaults()
	for i := range found {
		found[i].Severity = sev
	}
	return found
}

// promptFaults are what is wrong with the project's prompts, with what can be put behind
// them, and with those that its settings name: errors, and warnings of what only is not filled in.
func (e *Engine) promptFaults() []lint.Finding {
	var out []lint.Finding
	add := func(path string, line int, text string) {
		out = append(out, lint.Finding{Rule: lint.PromptRule, Severity: lint.Error, Path: path, Line: line, Message: text})
	}
	names, err := e.ownPrompts()
	if err != nil {
		add(store.PromptsDir, 1, err.Error())
	}
	for _, name := range names {
		out = append(out, e.faultsOfPrompt(name)...)
	}
	if _, err := e.promptText(e.config.Defaults.Prompt); err != nil && !hasFault(out, err) {
		add(store.ConfigPath, e.config.line("defaults", "prompt"), err.Error())
	}
	names, err = e.documents(extensionsDir)
	if err != nil {
		add(extensionsDir, 1, err.Error())
	}
	for _, name := range names {
		if spec.ValidName(name) == nil {
			out = append(out, e.faultsOfExtension(name)...)
		}
	}
	for _, name := range e.config.Defaults.Extensions {
		if _, err := e.extension(name); err != nil && !slices.Contains(names, name) {
			add(store.ConfigPath, e.config.line("defaults", "prompt_extensions", name), err.Error())
		}
	}
	return out
}

// faultsOfPrompt tells what is wrong with one prompt, by line.
func (e *Engine) faultsOfPrompt(name string) []lint.Finding {
	p, err := e.findPrompt(name, false)
	if err == nil {
		_, err = e.promptText(name)
	}
	return faultsIn(store.PromptsDir+"/"+name+".md", p, err)
}

// faultsOfExtension tells what is wrong with what can be put behind a prompt, by line.
func (e *Engine) faultsOfExtension(name string) []lint.Finding {
	p, err := e.findExtension(name)
	return faultsIn(extensionsDir+"/"+name+".md", p, err)
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
		f.Message = fmt.Sprintf("{{%s}} is no variable and stays as it is", use.Name)
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
