package view

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/taskfields"

	"go.yaml.in/yaml/v3"
)

// exportField is a field that can be exported.
type exportField struct {
	name  string
	value func(exported) any
}

// defaultFields returns the fields of an export that names none.
func defaultFields() []string {
	return []string{"id", "type", "status", "title", "labels", "model", "completed_at", "verification_status"}
}

// allFields lists all fields, in the order of "all".
func allFields() []exportField {
	return []exportField{
		{"id", func(x exported) any { return x.s.ID }},
		{"type", func(x exported) any { return string(x.s.Fields.Type) }},
		{"status", func(x exported) any { return string(x.s.Status) }},
		{"title", func(x exported) any { return textOrNothing(x.s.Title) }},
		{"labels", func(x exported) any { return listOrNothing(x.s.Fields.Labels) }},
		{"priority", func(x exported) any { return textOrNothing(string(x.s.Fields.Priority)) }},
		{"task", func(x exported) any { return textOrNothing(string(x.s.Fields.Task)) }},
		{"task_status", func(x exported) any { return textOrNothing(string(x.s.Fields.TaskStatus)) }},
		{"task_type", func(x exported) any { return textOrNothing(string(x.s.Fields.TaskType)) }},
		{"assignee", func(x exported) any { return textOrNothing(string(x.s.Fields.Assignee)) }},
		{"reporter", func(x exported) any { return textOrNothing(string(x.s.Fields.Reporter)) }},
		{"due_date", func(x exported) any { return textOrNothing(string(x.s.Fields.DueDate)) }},
		{"effort", func(x exported) any { return textOrNothing(string(x.s.Fields.Effort)) }},
		{"sprints", func(x exported) any { return listOrNothing(sprintTexts(x.s.Fields.Sprints)) }},
		{"custom_fields", func(x exported) any { return listOrNothing(customTexts(x.s.Fields.CustomFields)) }},
		{"comments", func(x exported) any { return listOrNothing(commentTexts(x.s)) }},
		{"model", func(x exported) any { return textOrNothing(x.s.Fields.Model) }},
		{"provider", func(x exported) any { return textOrNothing(x.s.Fields.Provider) }},
		{"runs_on", func(x exported) any { return listOrNothing(x.s.Fields.RunsOn) }},
		{"prompt", func(x exported) any { return textOrNothing(x.s.Fields.Prompt) }},
		{"depends_on", func(x exported) any { return listOrNothing(x.s.Fields.DependsOn) }},
		{"members", func(x exported) any { return listOrNothing(x.g.Members(x.s.ID)) }},
		{"target_files", func(x exported) any { return listOrNothing(x.s.Fields.TargetFiles) }},
		{"context", func(x exported) any { return listOrNothing(x.s.Fields.Context) }},
		{"branch", func(x exported) any { return textOrNothing(x.s.Branch) }},
		{"commits", func(x exported) any { return listOrNothing(x.s.Fields.Commits) }},
		{"completed_at", func(x exported) any { return textOrNothing(x.s.Fields.CompletedAt) }},
		{"landed", exportLanded},
		{"verification_status", exportVerification},
		{"reason", func(x exported) any { return textOrNothing(x.s.Fields.Reason) }},
		{"reason_code", func(x exported) any { return textOrNothing(string(x.s.Fields.ReasonCode)) }},
		{"ready", func(x exported) any { ready, _ := x.readyOrBlocked(); return ready }},
		{"blocked", func(x exported) any { _, blocked := x.readyOrBlocked(); return blocked }},
		{"archived", func(x exported) any { return x.s.Archived }},
		{"approval", exportApproval},
		{"criteria", func(x exported) any { return len(x.s.Criteria()) }},
		{"criteria_checked", exportChecked},
		{"attempts", func(x exported) any { n, _ := x.used(); return n }},
		{"tokens_in", exportTokens(func(u usage.Spending) int { return u.Input })},
		{"tokens_cached", exportTokens(func(u usage.Spending) int { return u.CachedInput })},
		{"tokens_cache_write", exportTokens(func(u usage.Spending) int { return u.CacheWrites })},
		{"tokens_out", exportTokens(func(u usage.Spending) int { return u.Output })},
		{"tokens_unknown", func(x exported) any { return x.spent().TokensUnknown }},
		{"turns", exportTurns},
		{"cost_usd", exportCost},
		{"cost_unknown", func(x exported) any { return x.spent().CostUnknown }},
		{"seconds", func(x exported) any { return math.Round(x.spent().Seconds*1000) / 1000 }},
	}
}

