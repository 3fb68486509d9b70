package linter

import (
	"errors"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/markdown"
)

// CheckRules returns an error for each file of rules of the project that cannot be read.
func CheckRules(p *engine.Project) []lint.Finding { return checkRules(p, lint.Error) }

// checkRules is CheckRules with the severity that the settings give the rule.
func checkRules(p *engine.Project, severity lint.Severity) []lint.Finding {
	if severity == lint.Off {
		return nil
	}
	_, broken := prompt.Rules(p)
	var out []lint.Finding
	for _, err := range broken {
		f := lint.Finding{Rule: lint.RulesRule, Severity: severity, Path: store.RulesDir, Line: 1, Message: err.Error()}
		if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
			f.Path, f.Line, f.Message = syntax.Path, syntax.Line, syntax.Msg
		}
		out = append(out, f)
	}
	return out
}
