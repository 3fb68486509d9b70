package cmd

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/author/planning"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/schedule"
	"chant/engine/store/config"
	"chant/providers/cli"

	"github.com/google/jsonschema-go/jsonschema"
)

// fileSchemas are the schemas of what people write, by name. They allow every key, since unknown ones are kept; lint reports
// them.
func fileSchemas() map[string]func() *jsonschema.Schema {
	return map[string]func() *jsonschema.Schema{"front-matter": frontMatterSchema, "settings": settingsSchema, "plan-answer": planAnswerSchema}
}

// planAnswerSchema describes what an agent that plans answers.
func planAnswerSchema() *jsonschema.Schema {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(planning.AnswerSchema), &s); err != nil {
		// It is a constant, and a test reads it.
		return &jsonschema.Schema{}
	}
	return &s
}

// frontMatterSchema describes the front matter of a spec, from the table of keys.
func frontMatterSchema() *jsonschema.Schema { return keysSchema(spec.KeyTable()) }

func keysSchema(keys []spec.Key) *jsonschema.Schema {
	root := &jsonschema.Schema{Types: []string{"object", "null"}, Description: "the front matter of a spec"}
	// A mapping is added before its keys, which are added to it.
	keys = slices.SortedFunc(slices.Values(keys), func(a, b spec.Key) int { return strings.Compare(a.Name, b.Name) })
	for _, k := range keys {
		if k.By == spec.BySettings {
			continue
		}
		above, names := root, strings.Split(k.Name, ".")
		for _, name := range names[:len(names)-1] {
			if above.Properties[name] == nil {
				addProperty(above, name, &jsonschema.Schema{})
			}
			above = above.Properties[name]
		}
		s := &jsonschema.Schema{Description: "of the older chant; it is kept and has no effect"}
		if k.By != spec.ByOlder {
			s = valueSchema(k.Type)
			s.Description = k.Text
		}
		addProperty(above, names[len(names)-1], s)
		// Where a list of mappings is allowed too, each of them has these keys.
		if len(names) == 3 {
			if above.Items == nil {
				above.Items = &jsonschema.Schema{}
			}
			addProperty(above.Items, names[2], s.CloneSchemas())
		}
	}
	return root
}

func addProperty(to *jsonschema.Schema, name string, s *jsonschema.Schema) {
	if to.Properties == nil {
		to.Properties = map[string]*jsonschema.Schema{}
	}
	to.Properties[name] = s
}

