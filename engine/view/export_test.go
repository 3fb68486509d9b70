package view

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// exportedIDs returns the ids of an export.
func exportedIDs(r ExportResult) string {
	var out []string
	for _, row := range r.Specs {
		out = append(out, strings.ReplaceAll(strings.TrimPrefix(row[0].Value.(string), "2026-01-02-"), "-abc", ""))
	}
	return strings.Join(out, " ")
}

// TestExport selects specs, and lists the files that cannot be read.
func TestExport(t *testing.T) {
	t.Parallel()
	p := board(t)
	for name, c := range map[string]struct {
		in   ExportInput
		want string
	}{
		"a status":                     {ExportInput{Statuses: []string{"failed"}}, "004"},
		"two":                          {ExportInput{Statuses: []string{"failed", "cancelled"}}, "004 006"},
		"computed":                     {ExportInput{Statuses: []string{"ready"}}, "001 010.1"},
		"computed, or a status":        {ExportInput{Statuses: []string{"blocked", "failed"}}, "002 004 013 014 015 016"},
		"ready":                        {ExportInput{Ready: true}, "001 010.1"},
		"a label":                      {ExportInput{Labels: []string{"api"}}, "001 003"},
		"a label, archived ones too":   {ExportInput{Labels: []string{"api", "old"}, Archived: true}, "001 003 011"},
		"a type":                       {ExportInput{Type: "driver"}, "010"},
		"a type that nothing has":      {ExportInput{Type: "chore"}, ""},
		"archived ones are not ready":  {ExportInput{Statuses: []string{"ready"}, Archived: true}, "001 010.1"},
		"that day":                     {ExportInput{From: "2026-01-02", To: "2026-01-02", Labels: []string{"api"}}, "001 003"},
		"before that day":              {ExportInput{To: "2026-01-01"}, ""},
		"after that day":               {ExportInput{From: "2026-01-03"}, ""},
		"from that day on, and a type": {ExportInput{From: "2026-01-02", Type: "driver"}, "010"},
	} {
		r, err := Export(t.Context(), p, c.in)
		assert.NoError(t, err, "%v", name)
		assert.Equal(t, c.want, exportedIDs(r), "%v", name)
		assert.True(t, r.Specs != nil, "%v %v %v", name, err, c.want)
		assert.Equal(t, defaultFields(), r.Fields, "%v", name)
		assert.False(t, len(r.Invalid) != 1 && !c.in.Archived, "%s: unreadable: %q", name, r.Invalid)
		assert.False(t, c.in.Archived && len(r.Invalid) != 2, "%s: unreadable: %q", name, r.Invalid)
	}
	for name, c := range map[string]struct {
		in    ExportInput
		words string
	}{
		"an unknown status":      {ExportInput{Statuses: []string{"pending", "gone"}}, `unknown status "gone"`},
		"invalid is no status":   {ExportInput{Statuses: []string{"invalid"}}, `unknown status "invalid"`},
		"no day":                 {ExportInput{From: "someday"}, `invalid time "someday"`},
		"no day of the calendar": {ExportInput{To: "2026-02-30"}, `invalid time "2026-02-30"`},
		"the end before":         {ExportInput{From: "2026-01-03", To: "2026-01-02"}, "no day lies from"},
		"an unknown field":       {ExportInput{Fields: []string{"id", "size"}}, `unknown field "size"`},
		"all among others":       {ExportInput{Fields: []string{"id", "all"}}, `unknown field "all"`},
	} {
		_, err := Export(t.Context(), p, c.in)
		assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "%s", name)
		assert.Contains(t, err.Error(), c.words, "%s", name)
	}
}

// TestExport_fields exports every field of one spec as JSON, except fields without a value.
func TestExport_fields(t *testing.T) {
	t.Parallel()
	p := board(t)
	all, err := Export(t.Context(), p, ExportInput{Fields: []string{"all"}, Archived: true})
	assert.NoError(t, err)
	assert.Equal(t, len(allFields()), len(all.Fields))
	of := func(id string) map[string]any {
		t.Helper()
		row := all.Specs[slices.IndexFunc(all.Specs, func(r ExportRow) bool { return r[0].Value == id })]
		text, err := json.Marshal(row)
		assert.NoError(t, err)
		var out map[string]any
		assert.NoError(t, json.Unmarshal(text, &out))
		return out
	}
	for id, want := range map[string]map[string]any{
		n(1):  {"title": "Parser of words", "type": "code", "priority": "high", "ready": true, "blocked": false, "criteria": 3.0, "criteria_checked": 1.0, "attempts": 0.0, "tokens_in": 0.0, "landed": nil, "approval": nil, "model": nil, "cost_usd": nil},
		n(3):  {"landed": true, "completed_at": "2026-01-02T00:00:00Z", "model": "large", "verification_status": nil, "archived": false},
		n(4):  {"reason": "it broke", "reason_code": "agent"},
		n(10): {"type": "driver", "criteria": 0.0, "labels": nil},
		n(11): {"archived": true, "landed": nil, "ready": false, "blocked": false},
		n(12): {"verification_status": "nothing to verify"},
		n(13): {"approval": "pending"},
	} {
		got := of(id)
		for field, value := range want {
			have, exported := got[field]
			assert.Equal(t, value != nil, exported, "%s: %s", id, field)
			assert.True(t, have == value, "%s: %s is %v, want %v", id, field, have, value)
		}
	}
	got := of(n(10))["members"].([]any)
	assert.Equal(t, 2, len(got), "members: %v", got)
	picked, err := Export(t.Context(), p, ExportInput{Fields: []string{"title", "id"}, Labels: []string{"ui"}})
	assert.NoError(t, err, "fields in their order")
	assert.Equal(t, 2, len(picked.Specs), "fields in their order")
	assert.True(t, picked.Specs[0][0].Value == "Parser of words", "fields in their order: %+v, %v", picked, err)
	assert.True(t, picked.Specs[0][1].Value == n(1), "fields in their order: %+v, %v", picked, err)
	assert.Equal(t, 2, len(picked.Specs[0]), "fields in their order")
}

