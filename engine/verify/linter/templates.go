package linter

import (
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/prompt/template"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/markdown"
)

// lintTemplates returns the findings about the templates of the project: why one cannot be used, and what is probably
// a mistake in it. All have the severity that the settings give their rule.
func lintTemplates(p *engine.Project) []lint.Finding {
	sev := p.Config.LintSettings().SeverityOf(lint.TemplateRule)
	if sev == lint.Off {
		return nil
	}
	all, err := template.All(p)
	if err != nil {
		return []lint.Finding{{Rule: lint.TemplateRule, Severity: sev, Path: template.Dir, Line: 1, Message: err.Error()}}
	}
	var out []lint.Finding
	for _, found := range all {
		if !found.Own {
			continue
		}
		f := lint.Finding{Rule: lint.TemplateRule, Severity: sev, Path: template.Dir + "/" + found.Name + ".md", Line: 1}
		if found.Err != nil {
			f.Message = found.Err.Error()
			if syntax, ok := errors.AsType[*markdown.SyntaxError](found.Err); ok {
				f.Line, f.Message = syntax.Line, syntax.Msg
			}
			out = append(out, f)
			continue
		}
		for _, w := range append(found.Warnings(), checkValues(p, &found.Template)...) {
			f.Line, f.Message = w.Line, w.Text
			out = append(out, f)
		}
	}
	return out
}

// checkValues returns what is wrong with values of a template that the project decides about.
func checkValues(p *engine.Project, t *template.Template) []template.Warning {
	var out []template.Warning
	for key, check := range map[string]func(string) error{
		"prompt":   func(name string) error { return promptError(p, name) },
		"provider": func(name string) error { _, err := usage.Provider(p, name); return err },
		"priority": func(word string) error {
			if _, ok := spec.Priority(word).Level(); ok || isTaskPriority(p, word) {
				return nil
			}
			return fmt.Errorf("unknown priority %q (critical, high, medium, low, or a whole number from 0)", word)
		},
	} {
		text, line := t.Text(key)
		if text == "" {
			continue
		}
		if err := check(text); err != nil {
			out = append(out, template.Warning{Line: line, Text: err.Error()})
		}
	}
	slices.SortFunc(out, func(a, b template.Warning) int { return a.Line - b.Line })
	return out
}
