package setup

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"chant/engine/config"
	"chant/engine/lint"
	"chant/engine/linter"
	"chant/engine/shape"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// specRules are those of lint's that are about how a spec is worked.
func specRules() []string {
	return []string{lint.ParseRule, lint.DuplicateKeyRule, lint.PromptRule, "unknown_key", "provider", "model", "type", "priority", "output_schema"}
}

// specs checks what open specs say of how they are worked, whatever severity the
// settings give the rules.
func (c *configChecker) specs(set *store.Set) {
	p := linter.RulesFor(c.p, set.Graph())
	p.Settings.Severity = map[string]lint.Severity{}
	for _, rule := range specRules() {
		p.Settings.Severity[rule] = lint.Error
	}
	known := p.World.Provider
	p.World.Provider = func(name string) error {
		if c.p.Config.Faulty("providers." + name) {
			return nil // told of where it stands
		}
		return known(name)
	}
	for _, bad := range set.Invalid {
		if s := c.partOf(p.Settings, bad); s != nil {
			c.spec(p, s)
		}
	}
	for _, s := range set.Specs {
		c.spec(p, s)
	}
}

// spec checks one spec that is open.
func (c *configChecker) spec(p *lint.Project, s *spec.Spec) {
	if over(s) {
		return
	}
	for _, f := range p.Check(s) {
		if slices.Contains(specRules(), f.Rule) {
			c.found = append(c.found, f)
		}
	}
	c.deepKeys(s)
	if name := s.Fields.Provider; name != "" {
		c.uses = append(c.uses, providerUse{spot{s.Doc.Path(), s.Doc.KeyLine("provider"), s.ID}, name})
	}
}

// over reports whether no one is to work a spec.
func over(s *spec.Spec) bool { return s.Status == spec.Completed || s.Status == spec.Cancelled }

// partOf tells why a spec cannot be read, and returns it with the values that can: they are
// not right because another one is wrong. It is nil where nothing of the file is known.
func (c *configChecker) partOf(settings lint.Settings, bad store.Invalid) *spec.Spec {
	doc, root, err := c.document(bad.Path)
	if err != nil {
		c.found = append(c.found, linter.ParseFindings(settings, bad)...)
		return nil
	}
	told := map[int]bool{}
	tell := func(line int, text string) {
		told[line] = true
		why := &markdown.SyntaxError{Path: bad.Path, Line: line, Msg: text}
		c.found = append(c.found, linter.ParseFindings(settings, store.Invalid{ID: bad.ID, Path: bad.Path, Err: why})...)
	}
	s := &spec.Spec{ID: bad.ID, Doc: doc, Title: doc.Title(), Status: spec.Pending}
	for _, f := range shape.Read(&root, &s.Fields, config.Schema()) {
		switch {
		case !f.Unknown:
			tell(f.Line+1, f.Msg)
		case strings.Contains(f.Key, "."): // of these deepKeys tells
			told[f.Line+1] = true
		}
	}
	s.Fields.Type = cmp.Or(s.Fields.Type, spec.Code)
	if status, unknown := spec.ParseStatus(s.Fields.Status); unknown != nil {
		tell(doc.KeyLine("status"), unknown.Error())
	} else {
		s.Status = status
	}
	if syntax, ok := errors.AsType[*markdown.SyntaxError](bad.Err); !ok || !told[syntax.Line] {
		c.found = append(c.found, linter.ParseFindings(settings, bad)...)
	}
	if over(s) { // then no one looks at it again
		c.deepKeys(s)
	}
	return s
}

// deepKeys tells of keys that mean nothing below those of a spec, of which lint tells.
func (c *configChecker) deepKeys(s *spec.Spec) {
	// What is checked is taken apart, and the document is the spec's.
	doc, err := markdown.Parse(s.Doc.Path(), s.Doc.Bytes())
	var root yaml.Node
	if err == nil {
		err = doc.Decode(&root)
	}
	if err != nil {
		return // then there would be no spec
	}
	all := shape.Read(&root, new(spec.Fields), config.Schema())
	all = slices.DeleteFunc(all, func(f shape.Fault) bool { return !f.Unknown || !strings.Contains(f.Key, ".") })
	c.faults(spot{path: s.Doc.Path(), id: s.ID}, all)
}
