package planning

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chant/engine/spec/schema"

	"github.com/alecthomas/assert/v2"
)

// TestReadAnswer: what cannot be used is named in words that an agent can act on.
func TestReadAnswer(t *testing.T) {
	t.Parallel()
	one := func(title, more string) string {
		return fmt.Sprintf(`{"title": %q, "criteria": [{"text": "a is there", "command": "test -f a"}]%s}`, title, more)
	}
	specs := func(all ...string) string { return `{"specs": [` + strings.Join(all, ", ") + `]}` }
	many := make([]string, 40)
	for i := range many {
		many[i] = one(fmt.Sprintf("Spec %d", i), "")
	}
	exists := func(id string) bool { return id == "2026-01-02-001-abc" }
	for name, tt := range map[string]struct{ said, want string }{
		"good":                     {specs(one("One", ""), one("Two", `, "depends_on": [1, "One", "2026-01-02-001-abc"], "labels": ["a"], "x": 1`)), ""},
		"in a fence, behind words": {"So:\n\n```json\n" + specs(one("One", "")) + "\n```\n", ""},
		"only questions":           {`{"questions": [{"question": "Which?", "proposed": "This"}], "specs": []}`, ""},
		"nothing":                  {`{"specs": []}`, "it has no spec, no question, and nothing that is there already"},
		"prose":                    {"I would rather not.", "it holds no JSON"},
		"a piece":                  {`{"specs": [{"title": "One"`, "it is no valid JSON"},
		"another form":             {`{"specs": [{"title": "One"}]}`, "/specs/0: missing property 'criteria'"},
		"forty specs":              {specs(many...), "/specs: maxItems"},
		"six questions":            {`{"specs": [], "questions": [` + strings.Repeat(`{"question": "a", "proposed": "b"}, `, 5) + `{"question": "a", "proposed": "b"}]}`, "/questions: maxItems"},
		"the same title":           {specs(one("One", ""), one("one ", "")), `spec 2 "one" has the title of spec 1`},
		"a cycle":                  {specs(one("One", `, "depends_on": [2]`), one("Two", `, "depends_on": ["One"]`)), `spec 1 "One" waits for itself, directly or through others`},
		"itself":                   {specs(one("One", `, "depends_on": [1]`)), `spec 1 "One" waits for itself`},
		"an unknown spec":          {specs(one("One", `, "depends_on": ["Three"]`)), `spec 1 "One" depends on "Three", which is neither in the list nor a spec of the project`},
		"a number too many":        {specs(one("One", `, "depends_on": [2]`)), `depends on 2, which`},
		"a file elsewhere":         {specs(one("One", `, "target_files": ["../x"]`)), `spec 1 has a target file that is not in the repository: "../x"`},
		"no meaning":               {`{"specs": [{"title": "One", "criteria": [{"text": "it works"}]}]}`, "spec 1 has no meaningful criterion"},
		"an amended spec":          {`{"specs": [], "amend": [{"id": "2026-01-02-002-old", "criteria": [{"text": "a is there", "command": "test -f a"}]}]}`, ""},
		"one that has not drifted": {`{"specs": [], "amend": [{"id": "2026-01-02-001-abc", "criteria": [{"text": "a is there"}]}]}`, `amend names "2026-01-02-001-abc", which is no spec that has drifted`},
		"amended and retired":      {`{"specs": [], "amend": [{"id": "2026-01-02-002-old", "criteria": [{"text": "a is there"}]}], "retire": [{"id": "2026-01-02-002-old", "why": "x"}]}`, `"2026-01-02-002-old" is amended or retired twice`},
		"failing tests first":      {specs(one("One", `, "red_for": 2`), `{"title": "Two", "criteria": [{"text": "b is there"}, {"text": "b holds", "command": "test -f b"}]}`), ""},
		"tests for themselves":     {specs(one("One", `, "red_for": "One"`)), `spec 1 "One" is red_for what is no other spec of the list`},
		"tests for nothing":        {specs(one("One", `, "red_for": 2`)), `spec 1 "One" is red_for what is no other spec of the list`},
		"tests for tests":          {specs(one("One", `, "red_for": 2`), one("Two", `, "red_for": 3`), one("Three", "")), `spec 1 "One" is red_for spec 2, which only writes failing tests itself`},
		"tests twice":              {specs(one("One", `, "red_for": 3`), one("Two", `, "red_for": 3`), one("Three", "")), `spec 2 "Two" is red_for spec 3, as spec 1 is already`},
		"tests without a command":  {specs(`{"title": "One", "criteria": [{"text": "a is there"}], "red_for": 2}`, one("Two", "")), `has no command that fails until that is done`},
		"tests that wait":          {specs(one("One", `, "red_for": 2, "depends_on": [2]`), one("Two", "")), `waits for itself`},
		"several lines":            {`{"specs": [{"title": "One", "criteria": [{"text": "a is there", "command": "a\nb"}]}]}`, "spec 1 has a command of several lines"},
	} {
		_, problems := ReadAnswer(tt.said, exists, []string{"2026-01-02-002-old"})
		got := strings.Join(problems, "; ")
		if tt.want == "" {
			assert.Zero(t, got, "%s", name)
			continue
		}
		assert.Contains(t, got, tt.want, "%s", name)
	}
}

// TestAnswerSchema: the form that agents are shown is a schema, and limits what the code limits.
func TestAnswerSchema(t *testing.T) {
	t.Parallel()
	_, err := schema.Compile("plan-answer", []byte(AnswerSchema))
	assert.NoError(t, err)
	var form struct {
		Properties struct {
			Specs, Questions struct{ MaxItems int }
		}
	}
	assert.NoError(t, json.Unmarshal([]byte(AnswerSchema), &form))
	assert.Equal(t, 20, form.Properties.Specs.MaxItems)
	assert.Equal(t, 5, form.Properties.Questions.MaxItems)
}

// TestSlug: an idea in any script has a name.
func TestSlug(t *testing.T) {
	t.Parallel()
	for idea, want := range map[string]string{
		"Let people sort the list by price, and by name": "let-people-sort-the-list-by-price-and-by",
		"Grüße & Co.": "gr-e-co", "日本語": "plan", "../../etc": "etc", strings.Repeat("a", 90): strings.Repeat("a", 40), "x": "x",
	} {
		assert.Equal(t, want, slug(idea), "%q", idea)
	}
}
