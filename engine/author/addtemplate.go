package author

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/prompt/template"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// templateFields is what a new spec gets from its template besides the fields of AddInput.
type templateFields struct {
	template.Template
	edits []markdown.Edit
	body  string
	left  []string // names without a value, which stay in the text
}

// Vars reads values of variables from texts such as name=value. Error: Usage.
func Vars(list []string) (map[string]string, error) {
	values := map[string]string{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		// The second value would replace the first one unnoticed.
		if _, twice := values[name]; twice {
			return nil, engine.Fail(engine.Usage, next.Add.Help(), "variable %q is given twice", spec.Echo(name))
		}
		if !ok || name == "" {
			return nil, engine.Fail(engine.Usage, next.Add.Help(), "invalid variable %q (use name=value)", spec.Echo(text))
		}
		values[name] = value
	}
	return values, nil
}

// MissingVars lists the variables of the template that need a value and have none. Errors: those of template.Find.
func MissingVars(p *engine.Project, in AddInput) ([]TemplateVariable, error) {
	t, err := template.Find(p, in.Template)
	if err != nil {
		return nil, err
	}
	return t.Missing(in.Vars), nil
}

// applyTemplate fills in the template and adds what it has to the input: values of the input replace its texts and
// extend its lists. Errors: NotFound and Invalid for the template, Usage for values of variables.
func (in *AddInput) applyTemplate(p *engine.Project) error {
	// Values without a template would be lost.
	if in.Template == "" {
		if len(in.Vars) > 0 {
			return engine.Fail(engine.Usage, next.TemplateList.On(), "values of variables need a template")
		}
		return nil
	}
	t, err := template.Find(p, in.Template)
	if err != nil {
		return err
	}
	if err := in.checkVars(&t); err != nil {
		return err
	}
	filled := t.Fill(in.Vars)
	in.from = &templateFields{Template: t, body: filled.Body, left: filled.Left}
	for _, key := range filled.Keys {
		if err := in.addKey(key); err != nil {
			return engine.Fail(engine.Invalid, next.EditFile(t.Path), "%s:%d: key %q %s", t.Path, key.Line, key.Name, err)
		}
	}
	return in.checkBody(&t)
}

// checkBody refuses a text without a title, and one in which values have swallowed criteria of the template.
func (in *AddInput) checkBody(t *template.Template) error {
	doc, err := in.from.document(store.SpecPath("new"))
	if err != nil {
		return err
	}
	// Without any value, since a value can open a fence that hides criteria.
	plain, err := (&templateFields{body: t.Fill(nil).Body}).document(store.SpecPath("new"))
	if err != nil {
		return err
	}
	if has, want := len(spec.Criteria(doc)), len(spec.Criteria(plain)); has < want {
		return engine.Fail(engine.Invalid, next.Add.Help(), "the values swallow criteria of the template: %d of %d are left; does one leave a fence, a comment or HTML open?", has, want)
	}
	if doc.Title() == "" && strings.TrimSpace(in.Description) == "" {
		return engine.Fail(engine.Usage, in.withVars(t, "TITLE"), "template %q has no heading that could be the title; give one", t.Name)
	}
	return nil
}

// checkVars refuses values that a spec cannot contain, values for unknown names, and variables without a value.
func (in *AddInput) checkVars(t *template.Template) error {
	if unknown := t.Unknown(in.Vars); len(unknown) > 0 {
		has := "it has none"
		if names := t.Names(); len(names) > 0 {
			has = "it has " + strings.Join(names, ", ")
		}
		return engine.Fail(engine.Usage, in.withVars(t, in.Description), "template %q has no variable %q (%s)", t.Name, spec.Echo(unknown[0]), has)
	}
	for _, name := range t.Names() {
		if err := engine.PlainText("variable "+name, in.Vars[name]); err != nil {
			return err
		}
	}
	if missing := t.Missing(in.Vars); len(missing) > 0 {
		var names []string
		for _, v := range missing {
			names = append(names, fmt.Sprintf("%q", v.Name))
		}
		return engine.Fail(engine.Usage, in.withVars(t, in.Description), "template %q needs a value for %s", t.Name, strings.Join(names, ", "))
	}
	return nil
}