// TestExport_ownFields: keys that a project requires can be exported like those that chant reads.
func TestExport_ownFields(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	p.Config.Enterprise.Required = []string{"team", "labels", "reviewers"}
	enginetest.Commit(t, dir, map[string]string{
		".chant/specs/" + n(1) + ".md": "---\nteam: core\nreviewers: [ada, bob]\n---\n# A\n",
		".chant/specs/" + n(2) + ".md": "---\nteam: {lead: ada}\n---\n# B\n",
	})
	r, err := Export(t.Context(), p, ExportInput{Fields: []string{"id", "team", "reviewers"}})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 2, len(r.Specs), "%+v", r)
	got := r.Specs[0]
	assert.True(t, got[1].Value == "core", "%+v", got)
	assert.Equal(t, []string{"ada", "bob"}, got[2].Value.([]string))
	got = r.Specs[1]
	assert.True(t, got[1].Value == nil, "a mapping and a missing key: %+v", got)
	assert.True(t, got[2].Value == nil, "a mapping and a missing key: %+v", got)
	assert.Equal(t, []string{"team", "reviewers"}, projectFields(p))
	p.Config = config.DefaultConfig(dir)
	own := projectFields(p)
	assert.Zero(t, own, "of a project that names none: %q", own)
}

// TestExportUsage: usage that no agent reported has no value, not zero.
func TestExportUsage(t *testing.T) {
	t.Parallel()
	usd := 0.25
	for name, c := range map[string]struct {
		used                usage.Spending
		tokens, turns, cost any
	}{
		"no agent":                {usage.Spending{}, 0, 0, nil},
		"all told":                {usage.Spending{Agents: 1, Input: 7, Turns: 3, CostUSD: &usd}, 7, 3, 0.25},
		"tokens untold":           {usage.Spending{Agents: 2, TokensUnknown: 2, Turns: 1}, nil, 1, nil},
		"tokens of one of two":    {usage.Spending{Agents: 2, TokensUnknown: 1, Input: 5, Turns: 1}, 5, 1, nil},
		"turns untold":            {usage.Spending{Agents: 1, Input: 5}, 5, nil, nil},
		"the cost of one of two":  {usage.Spending{Agents: 2, CostUnknown: 1, CostUSD: &usd, Turns: 2}, 0, 2, 0.25},
		"the cost of none in all": {usage.Spending{Agents: 2, CostUnknown: 2, CostUSD: &usd, Turns: 2}, 0, 2, nil},
	} {
		x := exported{s: &spec.File{}, used: func() (int, usage.Spending) { return 1, c.used }}
		tokens := exportTokens(func(u usage.Spending) int { return u.Input })(x)
		turns, cost := exportTurns(x), exportCost(x)
		assert.True(t, tokens == c.tokens, "%s: %v, %v, %v", name, tokens, turns, cost)
		assert.True(t, turns == c.turns, "%s: %v, %v, %v", name, tokens, turns, cost)
		assert.True(t, cost == c.cost, "%s: %v, %v, %v", name, tokens, turns, cost)
	}
}

func TestInTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to, id string
		want         bool
	}{
		"no range":             {"", "", "notes", true},
		"the first day":        {"2026-01-02", "", n(1), true},
		"the last day":         {"", "2026-01-02", n(1), true},
		"a day before":         {"2026-01-03", "", n(1), false},
		"a day after":          {"", "2026-01-01", n(1), false},
		"a member":             {"2026-01-02", "2026-01-02", n(1) + ".1", true},
		"an id that has none":  {"2026-01-02", "", "notes", false},
		"one that begins so":   {"", "2026-12-31", "2026-01-02", false},
		"a range of other day": {"2025-01-01", "2025-12-31", n(1), false},
	} {
		assert.Equal(t, c.want, (ExportInput{From: c.from, To: c.to}).inDateRange(c.id), "%s", name)
	}
}

// A row keeps its order as JSON, leaves out fields without a value and escapes only what JSON requires.
func TestExportRow_json(t *testing.T) {
	t.Parallel()
	row := ExportRow{{"b", "<x> & y"}, {"a", nil}, {"n", 3}, {"ok", false}, {"list", []string{"p", "q"}}}
	got, err := row.MarshalJSON()
	assert.NoError(t, err, "%s", got)
	assert.Equal(t, `{"b":"<x> & y","n":3,"ok":false,"list":["p","q"]}`, strings.ReplaceAll(string(got), "\n", ""), "%s", got)
	got, err = (ExportRow{}).MarshalJSON()
	assert.NoError(t, err)
	assert.Equal(t, "{}", string(got))
}
