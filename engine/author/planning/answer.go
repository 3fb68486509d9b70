package planning

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/schema"
	"chant/engine/spec/split"
)

// Answer is what an agent that plans answers.
type Answer struct {
	Title     string     `json:"title"`
	Brief     Brief      `json:"brief"`
	Questions []Question `json:"questions"`
	Done      []Done     `json:"done"`
	Specs     []Proposed `json:"specs"`
	Amend     []Amended  `json:"amend"`  // only if the plan begins with drift
	Retire    []Retired  `json:"retire"` // only if the plan begins with drift
}

// Brief says what a plan is for.
type Brief struct {
	Goal     string   `json:"goal" yaml:"goal"`
	NonGoals []string `json:"non_goals,omitempty" yaml:"non_goals"`
	Risks    []string `json:"risks,omitempty" yaml:"risks"`
}

// Question is what an agent wants to know, with the answer that it would take.
type Question struct {
	Question string `json:"question" yaml:"question"`
	Proposed string `json:"proposed" yaml:"proposed"`
	Answer   string `json:"answer,omitempty" yaml:"answer,omitempty"` // "" for the proposed one
}

// Answered is the answer that counts.
func (q Question) Answered() string {
	if q.Answer != "" {
		return q.Answer
	}
	return q.Proposed
}

// Done is a part of an idea that the repository has already.
type Done struct {
	What  string `json:"what" yaml:"what"`
	Where string `json:"where" yaml:"where"` // a spec, a commit or a file
}

// Proposed is a spec as an agent proposes it.
type Proposed struct {
	ID          string            `json:"id"` // of a spec of the plan that is revised, "" for a new one
	Title       string            `json:"title"`
	Why         string            `json:"why"`
	What        string            `json:"what"`
	Criteria    []Wanted          `json:"criteria"`
	TargetFiles []string          `json:"target_files"`
	DependsOn   []split.Reference `json:"depends_on"`
	RedFor      *split.Reference  `json:"red_for,omitempty"` // the spec of the answer that makes the tests of this one pass
	Labels      []string          `json:"labels"`
	Estimate    string            `json:"estimate"`
}

// Wanted is a criterion of a proposed spec.
type Wanted struct {
	split.Criterion
	Guard bool `json:"guard"` // it holds before the work, and must hold after it
}