// withVars is the command that adds the spec, with every variable of the template that has or needs a value.
func (in *AddInput) withVars(t *template.Template, description string) next.Step {
	step := next.Add.On(description).Set("template", t.Name)
	for _, name := range t.Names() {
		i := slices.IndexFunc(t.Variables, func(v TemplateVariable) bool { return v.Name == name })
		value, given := in.Vars[name]
		switch {
		// The person fills this one in.
		case i >= 0 && t.Variables[i].Needed() && value == "":
			value = "..."
		case given:
		case i >= 0 && t.Variables[i].Default != nil:
			value = *t.Variables[i].Default
		default:
			continue
		}
		step = step.Set("var", name+"="+value)
	}
	return step
}

// addKey adds a key of the template to the input. The error says what the value must be.
func (in *AddInput) addKey(key template.Key) error {
	texts := map[string]*string{
		"type": &in.Type, "prompt": &in.Prompt, "provider": &in.Provider, "priority": &in.Priority,
		"assignee": &in.Assignee, "reporter": &in.Reporter, "due_date": &in.DueDate, "effort": &in.Effort,
	}
	lists := map[string]*[]string{"labels": &in.Labels, "target_files": &in.TargetFiles, "depends_on": &in.DependsOn, "runs_on": &in.RunsOn}
	switch text, list := texts[key.Name], lists[key.Name]; {
	// Pending, as of every new spec.
	case key.Name == "status":
	case text != nil:
		if key.Value.Kind != yaml.ScalarNode {
			return fmt.Errorf("must be a text")
		}
		// The input counts before the template.
		if *text == "" {
			*text = key.Value.Value
		}
	case list != nil:
		var items spec.StringList
		if err := key.Value.Decode(&items); err != nil {
			return fmt.Errorf("must be a list of texts")
		}
		// Those of the template first, as its author has ordered them.
		*list = slices.Concat(items, *list)
	case key.Name == "approval":
		var approval struct {
			Required bool `yaml:"required"`
		}
		if err := key.Value.Decode(&approval); err != nil {
			return fmt.Errorf("must have true or false under required")
		}
		// The input can only ask for more.
		in.NeedsApproval = in.NeedsApproval || approval.Required
	default:
		in.from.edits = append(in.from.edits, markdown.Set(key.Name, key.Value))
	}
	return nil
}

// document returns the text of the template as the document of a spec, with all boxes unticked.
func (f *templateFields) document(path string) (*markdown.Document, error) {
	doc, err := markdown.Parse(path, []byte("---\ntype: code\n---\n\n"+f.body))
	if err != nil {
		return nil, err
	}
	// A ticked box would claim work that was not done.
	return spec.Untick(doc), nil
}

// check refuses a document with values that no spec can have, and names the template.
func (f *templateFields) check(id string, doc *markdown.Document) error {
	if _, err := spec.FromDocument(id, doc); err != nil {
		why := err.Error()
		if _, after, ok := strings.Cut(why, ": "); ok {
			// Without path and line of the spec, which does not exist.
			why = after
		}
		return engine.Fail(engine.Invalid, next.EditFile(f.Path), "template %q makes an invalid spec: %s", f.Name, why)
	}
	return nil
}

// warnOfLeft reports names of the template that have no value.
func (f *templateFields) warnOfLeft(p *engine.Project, id string) {
	if f == nil || len(f.left) == 0 {
		return
	}
	verb := "stays"
	if len(f.left) > 1 {
		verb = "stay"
	}
	engine.Warn(p, id, fmt.Sprintf("{{%s}} of template %q has no value and %s in the text; next: %s", strings.Join(f.left, "}}, {{"), f.Name, verb, next.Edit.On(id)))
}

// names lists the names that have no value.
func (f *templateFields) names() []string {
	if f == nil {
		return nil
	}
	return f.left
}
