package setup

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/shape"
	"chant/engine/verify/linter"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// specRules lists the rules of lint about how a spec is worked.
func specRules() []string {
	return []string{lint.ParseRule, lint.DuplicateKeyRule, lint.PromptRule, "unknown_key", "provider", "model", "type", "priority", "output_schema"}
}

// checkSpecs checks how open specs are to be worked. The rules are errors here, whatever severity the settings give
// them.
func (c *configChecker) checkSpecs(set *store.Set) {
	p := linter.RulesFor(c.p, set.Graph())
	p.Settings.Severity = map[string]lint.Severity{}
	for _, rule := range specRules() {
		p.Settings.Severity[rule] = lint.Error
	}
	known := p.World.Provider
	p.World.Provider = func(name string) error {
		if c.p.Config.IsFaulty("providers." + name) {
			// It is reported for the settings.
			return nil
		}
		return known(name)
	}
	for _, bad := range set.Invalid {
		if s := c.checkBroken(p.Settings, bad); s != nil {
			c.checkSpec(p, s)
		}
	}
	for _, s := range spec.Files(set.Specs) {
		c.checkSpec(p, s)
	}
}

// checkSpec checks one spec if it is open.
func (c *configChecker) checkSpec(p *lint.Project, s *spec.File) {
	if isOver(s) {
		return
	}
	// Lint reports the others.
	for _, f := range p.Check(s) {
		if slices.Contains(specRules(), f.Rule) {
			c.found = append(c.found, f)
		}
	}
	c.checkNestedKeys(s)
	if name := s.Fields.Provider; name != "" {
		c.uses = append(c.uses, providerUse{spot{s.Path, s.Doc.KeyLine("provider"), s.ID}, name})
	}
}

// isOver reports whether a spec is completed or cancelled.
func isOver(s *spec.File) bool { return s.Status == spec.Completed || s.Status == spec.Cancelled }

// checkBroken adds the findings about a spec that cannot be read as a whole. It returns the spec with the values that
// can be read, so that these are checked too; nil if the file has no valid front matter.
func (c *configChecker) checkBroken(settings lint.Settings, bad store.Invalid) *spec.File {
	doc, root, err := c.document(bad.Path)
	if err != nil {
		c.found = append(c.found, linter.ParseFindings(settings, bad)...)
		return nil
	}
	reported := map[int]bool{}
	report := func(line int, text string) {
		reported[line] = true
		why := &markdown.SyntaxError{Path: bad.Path, Line: line, Msg: text}
		c.found = append(c.found, linter.ParseFindings(settings, store.Invalid{ID: bad.ID, Path: bad.Path, Err: why})...)
	}
	s := (&spec.File{Spec: spec.Spec{ID: bad.ID, Path: bad.Path, Title: doc.Title(), Status: spec.Pending}}).WithDoc(doc)
	for _, f := range shape.Read(&root, &s.Fields, config.Schema()) {
		switch {
		case !f.Unknown:
			report(f.Line+1, f.Msg)
		// checkNestedKeys reports these.
		case strings.Contains(f.Key, "."):
			reported[f.Line+1] = true
		}
	}
	// As a spec without a type is taken.
	s.Fields.Type = cmp.Or(s.Fields.Type, spec.Code)
	if status, unknown := spec.ParseStatus(s.Fields.Status); unknown != nil {
		report(doc.KeyLine("status"), unknown.Error())
	} else {
		s.Status = status
	}
	// A fault that was found by reading the values is reported once.
	if syntax, ok := errors.AsType[*markdown.SyntaxError](bad.Err); !ok || !reported[syntax.Line] {
		c.found = append(c.found, linter.ParseFindings(settings, bad)...)
	}
	// checkSpec will skip it.
	if isOver(s) {
		c.checkNestedKeys(s)
	}
	return s
}

// checkNestedKeys reports unknown keys in mappings of a spec. Lint reports unknown keys at the top level.
func (c *configChecker) checkNestedKeys(s *spec.File) {
	// Reading takes the document apart, so a copy is read.
	doc, err := markdown.Parse(s.Path, s.Doc.Bytes())
	var root yaml.Node
	if err == nil {
		err = doc.Decode(&root)
	}
	if err != nil {
		// It cannot happen: the spec was read.
		return
	}
	all := shape.Read(&root, new(spec.Fields), config.Schema())
	all = slices.DeleteFunc(all, func(f shape.Fault) bool { return !f.Unknown || !strings.Contains(f.Key, ".") })
	c.addFaults(spot{path: s.Path, id: s.ID}, all)
}
