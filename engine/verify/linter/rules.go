package linter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/spec/fileset"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// lintRules returns the findings of CheckRules. What keeps a file from being read has the severity that the settings give
// the rule.
func lintRules(ctx context.Context, p *engine.Project) []lint.Finding {
	sev := p.Config.LintSettings().SeverityOf(lint.RulesRule)
	if sev == lint.Off {
		return nil
	}
	found := CheckRules(ctx, p)
	for i := range found {
		if found[i].Severity == lint.Error {
			found[i].Severity = sev
		}
	}
	return found
}

// CheckRules checks the files of rules of the project. It returns an error for each that cannot be read, and a warning for
// each glob that matches no file of the commit that is checked out.
func CheckRules(ctx context.Context, p *engine.Project) []lint.Finding {
	rules, broken := prompt.Rules(p)
	var out []lint.Finding
	for _, err := range broken {
		f := lint.Finding{Rule: lint.RulesRule, Severity: lint.Error, Path: store.RulesDir, Line: 1, Message: err.Error()}
		if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
			f.Path, f.Line, f.Message = syntax.Path, syntax.Line, syntax.Msg
		}
		out = append(out, f)
	}
	var files []gitops.Entry
	for _, r := range rules {
		for _, glob := range r.Paths {
			if files == nil {
				// In a repository without a commit nothing can match yet.
				files, _ = p.Repo.Files(ctx, "HEAD")
			}
			if len(files) > 0 && !slices.ContainsFunc(files, func(f gitops.Entry) bool { return fileset.Match(glob, f.Name) }) {
				out = append(out, lint.Finding{
					Rule: lint.RulesRule, Severity: lint.Warning, Path: r.Path, Line: r.Line, Message: fmt.Sprintf("paths: %q matches no file", glob),
				})
			}
		}
	}
	return out
}
