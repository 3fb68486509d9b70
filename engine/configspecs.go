package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/lint"
	"chant/engine/shape"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// promptForm has the keys of a prompt, and of what is put behind one.
type promptForm struct {
	Name    string `yaml:"name"`
	Purpose string `yaml:"purpose"`
	Extends string `yaml:"extends"`
}

// prompts checks the project's prompts. Error: a folder that cannot be listed.
func (c *configChecker) prompts() error {
	c.found = append(c.found, c.e.promptFaults()...)
	for _, dir := range []string{store.PromptsDir, extensionsDir} {
		files, err := fs.Glob(os.DirFS(filepath.Join(c.e.Home(), filepath.FromSlash(dir))), "*.md")
		if err != nil {
			return err
		}
		for _, file := range files {
			if _, root, err := c.matter(dir + "/" + file); err == nil { // else it was told of
				c.faults(spot{path: dir + "/" + file}, shape.Check[promptForm](&root, shape.Law{}))
			}
		}
	}
	return nil
}

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
