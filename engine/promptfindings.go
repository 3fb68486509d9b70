package engine

import (
	"errors"
	"fmt"

	"chant/engine/lint"
	"chant/engine/store"
	"chant/markdown"
)

// promptFindings are what is wrong with the project's prompts, and with those that its
// settings name.
func (e *Engine) promptFindings() []lint.Finding {
	settings := e.config.lintSettings()
	sev := settings.Of(lint.PromptRule)
	if sev == lint.Off {
		return nil
	}
	var out []lint.Finding
	add := func(path string, line int, text string) {
		out = append(out, lint.Finding{Rule: lint.PromptRule, Severity: sev, Path: path, Line: line, Message: text})
	}
	names, err := e.ownPrompts()
	if err != nil {
		add(store.PromptsDir, 1, err.Error())
	}
	for _, name := range names {
		e.promptFaults(name, add)
	}
	if _, err := e.promptText(e.config.Defaults.Prompt); err != nil && !hasFault(out, err) {
		add(store.ConfigPath, e.config.lines["defaults"], err.Error())
	}
	for _, name := range e.config.Defaults.Extensions {
		if _, err := e.extension(name); err != nil {
			add(store.ConfigPath, e.config.lines["defaults"], err.Error())
		}
	}
	return out
}

// promptFaults tells what is wrong with one prompt, by line.
func (e *Engine) promptFaults(name string, add func(path string, line int, text string)) {
	path := store.PromptsDir + "/" + name + ".md"
	p, err := e.findPrompt(name, false)
	if err == nil {
		_, err = p.Text(e.findPrompt)
	}
	if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		add(syntax.Path, syntax.Line, syntax.Msg)
	} else if err != nil {
		add(path, 1, err.Error())
	}
	for _, use := range p.Unknown() {
		add(path, use.Line, fmt.Sprintf("{{%s}} is no variable and stays as it is", use.Name))
	}
}

// hasFault reports whether a prompt's error was told where it stands.
func hasFault(found []lint.Finding, err error) bool {
	syntax, ok := errors.AsType[*markdown.SyntaxError](err)
	for _, f := range found {
		if ok && f.Path == syntax.Path && f.Line == syntax.Line {
			return true
		}
	}
	return false
}
