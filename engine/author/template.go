package author

import (
	"context"

	"chant/engine"
	"chant/engine/prompt/template"
)

// TemplatesInput has no fields.
type TemplatesInput struct{}

// TemplatesResult lists templates by name.
type TemplatesResult struct {
	Templates []TemplateInfo `json:"templates"`
	engine.Page
}

// TemplateVariable is a variable of a template.
type TemplateVariable = template.Variable

// TemplateInfo is one template. A template of the project hides the user's of the same name.
type TemplateInfo struct {
	Name        string             `json:"name"`
	Description string             `json:"description,omitempty"`
	Variables   []TemplateVariable `json:"variables"`
	From        string             `json:"from"` // project or user
	Path        string             `json:"path"`
	Invalid     string             `json:"invalid,omitempty"` // why it cannot be used, with path and line if known
}

// Templates lists the templates from which specs can be added. Error: a folder of templates cannot be read.
func Templates(ctx context.Context, p *engine.Project, _ TemplatesInput) (TemplatesResult, error) {
	r := TemplatesResult{Templates: []TemplateInfo{}}
	all, err := template.All(p)
	if err != nil {
		return r, err
	}
	for _, found := range all {
		info := templateInfo(&found.Template)
		if found.Err != nil {
			info.Invalid = found.Err.Error()
		}
		r.Templates = append(r.Templates, info)
	}
	r.Page = engine.Whole(len(r.Templates))
	return r, ctx.Err()
}

// TemplateInput names a template.
type TemplateInput struct {
	Name string `json:"name" jsonschema:"Template name"`
}

// TemplateResult is a template with its file.
type TemplateResult struct {
	TemplateInfo
	Source string `json:"source"`
}

// Template returns a template. Errors: NotFound; Invalid for one that cannot be used, with its line.
func Template(_ context.Context, p *engine.Project, in TemplateInput) (TemplateResult, error) {
	t, err := template.Find(p, in.Name)
	if err != nil {
		return TemplateResult{}, err
	}
	return TemplateResult{TemplateInfo: templateInfo(&t), Source: string(t.Source)}, nil
}

func templateInfo(t *template.Template) TemplateInfo {
	info := TemplateInfo{Name: t.Name, Description: t.Description, Variables: t.Variables, From: "user", Path: t.Path}
	if t.Own {
		info.From = "project"
	}
	// An empty list, and not null, for programs that read it.
	if info.Variables == nil {
		info.Variables = []TemplateVariable{}
	}
	return info
}
