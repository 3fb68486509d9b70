package engine

import (
	"slices"
	"strings"

	"chant/engine/lint"
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
	p := c.e.lintProject(set.Graph())
	p.Settings.Severity = map[string]lint.Severity{}
	for _, rule := range specRules() {
		p.Settings.Severity[rule] = lint.Error
	}
	known := p.World.Provider
	p.World.Provider = func(name string) error {
		if c.e.config.faulty("providers." + name) {
			return nil // told of where it stands
		}
		return known(name)
	}
	for _, bad := range set.Invalid {
		c.found = append(c.found, parseFindings(p.Settings, bad)...)
	}
	for _, s := range set.Specs {
		if s.Status == spec.Completed || s.Status == spec.Cancelled {
			continue
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
	all := shape.Check[spec.Fields](&root, configLaw())
	all = slices.DeleteFunc(all, func(f shape.Fault) bool { return !f.Unknown || !strings.Contains(f.Key, ".") })
	c.faults(spot{path: s.Doc.Path(), id: s.ID}, all)
}
