package author

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/gitops"
	"chant/markdown"
	"chant/providers/secret"
)

// DeriveInput says for which specs keys are derived.
type DeriveInput struct {
	ID     string `json:"id,omitempty" jsonschema:"Spec ID (full or partial)"`
	All    bool   `json:"all,omitempty" jsonschema:"All active specs"`
	DryRun bool   `json:"dry_run,omitempty" jsonschema:"Print what would be written, write nothing"`
}

// DeriveResult lists the specs that got keys, or would.
type DeriveResult struct {
	Specs    []DerivedSpec `json:"specs"`
	Warnings []string      `json:"warnings,omitempty"` // about sources without a usable value
}

// DerivedSpec lists the keys that one spec got.
type DerivedSpec struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
	Commit string            `json:"commit,omitempty"`
}

// Derive adds the keys under enterprise.derived to specs that lack them, with one commit
// for each spec. An existing value is never overwritten; a key whose
// source has no value is left out. With All, specs whose run has a branch are skipped.
// Errors: Usage unless exactly one of ID and All is given, State, Conflict.
func Derive(ctx context.Context, p *engine.Project, in DeriveInput) (DeriveResult, error) {
	result := DeriveResult{Specs: []DerivedSpec{}}
	// Both or none would leave open which specs are meant.
	if (in.ID == "") != in.All {
		return result, engine.Fail(engine.Usage, next.Derive.On().Flag("all"), "name a spec, or all of them with --all")
	}
	ids, err := specsToDerive(ctx, p, in)
	if err != nil {
		return result, engine.Wrap(err, in.ID)
	}
	values, warnings, err := readSources(ctx, p)
	if err != nil {
		return result, engine.Wrap(err, "")
	}
	for _, id := range ids {
		got, err := deriveOne(ctx, p, id, values, in.DryRun)
		if err != nil {
			return result, engine.Wrap(err, id)
		}
		if len(got.Fields) > 0 {
			result.Specs = append(result.Specs, got)
		}
		warnings = append(warnings, unlistedWarnings(p.Config.Enterprise.Derived, id, got.Fields)...)
	}
	// Many specs have the same warning.
	slices.Sort(warnings)
	result.Warnings = slices.Compact(warnings)
	return result, nil
}

func specsToDerive(ctx context.Context, p *engine.Project, in DeriveInput) ([]string, error) {
	if in.ID != "" {
		id, err := engine.Find(ctx, p, in.ID)
		return []string{id}, err
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range set.Specs {
		// The front matter on a branch belongs to its run.
		if s.Branch == "" {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

func deriveOne(ctx context.Context, p *engine.Project, id string, values sourceValues, dry bool) (DerivedSpec, error) {
	got := DerivedSpec{ID: id}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return got, err
	}
	// Looked at without the lock, since most specs have all keys.
	if got.Fields = derivedFields(p, s.Doc, id, values); len(got.Fields) == 0 || dry {
		return got, nil
	}
	got.Commit, err = advice.WithHold(ctx, p, id, "derive", func(h *engine.Held) (string, error) {
		out, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Word: "derive", Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			// Again, from the document under the lock.
			got.Fields = derivedFields(p, doc, h.ID, values)
			return withDerived(doc, p.Config.Enterprise.Derived, got.Fields)
		}})
		return out.Commit, err
	})
	return got, err
}

// derivedFields returns the keys that a document lacks, with the values of their sources.
func derivedFields(p *engine.Project, doc *markdown.Document, id string, values sourceValues) map[string]string {
	out := map[string]string{}
	for _, key := range p.Config.Enterprise.Derived {
		if len(spec.MissingKeys(doc, []string{key.Key})) == 0 {
			continue
		}
		if value := valueOf(key, id, values); value != "" {
			out[key.Key] = value
		}
	}
	return out
}

// withDerived writes derived keys, and their names under derived_fields.
func withDerived(doc *markdown.Document, keys config.DerivedKeys, fields map[string]string) (*markdown.Document, error) {
	if len(fields) == 0 {
		return doc, nil
	}
	var names spec.StringList
	if _, err := doc.Get("derived_fields", &names); err != nil {
		return nil, err
	}
	var edits []markdown.Edit
	// In the order of the settings.
	for _, key := range keys {
		value, ok := fields[key.Key]
		if !ok {
			continue
		}
		var written any = value
		// These keys are lists.
		if slices.Contains([]string{"labels", "context"}, key.Key) {
			written = []string{value}
		}
		edits = append(edits, markdown.Set(key.Key, written))
		if !slices.Contains(names, key.Key) {
			names = append(names, key.Key)
		}
	}
	return doc.Apply(append(edits, markdown.Set("derived_fields", names))...)
}

// unlistedWarnings returns a warning for each value that is not among those in the settings.
func unlistedWarnings(keys config.DerivedKeys, id string, fields map[string]string) []string {
	var out []string
	for _, key := range keys {
		if value, ok := fields[key.Key]; ok && key.Values != nil && !slices.Contains(key.Values, value) {
			out = append(out, fmt.Sprintf("spec %q: %s is %q, which is none of %v", id, key.Key, spec.Echo(value), key.Values))
		}
	}
	return out
}

// maxDerived is the maximum length of a derived value, in runes.
const maxDerived = 200

// sourceValues are the values of the sources, which are the same for all specs.
type sourceValues struct {
	branch, name, mail string
	env                map[string]string // of the variables that the settings name
}

// readSources reads each source that the settings name, once, and returns warnings about
// those without a value that may be written into a file.
func readSources(ctx context.Context, p *engine.Project) (sourceValues, []string, error) {
	v := sourceValues{env: map[string]string{}}
	var warnings []string
	for _, key := range p.Config.Enterprise.Derived {
		switch key.From {
		case config.FromBranchName:
			head, err := p.Repo.Head(ctx, engine.Home(p))
			if err != nil {
				return v, nil, err
			}
			v.branch = head.Branch
		case config.FromGitUser:
			who, err := p.Repo.Identity(ctx)
			// A project can work without this, so it is only a warning.
			if errors.Is(err, gitops.ErrNoIdentity) {
				warnings = append(warnings, fmt.Sprintf("%s: git does not know who you are", key.Key))
				continue
			}
			if err != nil {
				return v, nil, err
			}
			v.name, v.mail = spec.SplitPerson(who)
		case config.FromEnv:
			value := engine.Variable(p, key.Variable)
			// It would be committed.
			if secret.Suspect(value) {
				warnings = append(warnings, fmt.Sprintf("%s: the value of %s looks like a secret and is left out", key.Key, key.Variable))
				continue
			}
			v.env[key.Variable] = value
		case config.FromPath:
		}
	}
	return v, warnings, nil
}

// valueOf returns the value of a key for a spec from its source, "" for none.
func valueOf(k config.DerivedKey, id string, v sourceValues) string {
	var text string
	switch k.From {
	case config.FromBranchName:
		text = firstGroup(k, v.branch)
	case config.FromPath:
		text = firstGroup(k, store.SpecPath(id))
	case config.FromEnv:
		text = v.env[k.Variable]
	case config.FromGitUser:
		if text = v.name; k.Person == "email" {
			text = v.mail
		}
	}
	text = strings.TrimSpace(text)
	if len([]rune(text)) > maxDerived || strings.ContainsFunc(text, unicode.IsControl) {
		// Such a value cannot be intended.
		return ""
	}
	return text
}

// firstGroup returns the pattern's first group, "" if the pattern does not match.
func firstGroup(k config.DerivedKey, text string) string {
	found := k.Pattern.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}
