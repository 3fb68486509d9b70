package linter

import (
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/prompt/library"

	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/markdown"
)

// lintPrompts returns the findings of CheckPrompts with the severity that the settings give their rule.
func lintPrompts(p *engine.Project) []lint.Finding {
	sev := p.Config.LintSettings().SeverityOf(lint.PromptRule)
	if sev == lint.Off {
		return nil
	}
	found := CheckPrompts(p)
	for i := range found {
		found[i].Severity = sev
	}
	return found
}

// CheckPrompts checks the prompts of the project, its prompt extensions, and those that its settings name. It returns
// errors for those that cannot be used, and warnings for unknown variables.
func CheckPrompts(p *engine.Project) []lint.Finding {
	var out []lint.Finding
	add := func(path string, line int, text string) {
		out = append(out, lint.Finding{Rule: lint.PromptRule, Severity: lint.Error, Path: path, Line: line, Message: text})
	}
	names, err := prompt.List(p)
	if err != nil {
		add(store.PromptsDir, 1, err.Error())
	}
	for _, name := range names {
		out = append(out, checkPrompt(p, name)...)
	}
	if _, err := library.PromptText(p, p.Config.Defaults.Prompt); err != nil && !isReported(out, err) {
		add(store.ConfigPath, p.Config.Line("defaults", "prompt"), err.Error())
	}
	names, err = prompt.Documents(p, prompt.ExtensionsDir)
	if err != nil {
		add(prompt.ExtensionsDir, 1, err.Error())
	}
	for _, name := range names {
		if spec.ValidName(name) == nil {
			out = append(out, checkExtension(p, name)...)
		}
	}
	for _, name := range p.Config.Defaults.Extensions {
		if _, err := prompt.Extension(p, name); err != nil && !slices.Contains(names, name) {
			add(store.ConfigPath, p.Config.Line("defaults", "prompt_extensions", name), err.Error())
		}
	}
	return out
}

// checkPrompt returns the findings about one prompt.
func checkPrompt(project *engine.Project, name string) []lint.Finding {
	p, err := prompt.Find(project, name, false)
	if err == nil {
		_, err = prompt.Text(project, name)
	}
	return findingsOf(store.PromptsDir+"/"+name+".md", p, err)
}

// checkExtension returns the findings about one prompt extension.
func checkExtension(project *engine.Project, name string) []lint.Finding {
	p, err := prompt.FindExtension(project, name)
	return findingsOf(prompt.ExtensionsDir+"/"+name+".md", p, err)
}

// findingsOf returns why the file of a prompt cannot be used, and its unknown variables.
func findingsOf(path string, p prompt.Prompt, err error) []lint.Finding {
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
		f.Message = fmt.Sprintf("%s is not a variable and is not replaced", use)
		out = append(out, f)
	}
	return out
}

// isReported reports whether a finding for an error exists already.
func isReported(found []lint.Finding, err error) bool {
	syntax, ok := errors.AsType[*markdown.SyntaxError](err)
	for _, f := range found {
		if f.Message == err.Error() || ok && f.Path == syntax.Path && f.Line == syntax.Line {
			return true
		}
	}
	return false
}