// AnswerSchema is the form of an answer, as JSON Schema. Further keys are allowed, and have no effect.
const AnswerSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "answer of an agent that plans",
  "type": "object", "required": ["specs"],
  "properties": {
    "title": {"type": "string", "maxLength": 200, "description": "of the whole plan"},
    "brief": {"type": "object", "properties": {
      "goal": {"type": "string", "maxLength": 4000},
      "non_goals": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 1000}},
      "risks": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 1000}}
    }},
    "questions": {"type": "array", "maxItems": 5, "description": "what only a person can decide", "items": {
      "type": "object", "required": ["question", "proposed"], "properties": {
        "question": {"type": "string", "minLength": 1, "maxLength": 2000},
        "proposed": {"type": "string", "minLength": 1, "maxLength": 2000, "description": "the answer that counts where nobody decides"}
      }
    }},
    "done": {"type": "array", "maxItems": 20, "description": "parts of the idea that are there already", "items": {
      "type": "object", "required": ["what", "where"], "properties": {
        "what": {"type": "string", "minLength": 1, "maxLength": 1000},
        "where": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "a spec, a commit or a file"}
      }
    }},
    "amend": {"type": "array", "maxItems": 20, "description": "other wording for completed specs whose code has drifted", "items": {
      "type": "object", "required": ["id", "criteria"], "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 200},
        "why": {"type": "string", "maxLength": 20000},
        "what": {"type": "string", "maxLength": 20000, "description": "its new text; none keeps the one that it has"},
        "criteria": {"type": "array", "minItems": 1, "maxItems": 20, "items": {"$ref": "#/$defs/criterion"}}
      }
    }},
    "retire": {"type": "array", "maxItems": 20, "description": "completed specs that no longer count", "items": {
      "type": "object", "required": ["id", "why"], "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 200}, "why": {"type": "string", "minLength": 1, "maxLength": 1000}
      }
    }},
    "specs": {"type": "array", "maxItems": 20, "description": "none if questions come first, or if everything is there already", "items": {
      "type": "object", "required": ["title", "criteria"], "properties": {
        "id": {"type": "string", "maxLength": 200, "description": "of a spec that the plan has already"},
        "title": {"type": "string", "minLength": 3, "maxLength": 200},
        "why": {"type": "string", "maxLength": 20000},
        "what": {"type": "string", "maxLength": 20000, "description": "for someone who sees nothing but this and the files"},
        "criteria": {"type": "array", "minItems": 1, "maxItems": 20, "items": {"$ref": "#/$defs/criterion"}},
        "target_files": {"type": "array", "maxItems": 100, "items": {"type": "string", "minLength": 1, "maxLength": 500}, "description": "that it changes or creates"},
        "depends_on": {"type": "array", "maxItems": 20, "description": "specs that come before it: numbers in this list, from 1, or their titles, or ids of others", "items": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}]}},
        "red_for": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}], "description": "this spec only writes failing tests, and its commands run them: the spec of this list that makes them pass, and lands with them"},
        "labels": {"type": "array", "maxItems": 10, "items": {"type": "string", "minLength": 1, "maxLength": 100}},
        "estimate": {"type": "string", "maxLength": 50, "description": "such as 4h, 1d or 3pt"}
      }
    }}
  },
  "$defs": {"criterion": {
    "type": "object", "required": ["text"], "properties": {
      "text": {"type": "string", "minLength": 1, "maxLength": 1000, "description": "what is so when the spec is done"},
      "command": {"type": "string", "maxLength": 2000, "description": "one line for a POSIX shell at the top of the repository; it fails now and holds when the spec is done"},
      "guard": {"type": "boolean", "description": "it holds now, and must hold when the spec is done"}
    }
  }}
}`

// ReadAnswer finds an answer in an agent's final text. Problems say why there is none that can be used, in words for the agent.
// exists reports whether the project has a spec of an id.
// mayAmend are the completed specs that it may change.
func ReadAnswer(said string, exists func(id string) bool, mayAmend []string) (Answer, []string) {
	src, found := schema.Find(said)
	if !found {
		if why := schema.Broken(said); why != "" {
			return Answer{}, []string{"it is no valid JSON: " + why}
		}
		return Answer{}, []string{"it holds no JSON"}
	}
	form, err := schema.Compile("plan-answer", []byte(AnswerSchema))
	if err != nil {
		return Answer{}, []string{err.Error()}
	}
	var problems []string
	for _, p := range form.Check(src) {
		problems = append(problems, p.String())
	}
	if len(problems) > 0 {
		// Only a piece of the answer may have been read.
		if why := schema.Broken(said); why != "" {
			problems = []string{"it is no valid JSON: " + why}
		}
		return Answer{}, problems
	}
	var a Answer
	if err := json.Unmarshal(src, &a); err != nil {
		return Answer{}, []string{err.Error()}
	}
	return a, append(a.check(exists), a.checkAmends(mayAmend)...)
}

// check returns what is wrong with an answer that fits the schema.
func (a *Answer) check(exists func(id string) bool) []string {
	if len(a.Specs)+len(a.Questions)+len(a.Done)+len(a.Amend)+len(a.Retire) == 0 {
		return []string{"it has no spec, no question, and nothing that is there already"}
	}
	var out []string
	titles := map[string]int{}
	for i := range a.Specs {
		s := &a.Specs[i]
		s.Title = spec.OneLine(s.Title)
		say := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("spec %d %q ", i+1, spec.Echo(s.Title))+fmt.Sprintf(format, args...))
		}
		if first, twice := titles[normalize(s.Title)]; twice {
			say("has the title of spec %d", first+1)
		} else {
			titles[normalize(s.Title)] = i
		}
		out = append(out, split.Faults(fmt.Sprintf("spec %d", i+1), s.Title, s.plainCriteria(), s.TargetFiles)...)
		for _, ref := range s.DependsOn {
			if _, _, known := a.find(ref, exists); !known {
				say("depends on %s, which is neither in the list nor a spec of the project", ref)
			}
		}
	}
	if len(out) == 0 {
		out = a.pair()
	}
	if len(out) == 0 {
		out = a.cycles(exists)
	}
	return out
}

// pair gives specs that are to make tests pass what follows from that: they wait for the tests, and have their commands.
func (a *Answer) pair() []string {
	var out []string
	tests := map[int]int{} // by the spec that makes them pass
	for i, s := range a.Specs {
		if s.RedFor == nil {
			continue
		}
		at, id, _ := a.find(*s.RedFor, func(string) bool { return false })
		first, twice := tests[at]
		switch {
		case at < 0 || id != "" || at >= len(a.Specs) || at == i:
			out = append(out, fmt.Sprintf("spec %d %q is red_for what is no other spec of the list", i+1, spec.Echo(s.Title)))
			continue
		case a.Specs[at].RedFor != nil:
			out = append(out, fmt.Sprintf("spec %d %q is red_for spec %d, which only writes failing tests itself", i+1, spec.Echo(s.Title), at+1))
			continue
		case twice:
			out = append(out, fmt.Sprintf("spec %d %q is red_for spec %d, as spec %d is already", i+1, spec.Echo(s.Title), at+1, first+1))
			continue
		case !slices.ContainsFunc(s.Criteria, func(c Wanted) bool { return c.Command != "" && !c.Guard }):
			out = append(out, fmt.Sprintf("spec %d %q is red_for spec %d, and has no command that fails until that is done", i+1, spec.Echo(s.Title), at+1))
			continue
		}
		tests[at] = i
		green := &a.Specs[at]
		if own, _ := a.after(at, func(string) bool { return false }); !slices.Contains(own, i) {
			green.DependsOn = append(green.DependsOn, split.Reference{Number: i + 1})
		}
		for _, c := range s.Criteria {
			has := slices.ContainsFunc(green.Criteria, func(o Wanted) bool { return o.Command == c.Command })
			if c.Command != "" && !c.Guard && !has {
				c.Text = "The tests of " + s.Title + " pass"
				green.Criteria = append(green.Criteria, c)
			}
		}
	}
	return out
}

func normalize(title string) string { return strings.ToLower(spec.OneLine(title)) }

func (s Proposed) plainCriteria() []split.Criterion {
	var out []split.Criterion
	for _, c := range s.Criteria {
		out = append(out, c.Criterion)
	}
	return out
}

// find returns what a reference of an answer names: a spec of it by index, or the id of one of the project.
func (a *Answer) find(ref split.Reference, exists func(string) bool) (at int, id string, known bool) {
	if ref.Title == "" {
		return ref.Number - 1, "", ref.Number >= 1 && ref.Number <= len(a.Specs)
	}
	at = slices.IndexFunc(a.Specs, func(o Proposed) bool {
		return normalize(o.Title) == normalize(ref.Title) || o.ID != "" && o.ID == ref.Title
	})
	if at >= 0 {
		return at, "", true
	}
	return -1, ref.Title, exists(ref.Title)
}

// after returns the specs of the answer that one waits for, by index, and the ids of others.
func (a *Answer) after(i int, exists func(string) bool) (own []int, others []string) {
	for _, ref := range a.Specs[i].DependsOn {
		at, id, known := a.find(ref, exists)
		switch {
		case !known:
		case id != "":
			others = append(others, id)
		case !slices.Contains(own, at):
			own = append(own, at)
		}
	}
	return own, others
}

// cycles names the specs that wait for themselves.
func (a *Answer) cycles(exists func(string) bool) []string {
	for i := range a.Specs {
		seen := map[int]bool{}
		var stack []int
		stack, _ = a.after(i, exists)
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if at == i {
				return []string{fmt.Sprintf("spec %d %q waits for itself, directly or through others", i+1, spec.Echo(a.Specs[i].Title))}
			}
			if !seen[at] {
				seen[at] = true
				own, _ := a.after(at, exists)
				stack = append(stack, own...)
			}
		}
	}
	return nil
}

// description is the text of a spec below its title, without criteria.
func (s Proposed) description() string {
	var parts []string
	for _, part := range []string{s.Why, s.What} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}