// wordForm matches a value that is one word, and mixedList the type of a list whose items may be mappings.
var (
	wordForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(nothing to verify|[a-z_]+(-[a-z]+)*)$`) })
	mixedList = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`list of (commands|mappings|at,|by and at|date,)`)
	})
)

// valueSchema is the schema of a type of the table of keys, which is in words.
func valueSchema(inWords string) *jsonschema.Schema {
	parts := strings.Split(strings.ReplaceAll(inWords, " or ", ", "), ", ")
	enum := strings.Contains(inWords, ", ") && !slices.ContainsFunc(parts, func(part string) bool { return !wordForm().MatchString(part) })
	switch {
	case strings.Contains(inWords, "mapping of"), inWords == "mapping":
		return &jsonschema.Schema{Types: []string{"object", "null"}}
	case inWords == "true or false":
		return &jsonschema.Schema{Types: []string{"boolean", "null"}}
	case enum, inWords == spec.ForReview:
		return oneWord(parts)
	case strings.HasSuffix(inWords, ", or a number from 0"):
		known, _, _ := strings.Cut(inWords, ", or ")
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{oneWord(strings.Split(known, ", ")), {Type: "integer"}}}
	case strings.HasPrefix(inWords, "number"):
		return &jsonschema.Schema{Types: []string{"number", "string", "null"}}
	case mixedList().MatchString(inWords):
		return &jsonschema.Schema{}
	case strings.HasPrefix(inWords, "list of"):
		return list()
	}
	return scalar()
}

// list is a list of single values. One with one item may be written without brackets.
func list() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"array", "string", "number", "boolean", "null"}, Items: scalar()}
}

// scalar is a single value. YAML reads some texts as numbers or truth values, and a key without a value is none.
func scalar() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}}
}

// oneWord is one of several words, or nothing, which is the same as no key.
func oneWord(known []string) *jsonschema.Schema {
	return &jsonschema.Schema{Enum: append(words(known).Enum, nil)}
}

// settingsSchema describes the settings, from the fields that are read and the rules of their values.
func settingsSchema() *jsonschema.Schema {
	s := settingSchema(reflect.TypeFor[config.Config](), "")
	s.Description = "the front matter of .chant/config.md"
	return s
}

// settingWords lists the values of settings that are one of several words, by the rule of their field.
func settingWords() map[string][]string {
	return map[string][]string{
		"added_specs": {string(config.AddForReview), string(config.AddReady)}, "after_failure": {string(schedule.Skip), string(schedule.Stop)},
		"api": cli.LoopNames(), "caches": {string(config.CachesShared), string(config.CachesOwn)}, "conflicts": {string(config.ConflictsTell), string(config.ConflictsOff)}, "embeddings": {"openai", "ollama", config.EmbeddingsOff, ""},
		"fleet_landing": {string(config.LandByMerge), string(config.LandByPR)}, "landing_order": {string(config.LandByPriority), string(config.LandByArrival)}, "plan_form": {string(config.PlanChant), string(config.PlanOpenSpec), string(config.PlanSpecKit)}, "prompt_input": {"stdin", "file"},
		"rejection": {string(config.RejectManual), string(config.RejectDependency), string(config.RejectGroup)},
		"rotation":  {string(schedule.None), string(schedule.RoundRobin), string(schedule.Random), string(schedule.LeastLoaded)},
		"sandbox":   {string(config.SandboxAuto), string(config.SandboxOn), string(config.SandboxOff)},
		"severity":  {string(lint.Error), string(lint.Warning), string(lint.Off)}, "task_status": spec.StatusWords(),
	}
}

// typeWords are those of types that decode themselves.
func typeWords() map[reflect.Type][]string {
	return map[reflect.Type][]string{
		reflect.TypeFor[spec.RedFirst]():  {string(spec.RedReport), string(spec.RedRequire), string(spec.RedOff)},
		reflect.TypeFor[spec.Weakened]():  {string(spec.WeakenedOff), string(spec.WeakenedReport), string(spec.WeakenedAsk), string(spec.WeakenedRefuse)},
		reflect.TypeFor[spec.ProveWhen](): {string(spec.ProveBefore), string(spec.ProveAfter)},
	}
}

// settingSchema is the schema of a setting whose field has a type and a rule.
func settingSchema(t reflect.Type, rule string) *jsonschema.Schema {
	form, outlined := config.Schema().Outlines[t]
	if outlined {
		t = form
	}
	known := settingWords()[rule]
	if known == nil {
		known = typeWords()[t]
	}
	_, decodesItself := reflect.PointerTo(t).MethodByName("UnmarshalYAML")
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		return settingSchema(t.Elem(), rule)
	case kind == reflect.Map:
		return &jsonschema.Schema{Types: []string{"object", "null"}, AdditionalProperties: settingSchema(t.Elem(), rule)}
	case known != nil:
		return oneWord(known)
	case kind == reflect.Struct && t.PkgPath() != "regexp" && (outlined || !decodesItself):
		s := &jsonschema.Schema{Types: []string{"object", "null"}}
		if outlined {
			// It may also be a single value.
			s.Types = nil
		}
		addFields(s, t)
		return s
	case kind == reflect.Slice && (outlined || !decodesItself):
		// A list of one may be that one.
		return &jsonschema.Schema{Items: settingSchema(t.Elem(), rule)}
	case kind == reflect.Slice && t.Elem().Kind() == reflect.String:
		return list()
	case decodesItself:
		return &jsonschema.Schema{}
	case rule == "count", rule == "minutes", rule == "milliseconds", rule == "interval", rule == "people", rule == "" && kind == reflect.Int:
		return &jsonschema.Schema{Types: []string{"integer", "null"}}
	case kind == reflect.Float64:
		return &jsonschema.Schema{Types: []string{"number", "null"}}
	case kind == reflect.Bool:
		return &jsonschema.Schema{Types: []string{"boolean", "null"}}
	}
	return scalar()
}

// addFields adds the keys of a type.
func addFields(to *jsonschema.Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case strings.Contains(rest, "inline"):
			addFields(to, f.Type)
		case f.IsExported() && name != "-" && name != "":
			addProperty(to, name, settingSchema(f.Type, f.Tag.Get("rule")))
		}
	}
}