func sprintTexts(sprints []int) []string {
	var out []string
	for _, n := range sprints {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// customTexts lists custom fields in the form name=value.
func customTexts(fields taskfields.CustomFields) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for _, value := range fields[name].Values {
			out = append(out, name+"="+value)
		}
	}
	return out
}

func commentTexts(s *spec.File) []string {
	// lint reports what cannot be read.
	notes, _ := taskfields.ReadNotes(s.Doc)
	var out []string
	for _, c := range notes.Comments {
		out = append(out, c.Text)
	}
	return out
}

// exportTokens returns no value if agents worked and none reported tokens.
func exportTokens(of func(usage.Spending) int) func(exported) any {
	return func(x exported) any {
		u := x.spent()
		// Their number is unknown, not zero.
		if u.Agents > 0 && u.TokensUnknown == u.Agents {
			return nil
		}
		return of(u)
	}
}

// exportTurns returns no value if agents worked and none reported turns.
func exportTurns(x exported) any {
	u := x.spent()
	if u.Agents > 0 && u.Turns == 0 {
		return nil
	}
	return u.Turns
}

// exportCost returns no value if the cost of no agent is known in full.
func exportCost(x exported) any {
	u := x.spent()
	// A cost that no agent reported in full is unknown, not zero.
	if usd := u.CostUSD; usd != nil && u.CostUnknown < u.Agents {
		return *usage.RoundCost(usd)
	}
	return nil
}

func exportLanded(x exported) any {
	if x.s.Status != spec.Completed || x.s.Archived {
		return nil
	}
	return x.s.Landed
}

// exportVerification returns the status in the front matter, or "nothing to verify" for a completed spec that had no
// criterion and no command.
func exportVerification(x exported) any {
	if x.vacuous {
		return string(criteria.Nothing)
	}
	return textOrNothing(x.s.Fields.Verification)
}

func exportApproval(x exported) any {
	if x.s.Fields.Approval == nil {
		return nil
	}
	return textOrNothing(string(x.s.Fields.Approval.Status))
}

func exportChecked(x exported) any {
	n := 0
	for _, c := range x.s.Criteria() {
		if c.Checked {
			n++
		}
	}
	return n
}

// textOrNothing returns a text, nil for an empty one.
func textOrNothing(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// listOrNothing returns a copy of a list, nil for an empty one.
func listOrNothing(items []string) any {
	if len(items) == 0 {
		return nil
	}
	return slices.Clone(items)
}

// fieldsNamed returns the fields with these names: chant's own, and those that the project
// defines.
func fieldsNamed(p *engine.Project, names []string) ([]exportField, error) {
	known := knownFields(p)
	if len(names) == 0 {
		names = defaultFields()
	}
	if slices.Equal(names, []string{"all"}) {
		return known, nil
	}
	var out []exportField
	for _, name := range names {
		i := slices.IndexFunc(known, func(f exportField) bool { return f.name == name })
		if i < 0 {
			return nil, engine.Fail(engine.Usage, next.Export.Help(), "unknown field %q (all, or some of %s)", spec.Echo(name), strings.Join(namesOf(known), ", "))
		}
		out = append(out, known[i])
	}
	return out, nil
}

// knownFields lists all fields and the keys of the project.
func knownFields(p *engine.Project) []exportField {
	known := allFields()
	for _, key := range projectFields(p) {
		known = append(known, exportField{key, func(x exported) any { return projectValue(x.s, key) }})
	}
	return known
}

// ExportFields lists the names of the fields that an export of the project can have, and those that one has which names
// none.
func ExportFields(p *engine.Project) (all, usual []string) {
	return namesOf(knownFields(p)), defaultFields()
}

// ExportStatuses lists the statuses by which specs can be selected for an export.
func ExportStatuses() []string { return slices.Concat(computedStatuses(), spec.StatusWords()) }

// projectFields returns the keys that the project requires or derives and that chant itself does not read.
func projectFields(p *engine.Project) []string {
	settings := p.Config.LintSettings()
	var out []string
	for _, key := range slices.Concat(settings.Required, settings.Known) {
		known := slices.ContainsFunc(allFields(), func(f exportField) bool { return f.name == key })
		if !known && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// projectValue returns the value of a key as it is written in the front matter.
func projectValue(s *spec.File, key string) any {
	var node yaml.Node
	if found, err := s.Doc.Get(key, &node); err != nil || !found {
		return nil
	}
	if node.Kind == yaml.ScalarNode {
		return textOrNothing(node.Value)
	}
	var items []string
	if node.Decode(&items) != nil {
		return nil
	}
	return listOrNothing(items)
}

func namesOf(fields []exportField) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}
